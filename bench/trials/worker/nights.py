"""What may happen in a night of workers, each kind by itself."""

import http.server
import os
import signal
import subprocess
import threading
import time

import cuts

LIBFAKETIME = next(
    (path for path in ("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1")
     if os.path.exists(path)), None)


def kills(night, generator):
    """Workers are killed at moments that nobody chose, two side by side."""
    for _ in range(40):
        if not night.open():
            break
        pair = [night.start("--drain") for _ in range(2)]
        for process in pair:
            try:
                process.wait(0.05 + generator.random() * 2.5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                night.trial.count("workers killed")
        night.time_passes()


def terms(night, generator):
    """Told to stop once, twice, often: never a job left held, and the exit codes say which it was."""
    for _ in range(40):
        if not night.open():
            break
        process = night.start()
        time.sleep(0.2 + generator.random() * 0.8)
        process.send_signal(signal.SIGTERM)
        often = generator.choice((0, 1, 6))
        for number in range(often):
            # Within two seconds it may be an echo of the first.
            time.sleep(2.1 if number == 0 else 0.05)
            process.send_signal(generator.choice((signal.SIGTERM, signal.SIGINT)))
        began = time.monotonic()
        night.end(process, {0, 143, 130, -15, -2})
        if time.monotonic() - began > 28:
            night.trial.violations.append("[terms] a stop took longer than 28 s")
        night.trial.count("workers told to stop")
        if process.returncode >= 0:
            held = night.psql("select count(*) from recommendation_jobs where state = 'running'")[0][0]
            if held != "0":
                night.trial.violations.append(f"[terms] exit {process.returncode} left {held} jobs held")
        night.psql("update recommendation_jobs set run_at = knot.clock() where state in ('available', 'retryable') and days_before = 7")


def stands_still(night, generator):
    """A worker is stopped while it holds jobs, its leases run out, others do its work, and it wakes up."""
    # Handing over takes a while, since in that moment most is at stake: somebody was told, and nothing is written yet.
    night.sends_elsewhere = True
    webhook = receiver(lambda: "slow")
    way = webhook_settings(webhook)
    waiting = "state in ('available', 'retryable')"
    night.psql("update recommendation_jobs set run_at = knot.clock() + interval '1 day'")
    settled = "select id, state, run_id, claim_token, finished_at from recommendation_jobs where state in ('completed', 'running')"
    for _ in range(40):
        # A few are due at a time, so that it is stopped at many moments of its work.
        night.psql(
            f"""
            update recommendation_jobs set run_at = knot.clock()
            where id in (select id from recommendation_jobs where {waiting} order by id limit 3)
            """
        )
        if not night.open():
            break
        sleeper = night.start(**way)
        if not night.wait_for("recommendation_jobs where state = 'running'", 20):
            night.trial.violations.append("[stands_still] a worker claims nothing that is due")
            break
        time.sleep(generator.random())
        sleeper.send_signal(signal.SIGSTOP)
        held = int(night.psql("select count(*) from recommendation_jobs where state = 'running'")[0][0])
        night.trial.count("workers that stood still" + (" with jobs" if held else ", too late"))
        night.time_passes()
        other = None
        if generator.random() < 0.5:
            night.trial.judge("workers beside one that stands still", night.call(["work", "--drain"], **way), {0})
        else:
            # Another one has its jobs and stands still as well, while the first one goes on with what it thinks its own.
            other = night.start(**way)
            night.wait_for("recommendation_jobs where state = 'running'", 20)
            other.send_signal(signal.SIGSTOP)
        kept = night.psql(settled)
        sleeper.send_signal(signal.SIGCONT)
        sleeper.send_signal(signal.SIGTERM)
        night.end(sleeper, {0, 143})
        if not set(map(tuple, kept)) <= set(map(tuple, night.psql(settled))):
            night.trial.violations.append("[stands_still] a worker that woke up changed what was ended or held by others")
        if other:
            other.send_signal(signal.SIGCONT)
            other.send_signal(signal.SIGTERM)
            night.end(other, {0, 143})
            night.time_passes()
    webhook.shutdown()


def clocks(night, generator):
    """Workers whose clocks are hours and minutes apart: the database's time decides."""
    if not LIBFAKETIME:
        night.trial.count("nights without libfaketime")
        return
    offsets = ["+5m", "-5m", "+1h", "-1d", "+1d", "-1h"]
    generator.shuffle(offsets)
    workers = [
        night.start("--drain", LD_PRELOAD=LIBFAKETIME, FAKETIME=offset, FAKETIME_DONT_FAKE_MONOTONIC="1") for offset in offsets[:4]
    ]
    for process in workers:
        night.end(process, {0}, limit=120)
    if night.open():
        night.trial.violations.append(f"[clocks] {night.open()} reminders are left by workers with other clocks")


def database_clock(night, generator):
    """The database's own clock steps by minutes, both ways, while workers are at work."""
    workers = [night.start() for _ in range(2)]
    for _ in range(8):
        time.sleep(0.4)
        night.clock_jumps(generator.choice((300, -300, 61, -61)))
    night.clock_jumps(900)
    night.until_done()
    for process in workers:
        process.send_signal(signal.SIGTERM)
        night.end(process, {0, 143})


def cut_lines(night, generator):
    """Connections end after some bytes, before a COMMIT and after one."""
    proxy = cuts.CuttingProxy(night.server.port, generator)
    proxy.share = 0.6
    workers = [night.start(port=proxy.port) for _ in range(2)]
    night.until_done()
    night.trial.count("lines cut", proxy.cut)
    if proxy.cut < 3:
        night.trial.violations.append(f"[cut_lines] only {proxy.cut} lines were cut")
    for process in workers:
        process.send_signal(signal.SIGTERM)
        night.end(process, {0, 143})
    proxy.close()


def server_stops(night, generator):
    """The server is stopped, at once and in peace, and started again, under the same workers."""
    workers = [night.start() for _ in range(2)]
    for _ in range(8):
        time.sleep(generator.random() * 1.2)
        if generator.random() < 0.5:
            night.server.stop_at_once()
        else:
            night.server.tool("pg_ctl", "-D", night.server.data, "-m", "fast", "-w", "stop", check=False)
        night.server.start()
        night.trial.count("stops of the server")
    night.time_passes()
    night.until_done()
    for process in workers:
        if process.poll() is not None:
            night.trial.violations.append(f"[server_stops] a worker ended by itself with {process.returncode}: {night.said(process)[-300:]}")
        else:
            process.send_signal(signal.SIGTERM)
            night.end(process, {0, 143})


def ended_backends(night, generator):
    """Sessions are ended by an administrator again and again."""
    workers = [night.start() for _ in range(2)]
    end = time.monotonic() + 60
    while night.open() and time.monotonic() < end:
        night.psql(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'knot_worker'"
            " order by random() limit 2"
        )
        night.trial.count("sessions ended", 2)
        night.psql("update recommendation_jobs set run_at = knot.clock() where state = 'retryable'")
        time.sleep(0.2)
    night.until_done()
    spent = night.psql("select max(crash_count) from recommendation_jobs")[0][0]
    if int(spent or 0) > 0:
        night.trial.violations.append(f"[ended_backends] sessions that end count as crashes: {spent}")


def read_only(night, generator):
    """The database takes no writes for a while, as a standby does."""
    workers = [night.start() for _ in range(2)]
    night.wait_for("recommendation_jobs where state = 'running'", 20)
    night.psql(f"alter database {night.database} set default_transaction_read_only = on")
    night.psql("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'knot_worker'")
    time.sleep(3)
    for process in workers:
        if process.poll() is not None:
            night.trial.violations.append(f"[read_only] a worker ended by itself: {night.said(process)[-300:]}")
    night.psql(f"set default_transaction_read_only = off; alter database {night.database} reset default_transaction_read_only")
    night.psql("set default_transaction_read_only = off; update recommendation_jobs set run_at = knot.clock() where state = 'retryable'")
    began = time.monotonic()
    night.until_done(90)
    night.trial.count("seconds to go on", int(time.monotonic() - began))


def locked_table(night, generator):
    """Somebody alters a table for a while: jobs wait, and none is spent."""
    workers = [night.start() for _ in range(2)]
    night.wait_for("recommendation_jobs where state = 'running'", 20)
    for table in ("recommendation_jobs", "recommendation_runs", "partner_vaults"):
        night.psql(f"begin; lock table public.{table} in access exclusive mode; select pg_sleep(4); commit")
    night.until_done()


def full_outbox(night, generator):
    """The disk of the outbox is full for a while: nothing is lost, and no part of a notice has a notice's name."""
    if os.geteuid():
        return night.trial.count("nights that only root has")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "knot-outbox", night.outbox], check=True)
    try:
        with open(os.path.join(night.outbox, ".filler"), "wb") as filler:
            filler.write(bytes(40 * 1024))
        first = night.call(["work", "--drain"])
        night.trial.judge("workers before a full disk", first, {0, 74, 75})
        codes = night.psql("select distinct last_error_code from recommendation_jobs where state = 'retryable'")
        if codes != [["outbox_disk_full"]]:
            night.trial.violations.append(f"[full_outbox] what waits says {codes}")
        files = [name for name in os.listdir(night.outbox) if not name.startswith(".")]
        sent = night.psql("select count(*) from notification_queue where status = 'sent'")[0][0]
        if len(files) < int(sent):
            night.trial.violations.append(f"[full_outbox] {sent} sent and {len(files)} files")
        keep = {name: open(os.path.join(night.outbox, name), "rb").read() for name in files}
    finally:
        subprocess.run(["umount", night.outbox], check=True)
    for name, content in keep.items():
        with open(os.path.join(night.outbox, name), "wb") as file:
            file.write(content)


