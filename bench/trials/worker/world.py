"""Vaults with reminders that are due, a database of its own for every night, and the audit of what came of it."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import time
import uuid

import server as servers

# Each returns a row for each thing that is wrong, and shares nothing with the code under test.
AUDIT = {
    "lost": "select id, state, last_error_code from recommendation_jobs where state not in ('completed', 'cancelled', 'dead')",
    "doubled": "select vault_id, request from recommendation_runs where kind = 'scheduled' group by 1, 2 having count(*) > 1",
    "torn": """
        select r.id from recommendation_runs r
        where (select count(*) from recommendations c where c.run_id = r.id) <> 3
    """,
    "repeated": """
        select vault_id, candidate_id from recommendations where run_id is not null group by 1, 2 having count(*) > 1
    """,
    "completed and not sent": """
        select j.id, n.status from recommendation_jobs j join notification_queue n on n.id = j.notification_id
        where (j.state = 'completed') <> (n.status = 'sent')
    """,
    "completed without a set": "select id from recommendation_jobs where state = 'completed' and run_id is null",
    "outside the window": """
        select n.id, n.sent_at from notification_queue n join users u on u.id = n.user_id
        where n.status = 'sent' and extract(hour from n.sent_at at time zone u.timezone) not between 10 and 20
    """,
    "left open": """
        select pid, query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
    """,
}


class World:
    """A stocked database that each night gets a copy of."""

    TEMPLATE = "stocked"

    def __init__(self, trial, server, repository, scratch, vaults):
        self.trial, self.server, self.scratch, self.repository = trial, server, scratch, repository
        self.vaults = []
        self.count = 0
        server.psql(f"create database {self.TEMPLATE}", database="postgres")
        url = self.url(self.TEMPLATE, user="owner")
        self.settle(["migrate"], url)
        paths = [self.fixture(number) for number in range(vaults)]
        self.settle(["import", *paths], url)
        # It is noon of 9 May in London, and the clock goes on from there; a birthday is a week ahead.
        server.psql(
            """
            create table knot.start as select now() as at;
            grant select on knot.start to public;
            create or replace function knot.clock() returns timestamptz language sql stable
                set search_path = pg_catalog, pg_temp
                as 'select timestamptz ''2026-05-09 11:00Z'' + (now() - (select at from knot.start))';
            update users set timezone = 'Europe/London', notifications_enabled = true, quiet_hours_start = 22,
                quiet_hours_end = 8;
            update partner_milestones m set milestone_date = '2000-05-16', recurrence = 'yearly'
                where m.id in (select distinct on (vault_id) id from partner_milestones order by vault_id, created_at, id);
            select api.enqueue(array_agg(m.id order by m.id), array_agg(date '2026-05-16'), array_agg(7),
                array_agg(timestamptz '2026-05-09 10:59Z'))
            from partner_milestones m
                where m.id in (select distinct on (vault_id) id from partner_milestones order by vault_id, created_at, id);
            """,
            database=self.TEMPLATE,
        )

    def url(self, database, user="knot_worker", port=None):
        return self.server.url(port, user=user).replace(f"/{servers.DATABASE}?", f"/{database}?")

    def settle(self, words, url):
        """Runs a call that nothing disturbs."""
        answer = self.trial.call(words, environment={"DATABASE_URL": url}, limit=240)
        self.trial.judge("settled calls", answer, {0})
        return answer

    def fixture(self, number):
        """A judged vault under ids of its own, always the same ones."""
        folder = os.path.join(self.repository, "fixtures/vaults")
        names = ["dev-01.json", "dev-02.json", "dev-03.json"]
        text = open(os.path.join(folder, names[number % len(names)])).read()
        vault = json.loads(text)["vault"]
        ids = {vault["id"], vault["user_id"]} | {each["id"] for each in vault["milestones"] + vault["hints"]}
        for old in ids:
            text = text.replace(old, str(uuid.uuid5(uuid.UUID(old), f"worker {number}")))
        self.vaults.append(json.loads(text)["vault"]["id"])
        path = os.path.join(self.scratch, f"vault-{number}.json")
        with open(path, "w") as file:
            file.write(text)
        return path

    def night(self, name, body):
        """Lets a night pass over a copy of everything, has a last worker do what is left, and audits it."""
        self.count += 1
        night = Night(self, f"night_{self.count}", os.path.join(self.scratch, f"outbox-{self.count}"))
        os.makedirs(night.outbox)
        self.server.psql(f"create database {night.database} template {self.TEMPLATE}", database="postgres")
        # Its own clock begins now.
        night.psql("update knot.start set at = now()")
        try:
            body(night)
        finally:
            night.end_all()
        night.time_passes()
        last = night.call(["work", "--drain"], limit=240)
        self.trial.judge("last workers", last, {0})
        return self.audit(name, night)

    def audit(self, name, night):
        """Everything that must hold after any night; returns what it came to."""
        for law, text in AUDIT.items():
            self.trial.count("laws of a whole night")
            found = night.psql(text)
            if found:
                self.trial.violations.append(f"[{name}] {law}: {len(found)}, as {found[0]}")
        told = []
        for file in sorted(os.listdir(night.outbox)):
            if file.startswith("."):
                continue
            try:
                notice = json.load(open(os.path.join(night.outbox, file)))
                told.append((notice["vault_id"], notice["title"], notice["body"]))
            except (ValueError, KeyError) as error:
                self.trial.violations.append(f"[{name}] a notice is no whole document: {file}: {error}")
        rows = night.psql("select request, md5(result::text), vault_id from recommendation_runs where kind = 'scheduled' order by 1")
        kept = {"sets": {row[0]: row[1] for row in rows}, "told": sorted(told), "excused": night.excused, "sent": night.sends_elsewhere}
        self.server.psql(f"drop database {night.database} with (force)", database="postgres")
        shutil.rmtree(night.outbox, ignore_errors=True)
        return kept

    def compare(self, name, come, quiet):
        """The very sets and notices of a quiet night, but for vaults that the night did something to."""
        self.trial.count("nights held against a quiet one")
        tell = self.trial.violations.append
        if come["excused"] is None:
            return
        expected = {key: value for key, value in quiet["sets"].items()}
        if come["sets"] != expected:
            differing = [key for key in expected if come["sets"].get(key) != expected[key]]
            tell(f"[{name}] {len(differing)} sets are not those of a quiet night, {len(come['sets'])} of {len(expected)} there")
        if not come["sent"] and come["told"] != quiet["told"]:
            tell(f"[{name}] other notices than on a quiet night: {len(come['told'])} and not {len(quiet['told'])}")


class Night:
    """One database with due reminders, and the workers of it."""

    def __init__(self, world, database, outbox):
        self.world, self.database, self.outbox = world, database, outbox
        self.server, self.trial = world.server, world.trial
        self.workers = []
        # None where the night changes what is due, so that no quiet night is like it.
        self.excused = ()
        self.sends_elsewhere = False

    def psql(self, text, variables=None):
        return self.server.psql(text, database=self.database, variables=variables)

    def environment(self, port=None, **more):
        merged = dict(self.trial.environment, DATABASE_URL=self.world.url(self.database, port=port))
        merged["KNOT_DELIVERY"] = "outbox"
        merged["KNOT_OUTBOX"] = self.outbox
        merged.update(more)
        return {name: value for name, value in merged.items() if value is not None}

    def call(self, words, limit=120, port=None, user="knot_worker", **more):
        environment = self.environment(port, **more)
        if user != "knot_worker":
            environment["DATABASE_URL"] = self.world.url(self.database, user=user, port=port)
        return self.trial.call(words, environment=environment, limit=limit)

    def start(self, *flags, port=None, **more):
        """A worker of its own process; what it says is kept in a file."""
        log = open(os.path.join(self.world.scratch, f"{self.database}-{len(self.workers)}.log"), "wb")
        process = subprocess.Popen(
            [self.trial.command, "work", *flags], env=self.environment(port, **more), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=log,
        )
        process.log = log.name
        self.workers.append(process)
        self.trial.count("workers started")
        return process

    def said(self, process):
        return open(process.log, "rb").read()

    def end(self, process, codes, limit=40):
        """Waits for a worker's end and judges its exit code."""
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            self.trial.violations.append(f"[{self.database}] a worker does not end within {limit} s")
            process.kill()
            process.wait()
            return None
        if code not in codes:
            last = self.said(process).splitlines()[-2:]
            self.trial.violations.append(f"[{self.database}] a worker ended with {code}, none of {sorted(codes)}: {last}")
        if b"Fatal error" in self.said(process) or code in (-4, -5, -6, -11):
            self.trial.violations.append(f"[{self.database}] a worker fell over: {self.said(process)[-300:]}")
        return code

    def end_all(self):
        """Lets whoever still works come to an end."""
        for process in self.workers:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.send_signal(signal.SIGTERM)
        for process in self.workers:
            if process.poll() is None:
                self.end(process, {0, 143, 69, 75})

    def open(self):
        rows = self.psql("select count(*) from recommendation_jobs where state in ('available', 'retryable', 'running')")
        return int(rows[0][0])

    def wait_for(self, text, limit=60):
        """Until a count is not zero; false where it stays."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if int(self.psql(f"select count(*) from {text}")[0][0]):
                return True
            time.sleep(0.02)
        return False

    def until_done(self, limit=240):
        """While workers are at work; their waits are made short."""
        end = time.monotonic() + limit
        while self.open():
            if time.monotonic() > end:
                self.trial.violations.append(f"[{self.database}] the workers do not come to an end within {limit} s")
                return
            self.psql("update recommendation_jobs set run_at = knot.clock(), crash_count = 0, attempt = 1 where state = 'retryable'")
            time.sleep(0.5)

    def clock_jumps(self, seconds):
        """The database's clock steps forward, or back."""
        self.psql(f"update knot.start set at = at - interval '{seconds} s'")

    def time_passes(self):
        """Leases and waits are over, and no job has crashed too often."""
        self.psql(
            """
            update recommendation_jobs set lease_until = knot.clock() - interval '1 s', crash_count = 0, attempt = 1
                where state = 'running';
            select api.rescue(500);
            update recommendation_jobs set run_at = knot.clock(), crash_count = 0, attempt = 1 where state = 'retryable'
            """
        )
