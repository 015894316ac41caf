"""Requests under kills, ended backends, immediate stops and cuts: what is said to be done is done, once, and stays."""

import json
import os
import subprocess
import threading
import time
import uuid

import cuts

# How a request is disturbed; most are disturbed in one way.
WAYS = ("nothing", "kill", "end", "cut", "cut", "kill", "end")


class Storm:
    """What was asked under which faults, and what must be true of it in the end."""

    def __init__(self, trial, server, repository, scratch, generator):
        self.trial, self.server, self.scratch, self.generator = trial, server, scratch, generator
        self.proxy = cuts.CuttingProxy(server.port, generator)
        self.lock = threading.Lock()
        self.repository = repository
        self.vaults = []
        self.asked = []
        self.is_stopping = threading.Event()
        self.is_up = threading.Event()
        self.is_up.set()
        self.stops = 0

    def fixture(self, number):
        """A judged vault under ids of its own."""
        folder = os.path.join(self.repository, "fixtures/vaults")
        names = sorted(name for name in os.listdir(folder) if name.startswith("dev-"))
        text = open(os.path.join(folder, names[number % len(names)])).read()
        document = json.loads(text)
        ids = {document["vault"]["id"], document["vault"]["user_id"]}
        ids |= {each["id"] for each in document["vault"]["milestones"] + document["vault"]["hints"]}
        for old in ids:
            text = text.replace(old, str(uuid.uuid5(uuid.UUID(old), f"trial {number}")))
        document = json.loads(text)
        path = os.path.join(self.scratch, f"vault-{number}.json")
        with open(path, "w") as file:
            json.dump(document, file)
        return path, document["vault"]["id"]

    def settle(self, words):
        """Runs a call that nothing disturbs."""
        return self.trial.call(words, environment={"DATABASE_URL": self.server.url()}, limit=120)

    def prepare(self, count):
        """Brings the schema and some vaults in."""
        self.trial.judge("settled calls", self.settle(["migrate"]), {0})
        paths = []
        for number in range(count):
            path, vault = self.fixture(number)
            paths.append(path)
            self.vaults.append(vault)
        self.trial.judge("settled calls", self.settle(["import", *paths]), {0})

    def request(self, number):
        """One request of a kind that is drawn."""
        kind = self.generator.choice(("run", "run", "run", "hint", "import", "forget", "again"))
        vault = self.generator.choice(self.vaults)
        if kind == "run" or kind == "again":
            name = f"r{number}"
            if kind == "again" and self.asked:
                earlier = [each for each in self.asked if each["kind"] == "run"]
                if earlier:
                    chosen = self.generator.choice(earlier)
                    vault, name = chosen["vault"], chosen["name"]
            return {"kind": "run", "vault": vault, "name": name, "words": ["run", "--vault", vault, "--request", name, "--json"]}
        if kind == "hint":
            text = f"wants a lamp number {number}, as seen at the market"
            return {"kind": "hint", "vault": vault, "name": text, "words": ["hint", "add", "--vault", vault, "--text", text, "--json"]}
        path, other = self.fixture(1_000 + number)
        if kind == "import":
            return {"kind": "import", "vault": other, "name": path, "words": ["import", path, "--json"]}
        # Where a stop of the server kept it from coming in, there is nothing to remove.
        if self.settle(["import", path]).code != 0:
            return {"kind": "import", "vault": other, "name": path, "words": ["import", path, "--json"]}
        return {"kind": "forget", "vault": other, "name": path, "words": ["forget", "--vault", other, "--yes", "--json"]}

    def disturb(self, request):
        """Runs a request under one fault and keeps what it said."""
        way = self.generator.choice(WAYS)
        delay = self.generator.random() * 0.3
        url = self.server.url(self.proxy.port if way == "cut" else None)
        environment = dict(self.trial.environment, DATABASE_URL=url)
        process = subprocess.Popen(
            [self.trial.command, *request["words"], "--deadline", "60s"],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        if way == "kill":
            threading.Timer(delay, process.kill).start()
        if way == "end":
            threading.Timer(delay, self.end_some_backend).start()
        try:
            out, err = process.communicate(timeout=240)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            code = None
        request.update(way=way, code=code, out=out, err=err)
        self.trial.count(f"requests under {'a ' if way in ('cut', 'kill') else ''}{way}")
        with self.lock:
            self.asked.append(request)
        self.judge_words(request)

    def end_some_backend(self):
        """Ends one of the backends that serve the command."""
        self.server.psql(
            "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend'"
            " and pid <> pg_backend_pid() and application_name like 'knot%' order by random() limit 1",
            check=False,
        )

    def judge_words(self, request):
        """What may never be said, whatever happened."""
        code, said = request["code"], (request["err"] + request["out"]).decode("utf-8", "replace")
        place = f"[{request['kind']} under {request['way']}]"
        tell = self.trial.violations.append
        if code is None:
            tell(f"{place} no answer within 240 s: {request['words']}")
        elif code not in (0, 10, 11, 69, 74, 75, -9):
            tell(f"{place} exit {code}: {request['words'][:4]}: {said.splitlines()[:1]}")
        if request["kind"] == "run" and "no such vault" in said:
            tell(f"{place} says that a vault is gone which is there: {said.splitlines()[:1]}")

    def stop_now_and_then(self, every):
        """Stops the server at once and starts it again, until the storm is over."""
        while not self.is_stopping.wait(every * (0.5 + self.generator.random())):
            # Who asks now asks a server that is there; who has asked already meets the stop.
            self.is_up.clear()
            self.server.stop_at_once()
            self.server.start()
            self.is_up.set()
            self.stops += 1

    def rage(self, count, threads, every):
        """Sends requests side by side while the server is stopped now and then."""
        self.proxy.share = 0.7
        numbers = iter(range(count))
        stopper = threading.Thread(target=self.stop_now_and_then, args=(every,))
        stopper.start()

        def work():
            while True:
                with self.lock:
                    number = next(numbers, None)
                if number is None:
                    return
                self.is_up.wait()
                self.disturb(self.request(number))

        workers = [threading.Thread(target=work) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.is_stopping.set()
        stopper.join()
        time.sleep(1)
        self.trial.count("immediate stops of the server", self.stops)
        self.trial.count("connections cut", self.proxy.cut)

    def settle_all(self):
        """Looks at the effect of every request, asks again, and looks once more."""
        runs, others = {}, []
        for request in self.asked:
            if request["kind"] == "run":
                runs.setdefault((request["vault"], request["name"]), []).append(request)
            else:
                others.append(request)
        for (vault, name), asked in runs.items():
            self.settle_run(vault, name, asked)
        for request in others:
            getattr(self, "settle_" + request["kind"])(request)
        self.look_at_everything()

    def settle_run(self, vault, name, asked):
        """One set for one request: all that said they have it have the same one, and asking again gives it."""
        stored = self.server.psql(
            "select r.id, count(c.*), min(c.position), max(c.position), count(distinct c.position) from recommendation_runs r"
            " left join recommendations c on c.run_id = r.id where r.vault_id = :'vault' and r.request = :'request' group by r.id",
            variables={"vault": vault, "request": name},
        )
        self.trial.count("sets looked at")
        tell = self.trial.violations.append
        told = [json.loads(each["out"]) for each in asked if each["code"] in (0, 10)]
        if len(stored) > 1:
            tell(f"[run] {len(stored)} sets for one request {name}")
        if told and not stored:
            tell(f"[run] {name} was said to be stored ({asked[0]['way']}) and is not")
        if stored and stored[0][1:] != ["3", "1", "3", "3"]:
            tell(f"[run] the set of {name} is torn: {stored}")
        again = self.settle(["run", "--vault", vault, "--request", name, "--json"])
        self.trial.judge("settled calls", again, {0, 10, 11})
        if again.code not in (0, 10):
            return
        final = json.loads(again.out)
        for each in told:
            if each["run_id"] != final["run_id"] or each["choices"] != final["choices"]:
                tell(f"[run] {name} gave another set at another time")
        if stored and stored[0][0] != final["run_id"]:
            tell(f"[run] {name} is another run after the storm")

    def number_of_hints(self, request):
        """How often a hint is stored."""
        rows = self.server.psql(
            "select count(*) from hints where vault_id = :'vault' and hint_text = :'text'",
            variables={"vault": request["vault"], "text": request["name"]},
        )
        return int(rows[0][0])

    def settle_hint(self, request):
        """Said to be stored, then stored once; and once again said, still once or twice but never lost."""
        number = self.number_of_hints(request)
        self.trial.count("hints looked at")
        if number > 1 or (request["code"] == 0 and number != 1):
            self.trial.violations.append(f"[hint under {request['way']}] exit {request['code']} and {number} stored")

    def is_there(self, request):
        """True where the vault is stored."""
        rows = self.server.psql("select count(*) from partner_vaults where id = :'vault'", variables={"vault": request["vault"]})
        return rows[0][0] == "1"

    def settle_import(self, request):
        """Said to be imported, then there; imported again, then whole."""
        is_there = self.is_there(request)
        self.trial.count("imports looked at")
        if request["code"] == 0 and not is_there:
            self.trial.violations.append(f"[import under {request['way']}] said to be stored and is not")
        self.trial.judge("settled calls", self.settle(["import", request["name"]]), {0})
        whole = self.settle(["export", "--vault", request["vault"]])
        self.trial.judge("settled calls", whole, {0})
        expected = json.load(open(request["name"]))["vault"]
        given = json.loads(whole.out).get("vault", {}) if whole.code == 0 else {}
        if len(given.get("hints", [])) != len(expected["hints"]) or given.get("likes") != expected["likes"]:
            self.trial.violations.append(f"[import under {request['way']}] the vault is not whole afterwards")

    def settle_forget(self, request):
        """Said to be removed, then gone; asked again, gone in any case."""
        is_there = self.is_there(request)
        self.trial.count("removals looked at")
        if request["code"] == 0 and is_there:
            self.trial.violations.append(f"[forget under {request['way']}] said to be removed and is there")
        self.trial.judge("settled calls", self.settle(["forget", "--vault", request["vault"], "--yes"]), {0, 66})
        if self.is_there(request):
            self.trial.violations.append(f"[forget under {request['way']}] is there after a second call")

    def look_at_everything(self):
        """What holds for the whole database after any storm."""
        for law, text in (
            ("a set has three rows", "select run_id from recommendations where run_id is not null group by run_id having count(*) <> 3"),
            ("a run has a set", "select id from recommendation_runs r where not exists (select from recommendations c where c.run_id = r.id)"),
            ("rows are of their run's vault", "select c.id from recommendations c join recommendation_runs r on r.id = c.run_id where c.vault_id <> r.vault_id"),
            ("no transaction is left open", "select pid from pg_stat_activity where state like 'idle in transaction%' and backend_start < now() - interval '1 minute'"),
        ):
            found = self.server.psql(text)
            self.trial.count("laws of the whole database")
            if found:
                self.trial.violations.append(f"[database] {law}: {found[:3]}")


def try_all(trial, server, repository, scratch, generator, requests):
    """A storm over twelve vaults."""
    storm = Storm(trial, server, repository, scratch, generator)
    storm.prepare(12)
    storm.rage(requests, threads=4, every=0.6)
    storm.settle_all()
    try_batches(trial, storm, rounds=max(4, requests // 40))


def try_batches(trial, storm, rounds):
    """`run --all` beside a stop: what it counts as stored is stored, and no vault is called gone that is there."""
    for number in range(rounds):
        name = f"batch-{number}"
        delay = 0.05 + storm.generator.random() * 0.8
        timer = threading.Timer(delay, lambda: (storm.server.stop_at_once(), storm.server.start()))
        timer.start()
        environment = {"DATABASE_URL": storm.server.url()}
        answer = trial.call(["run", "--all", "--request", name, "--json"], environment=environment, limit=300)
        timer.join()
        trial.count("batches beside a stop")
        stored = int(storm.server.psql("select count(*) from recommendation_runs where request = :'name'", variables={"name": name})[0][0])
        if answer.code == 0 and stored < len(storm.vaults):
            trial.violations.append(f"[run --all] exit 0 and {stored} sets of {len(storm.vaults)} vaults or more")
        if b"no such vault" in answer.out + answer.err:
            trial.violations.append("[run --all] calls a vault gone that is there")
        again = storm.settle(["run", "--all", "--request", name, "--json"])
        trial.judge("settled calls", again, {0, 10, 11})