def shut_outbox(night, generator):
    """The outbox is not there, is no folder, or takes no writes: each says so, and no job is put aside for it."""
    other = night.outbox + "-other"
    answers = [night.call(["work", "--drain"], KNOT_OUTBOX=other)]
    open(other, "w").close()
    night.time_passes()
    answers.append(night.call(["work", "--drain"], KNOT_OUTBOX=other))
    os.remove(other)
    if not os.geteuid():
        os.makedirs(other)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "knot-outbox", other], check=True)
        night.time_passes()
        answers.append(night.call(["work", "--drain"], KNOT_OUTBOX=other))
        subprocess.run(["umount", other], check=True)
    for answer in answers:
        night.trial.judge("workers without an outbox", answer)
        night.trial.expect("shut_outbox", answer, b"outbox" in answer.err, "does not say that the outbox is the matter")
    dead = night.psql("select count(*) from recommendation_jobs where state = 'dead'")[0][0]
    if dead != "0":
        night.trial.violations.append(f"[shut_outbox] {dead} reminders were put aside")


def full_database(night, generator):
    """The server's disk is full for a while."""
    if os.geteuid():
        return night.trial.count("nights that only root has")
    place = os.path.join(night.world.scratch, f"{night.database}-space")
    os.makedirs(place)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96m", "knot-space", place], check=True)
    space = os.path.join(place, "space")
    os.makedirs(space)
    os.chown(space, night.server.user.pw_uid, night.server.user.pw_gid)
    try:
        night.server.psql(f"create tablespace small location '{space}'", database="postgres")
        night.server.psql(f"alter database {night.database} set tablespace small", database="postgres")
        filler = os.path.join(place, "filler")
        full = os.open(filler, os.O_WRONLY | os.O_CREAT)
        try:
            while os.write(full, bytes(65_536)):
                pass
        except OSError:
            pass
        os.close(full)
        # A few pages are left, so that it is full in the middle of the work.
        os.truncate(filler, max(0, os.path.getsize(filler) - 200 * 1024))
        answer = night.call(["work", "--drain"], limit=120)
        night.trial.judge("workers before a full disk", answer, {0, 69, 74, 75})
        told = len([name for name in os.listdir(night.outbox) if not name.startswith(".")])
        night.trial.count("notices told before a full disk", told)
        os.remove(filler)
        night.time_passes()
        night.trial.judge("last workers", night.call(["work", "--drain"], limit=240), {0})
        night.server.psql(f"alter database {night.database} set tablespace pg_default", database="postgres")
        night.server.psql("drop tablespace small", database="postgres")
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def other_hands(night, generator):
    """Reminders are called off, tried again, edited, deleted and forgotten while a worker that stands still holds them."""
    night.excused = None
    sleeper = night.start()
    if not night.wait_for("recommendation_jobs where state = 'running'", 20):
        return
    sleeper.send_signal(signal.SIGSTOP)
    held = night.psql("select id, vault_id, milestone_id from recommendation_jobs where state = 'running' order by id")
    gone, told_off = set(), set()
    for number, (job, vault, milestone) in enumerate(held):
        way = number % 7
        if way == 0:
            answer = night.call(["jobs", "cancel", "--job", job])
            night.trial.judge("hands on a held job", answer, {0, 65})
            if answer.code == 0:
                told_off.add(vault)
        elif way == 1:
            night.trial.judge("hands on a held job", night.call(["jobs", "retry", "--job", job]), {65})
        elif way == 2:
            night.psql(f"delete from partner_milestones where id = '{milestone}'")
            told_off.add(vault)
        elif way == 3:
            night.psql(f"update partner_milestones set milestone_date = '2000-08-20' where id = '{milestone}'")
            told_off.add(vault)
        elif way == 4:
            night.trial.judge("hands on a held job", night.call(["forget", "--vault", vault, "--yes"], user="owner"), {0})
            gone.add(vault)
        elif way == 5:
            night.psql(f"update users set notifications_enabled = false where id = (select user_id from partner_vaults where id = '{vault}')")
            told_off.add(vault)
        else:
            night.psql(f"update users set quiet_hours_start = 11, quiet_hours_end = 14 where id = (select user_id from partner_vaults where id = '{vault}')")
    night.trial.count("hands on held jobs", len(held))
    early = told_vaults(night)
    sleeper.send_signal(signal.SIGCONT)
    time.sleep(4)
    sleeper.send_signal(signal.SIGTERM)
    night.end(sleeper, {0, 143})
    late = told_vaults(night) - early
    if late & (told_off | gone):
        night.trial.violations.append(f"[other_hands] {len(late & (told_off | gone))} were told of what was called off before")
    # Quiet hours end, and what waited for that is due.
    night.clock_jumps(3 * 3600)


def told_vaults(night):
    """Whose notices are in the outbox."""
    import json

    names = [name for name in os.listdir(night.outbox) if not name.startswith(".")]
    return {json.load(open(os.path.join(night.outbox, name)))["vault_id"] for name in names}


class Receiver(http.server.BaseHTTPRequestHandler):
    """A webhook that answers as it is told, and keeps which notices it took."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        plan = self.server.plan()
        if plan in ("hang", "slow"):
            time.sleep(33 if plan == "hang" else 0.8)
            plan = 200
        if plan == "drop":
            self.connection.close()
            return
        with self.server.lock:
            self.server.taken.append((plan, body))
        self.send_response(plan)
        if plan == 429:
            self.send_header("Retry-After", "1")
        self.end_headers()

    def log_message(self, *words):
        pass


def receiver(plan):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.plan, server.taken, server.lock = plan, [], threading.Lock()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def webhook_settings(server):
    """How a worker is told to call it."""
    return {
        "KNOT_DELIVERY": "webhook",
        "KNOT_OUTBOX": None,
        "KNOT_WEBHOOK_URL": f"http://127.0.0.1:{server.server_port}/notices",
        "KNOT_WEBHOOK_KEY": "s" * 40,
        "KNOT_WEBHOOK_PRIVATE": "allowed",
    }


def bad_webhook(night, generator):
    """A webhook that is slow, gone, busy or hangs up: each notice is taken in the end, under one name."""
    night.sends_elsewhere = True
    lock = threading.Lock()
    hangs = [1]

    def plan():
        with lock:
            draw = generator.random()
            if hangs and hangs.pop():
                return "hang"
            return 503 if draw < 0.2 else 429 if draw < 0.3 else "drop" if draw < 0.5 else 200

    server = receiver(plan)
    worker = night.start(**webhook_settings(server))
    night.until_done(200)
    worker.send_signal(signal.SIGTERM)
    night.end(worker, {0, 143})
    import json

    names, rows = {}, night.psql("select count(*) from notification_queue where status = 'sent'")
    for code, body in server.taken:
        if code == 200:
            notice = json.loads(body)
            names.setdefault(notice["vault_id"], set()).add(notice["id"])
    night.trial.count("notices taken by a webhook", sum(1 for code, _ in server.taken if code == 200))
    if len(names) != int(rows[0][0]) or any(len(each) != 1 for each in names.values()):
        night.trial.violations.append(f"[bad_webhook] {rows[0][0]} sent, {len(names)} vaults taken, names {[len(each) for each in names.values()]}")
    server.shutdown()


ALL = {
    each.__name__: each
    for each in (
        kills, terms, stands_still, clocks, database_clock, cut_lines, server_stops, ended_backends, read_only, locked_table,
        full_outbox, shut_outbox, full_database, other_hands, bad_webhook,
    )
}
