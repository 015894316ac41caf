"""Measures workers beside public queues: 4 processes each, one server, every COMMIT on the disk.

Started by `bench/queue/run-worker`. What is compared:

* claims: how fast jobs are taken from a queue, by four processes of the same driver (psycopg) that do nothing else; from
  ours 50 at once, as a worker does, from each peer as its own worker asks.
* completions: how fast jobs come to their end with their effect. A job of ours is a whole reminder: it is looked at, three
  choices are made and stored, a notice is written to a folder and flushed to the disk, and job and notification end.
  A peer's job only stores the rows that a set has, in one statement, and has nothing to choose and nobody to tell. Where
  sets are stored before, as after a crash, ours has nothing to choose either: looking, the notice and the end are left.
* sleepers: the queues alone, each driven by Python, with one and the same job: it sleeps (`--sleep`) and then stores the rows
  that a set has. All take 50 at once; of ours those of a batch are stored in one statement and ended in one call, as a worker
  does it, and once more each in a statement of its own, as the peers' have to.
* steady: reminders become due one after another, and the time from there to their end counts.
* live (`--live`, which does nothing else): whole reminders whose offers come from the five services over HTTP, simulated on
  this machine, without their rates and quotas; pages are not looked at.
"""

from __future__ import annotations

import argparse
import datetime
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/database"))
import measure  # noqa: E402

PEERS = Path(__file__).parent / "peers"
PROCESSES = 4
# What a worker of ours is asked besides the queue: the words alone, offers from a file, the rules as reader of hints.
CHEAP = ["--model", "none", "--readings", "rules"]


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def zone_of_noon(now: datetime.datetime) -> tuple[str, datetime.date]:
    """A zone in which it is about one o'clock in the afternoon, so that everybody may be told, and the day there."""
    offset = 13 - now.hour
    name = f"Etc/GMT{'-' if offset >= 0 else '+'}{abs(offset)}" if offset else "Etc/GMT"
    return name, (now + datetime.timedelta(hours=offset)).date()


def write_people(folder: Path, count: int) -> datetime.date:
    """The judged vaults over and over, each with one birthday in a week, so that each has one reminder that is due."""
    zone, today = zone_of_noon(datetime.datetime.now(datetime.timezone.utc))
    day = today + datetime.timedelta(days=7)
    measure.write_vaults(folder, count)
    for path in folder.glob("*.json"):
        document = json.loads(path.read_bytes())
        vault = document["vault"]
        vault["timezone"] = zone
        vault["milestones"] = [
            vault["milestones"][0]
            | {"type": "birthday", "date": f"2000-{day:%m-%d}", "recurrence": "yearly", "budget_tier": "minor_occasion"}
        ]
        vault.pop("quiet_hours", None)
        document["request"] = {"occasion": "minor_occasion"}
        path.write_text(json.dumps(document, ensure_ascii=False))
    return day


def queue_ours(connection, day: datetime.date) -> None:
    """A due job for every vault, as planning puts it there, and nothing from a round before."""
    connection.execute(
        "truncate public.recommendation_jobs, public.notification_queue, public.recommendation_notices"
    )
    connection.execute("delete from public.recommendation_runs")
    zone, _ = zone_of_noon(datetime.datetime.now(datetime.timezone.utc))
    connection.execute("update public.users set timezone = %s where timezone is distinct from %s", [zone, zone])
    ids = [row[0] for row in connection.execute("select id from public.partner_milestones order by id")]
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        connection.execute(
            "select count(*) from api.enqueue(%s, array_fill(%s::date, array[%s]), array_fill(7, array[%s]),"
            " array_fill(now() - interval '1 minute', array[%s]))",
            [part, day, len(part), len(part), len(part)],
        )
    connection.execute("vacuum analyze public.recommendation_jobs, public.notification_queue, public.recommendation_runs")
    connection.execute("checkpoint")


def queue_ours_again(connection) -> None:
    """The same jobs once more, as if every worker had died after its sets were stored: nothing is left to choose."""
    connection.execute(
        "update public.recommendation_jobs set state = 'available', finished_at = null, run_id = null, notice_id = null"
    )
    connection.execute("update public.notification_queue set status = 'pending', sent_at = null")
    connection.execute("truncate public.recommendation_notices")
    connection.execute("vacuum analyze public.recommendation_jobs, public.notification_queue")
    connection.execute("checkpoint")


# MARK: Claims


def claim_ours(url: str, start, out) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set role knot_worker")
        name = uuid.uuid4()
        start.wait()
        times, count = [], 0
        while True:
            began = time.perf_counter()
            rows = connection.execute("select * from api.claim_jobs(%s, 50)", [name]).fetchall()
            times.append(time.perf_counter() - began)
            if not rows:
                break
            count += len(rows)
        out.put((count, times))


def claim_procrastinate(url: str, start, out) -> None:
    import procrastinate.sql
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        worker = connection.execute("select procrastinate_register_worker_v1()").fetchone()[0]
        query = procrastinate.sql.queries["fetch_job"]
        start.wait()
        times, count = [], 0
        while True:
            began = time.perf_counter()
            row = connection.execute(query, {"queues": None, "worker_id": worker}).fetchone()
            times.append(time.perf_counter() - began)
            if row[0] is None:
                break
            count += 1
        out.put((count, times))


def claim_pgqueuer(url: str, start, out) -> None:
    import asyncio

    import psycopg
    from pgqueuer.db import PsycopgDriver
    from pgqueuer.domain.types import QueueManagerId  # noqa: F401
    from pgqueuer.queries import EntrypointExecutionParameter, Queries

    async def main() -> None:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            queries = Queries(PsycopgDriver(connection))
            name = uuid.uuid4()
            start.wait()
            times, count = [], 0
            while True:
                began = time.perf_counter()
                jobs = await queries.dequeue(
                    10, {"remind": EntrypointExecutionParameter(0)}, name, None, datetime.timedelta(seconds=30)
                )
                times.append(time.perf_counter() - began)
                if not jobs:
                    break
                count += len(jobs)
            out.put((count, times))

    asyncio.run(main())


def claims(body, url: str, expected: int) -> dict:
    start, out = multiprocessing.Barrier(PROCESSES + 1), multiprocessing.Queue()
    claimers = [multiprocessing.Process(target=body, args=(url, start, out)) for _ in range(PROCESSES)]
    for claimer in claimers:
        claimer.start()
    start.wait()
    began = time.perf_counter()
    ends = [out.get() for _ in claimers]
    took = time.perf_counter() - began
    for claimer in claimers:
        claimer.join()
    count = sum(end[0] for end in ends)
    if count != expected:
        sys.exit(f"{count} jobs were claimed, not {expected}: each has to be claimed once")
    times = [t for end in ends for t in end[1]]
    return {
        "jobs": count,
        "claims_per_s": round(count / took, 1),
        "call_ms_median": round(1e3 * statistics.median(times), 3),
        "call_ms_p99": round(1e3 * percentile(times, 0.99), 3),
    }


# MARK: Completions


def work(commands: list[list[str]], environment: dict[str, str], folder: Path, server: measure.Server) -> dict:
    """Starts all processes at once and waits for their ends."""
    cpu = server.cpu_seconds()
    began = time.perf_counter()
    processes = []
    for number, command in enumerate(commands):
        with open(folder / f"errors-{number}", "wb") as errors:
            processes.append(
                subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors, cwd=PEERS)
            )
    usages = []
    for process in processes:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        usages.append(usage)
    took = time.perf_counter() - began
    for number, process in enumerate(processes):
        if process.returncode:
            sys.exit(f"{commands[number]} ended with {process.returncode}:\n{(folder / f'errors-{number}').read_text()[-3000:]}")
    return {
        "seconds": took,
        "client_cpu_s": sum(usage.ru_utime + usage.ru_stime for usage in usages),
        "server_cpu_s": server.cpu_seconds() - cpu,
        "peak_rss_mib": max(usage.ru_maxrss for usage in usages) / 1024,
    }


def figures(done: dict, jobs: int) -> dict:
    return {
        "jobs": jobs,
        "jobs_per_s": round(jobs / done["seconds"], 1),
        "client_cpu_ms": round(1e3 * done["client_cpu_s"] / jobs, 3),
        "server_cpu_ms": round(1e3 * done["server_cpu_s"] / jobs, 3),
        "peak_rss_mib": round(done["peak_rss_mib"], 1),
    }


def complete_ours(
    server, connection, folder: Path, pipeline: str, jobs: int, offers: list[str], environment: dict[str, str] | None = None
) -> dict:
    outbox = folder / f"outbox-{uuid.uuid4()}"
    outbox.mkdir()
    command = [str(measure.KNOT), "work", "--drain", "--deliver", f"outbox:{outbox}", "--pipeline", pipeline]
    command += [*offers, *CHEAP]
    done = work([command] * PROCESSES, server.environment | (environment or {}), folder, server)
    states = dict(connection.execute("select state, count(*) from public.recommendation_jobs group by state").fetchall())
    sets = connection.execute(
        "select count(*) from public.recommendation_runs r where kind = 'scheduled'"
        " and (select count(*) from public.recommendations c where c.run_id = r.id) = 3"
    ).fetchone()[0]
    notices = sum(1 for path in outbox.rglob("*.json"))
    if states != {"completed": jobs} or sets != jobs or notices != jobs:
        reasons = connection.execute(
            "select last_error_code, last_error_detail, count(*) from public.recommendation_jobs"
            " where state <> 'completed' group by 1, 2"
        ).fetchall()
        sys.exit(f"not every job has ended well: {states}, {sets} whole sets, {notices} notices; {reasons}")
    ends = []
    for path in folder.glob("errors-*"):
        # Notes for people are among them, before the first line of the worker.
        for line in filter(lambda line: line.startswith("{"), path.read_text().splitlines()):
            event = json.loads(line)
            if event["event"] == "job_completed":
                ends.append(event["duration_s"])
    return figures(done, jobs) | {
        "claim_to_end_ms_median": round(1e3 * statistics.median(ends)),
        "claim_to_end_ms_p99": round(1e3 * percentile(ends, 0.99)),
    }


class Simulator:
    """The five services on this machine; all offer what the catalogue of the other parts has."""

    def __init__(self, folder: Path) -> None:
        fixture = measure.fixtures()[0]
        fixture["candidates"] = json.loads((folder / "catalogue.json").read_text())
        # Ids are those of other fixtures, and nobody judges here.
        fixture["judgments"] = []
        for number, candidate in enumerate(fixture["candidates"]):
            candidate["id"] = f"c{number}"
        path = folder / "simulated.json"
        path.write_text(json.dumps(fixture))
        command = [str(measure.KNOT.with_name("knot-provider-simulator")), str(path)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.environment = {"KNOT_PAGES": "none", "KNOT_LIVE_LIMITS": "none"}
        for line in self.process.stdout:
            if not line.strip():
                break
            name, value = line.strip().removeprefix("export ").split("=", 1)
            self.environment[name] = value.strip("'")

    def __enter__(self) -> Simulator:
        return self

    def __exit__(self, *_) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=30)


def steady_ours(server, connection, folder: Path, jobs: int, rate: float, catalogue: Path) -> dict:
    """Jobs become due one after another at a rate below what can be done: how late is each when it has ended."""
    outbox = folder / f"outbox-{uuid.uuid4()}"
    outbox.mkdir()
    command = [str(measure.KNOT), "work", "--deliver", f"outbox:{outbox}", "--catalogue", str(catalogue), *CHEAP]
    sinks = [open(folder / f"steady-{number}", "wb") for number in range(PROCESSES)]
    workers = [
        subprocess.Popen(command, env=server.environment, stdout=subprocess.DEVNULL, stderr=sink) for sink in sinks
    ]
    try:
        connection.execute(
            "with n as (select id, row_number() over (order by id) as place from public.recommendation_jobs)"
            " update public.recommendation_jobs j set run_at = clock_timestamp() + interval '3 seconds'"
            " + n.place * interval '1 second' / %s from n where n.id = j.id",
            [rate],
        )
        end = time.monotonic() + jobs / rate + 60
        while connection.execute(
            "select count(*) from public.recommendation_jobs where state <> 'completed'"
        ).fetchone()[0]:
            if time.monotonic() > end:
                sys.exit("the workers do not keep up")
            time.sleep(0.5)
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait(timeout=40)
    late = [
        row[0]
        for row in connection.execute(
            "select extract(epoch from finished_at - run_at)::float8 from public.recommendation_jobs"
        )
    ]
    return {
        "jobs": jobs,
        "due_per_s": rate,
        "due_to_end_s_median": round(statistics.median(late), 3),
        "due_to_end_s_p95": round(percentile(late, 0.95), 3),
        "due_to_end_s_p99": round(percentile(late, 0.99), 3),
        "due_to_end_s_most": round(max(late), 3),
    }


def prepare_effect(connection) -> tuple[str, str]:
    """Tables with our columns, rows of a real set to fill them with, and the statements that do, for one job and for many.

    They have two indexes each, and no checks and no foreign keys, which ours pay for besides.
    """
    run = connection.execute("select id from public.recommendation_runs where kind = 'scheduled' limit 1").fetchone()[0]
    connection.execute("drop schema if exists bench cascade")
    connection.execute("create schema bench")
    statements = {"one": [], "many": []}
    for table, key, own in [("recommendation_runs", "id", {"id", "request"}), ("recommendations", "run_id", {"id", "run_id"})]:
        connection.execute(f"create table bench.{table} (like public.{table} including defaults including generated)")
        connection.execute(f"alter table bench.{table} add primary key (id)")
        connection.execute(f"create index on bench.{table} (vault_id, created_at)")
        connection.execute(f"create table bench.template_{table} as select * from public.{table} where {key} = %s", [run])
        columns = [
            row[0]
            for row in connection.execute(
                "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped"
                " and attgenerated = '' and attidentity = ''",
                [f"public.{table}"],
            )
        ]
        for form, run_id, number, others in [
            ("one", "%(run)s", "%(number)s", ""),
            ("many", "r.run", "r.number", " cross join unnest(%(runs)s::uuid[], %(numbers)s::text[]) r (run, number)"),
        ]:
            own_values = {"id": run_id if key == "id" else "gen_random_uuid()", "run_id": run_id, "request": number}
            values = [own_values[c] if c in own else f"t.{c}" for c in columns]
            statements[form].append(
                f"insert into bench.{table} ({', '.join(columns)}) select {', '.join(values)}"
                f" from bench.template_{table} t{others}"
            )
    connection.execute("grant usage on schema bench to knot_worker")
    connection.execute("grant select, insert on all tables in schema bench to knot_worker")
    return tuple(f"with stored as ({first}) {second}" for first, second in statements.values())


def queue_procrastinate(connection, jobs: int) -> None:
    connection.execute("truncate procrastinate_jobs, procrastinate_workers cascade")
    connection.execute("truncate bench.recommendation_runs, bench.recommendations")
    connection.execute(
        "insert into procrastinate_jobs (queue_name, task_name, args)"
        " select 'default', 'remind', jsonb_build_object('number', n) from generate_series(1, %s) n",
        [jobs],
    )
    connection.execute("vacuum analyze procrastinate_jobs, procrastinate_events")
    connection.execute("checkpoint")


def queue_pgqueuer(connection, jobs: int) -> None:
    connection.execute("truncate pgqueuer, pgqueuer_log, pgqueuer_statistics")
    connection.execute("truncate bench.recommendation_runs, bench.recommendations")
    connection.execute(
        "insert into pgqueuer (priority, entrypoint, payload, status)"
        " select 0, 'remind', convert_to(n::text, 'utf8'), 'queued' from generate_series(1, %s) n",
        [jobs],
    )
    connection.execute("vacuum analyze pgqueuer, pgqueuer_log")
    connection.execute("checkpoint")


def complete_peer(
    name: str, setting: int, server, connection, folder: Path, environment: dict[str, str], jobs: int
) -> dict:
    command = [sys.executable, str(PEERS / f"{name}_worker.py"), server.database, str(setting)]
    done = work([command] * PROCESSES, server.environment | environment, folder, server)
    runs, rows = (
        connection.execute(f"select count(*) from bench.{table}").fetchone()[0]
        for table in ("recommendation_runs", "recommendations")
    )
    if (runs, rows) != (jobs, 3 * jobs):
        sys.exit(f"{name} left {runs} runs and {rows} rows for {jobs} jobs:\n{(folder / 'errors-0').read_text()[-3000:]}")
    return figures(done, jobs)


def sleepers(server, connection, folder: Path, day: datetime.date, effects: tuple[str, str], jobs: int, sleep: float):
    """The same sleeping job through each queue; yields what each came to."""
    environment = {"EFFECT": effects[0], "SLEEP_MS": str(sleep)}
    for side, name, queue, more in [
        ("ours, stored 50 at once", "knot", None, {"EFFECT_OF_MANY": effects[1]}),
        ("ours, each stored alone", "knot", None, {}),
        ("procrastinate, 50 at once", "procrastinate", queue_procrastinate, {}),
        ("pgqueuer, 50 at once", "pgqueuer", queue_pgqueuer, {}),
    ]:
        if queue:
            queue(connection, jobs)
        else:
            connection.execute("truncate bench.recommendation_runs, bench.recommendations")
            queue_ours(connection, day)
        yield side, complete_peer(name, 50, server, connection, folder, environment | more, jobs) | {"sleep_ms": sleep}
        if not queue:
            states = dict(connection.execute("select state, count(*) from public.recommendation_jobs group by state").fetchall())
            if states != {"completed": jobs}:
                sys.exit(f"{side}: not every job has ended: {states}")


def install_peers(connection, environment) -> None:
    for command in (
        [sys.executable, "-m", "procrastinate", "--app", "schema_app.app", "schema", "--apply"],
        [sys.executable, "-m", "pgqueuer", "install"],
    ):
        done = subprocess.run(command, env=environment, cwd=PEERS, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: {done.stderr[-3000:]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", type=Path, default=measure.KNOT)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rate", type=float, default=60, help="how many jobs become due a second in the steady part")
    parser.add_argument("--sleep", type=float, default=20, help="for how many milliseconds the jobs that sleep do so")
    parser.add_argument("--live", action="store_true", help="only reminders whose offers come from simulated services")
    parser.add_argument("--results", type=Path, required=True)
    arguments = parser.parse_args()
    measure.KNOT = arguments.command.resolve()

    import psycopg

    jobs = arguments.jobs
    lines: list[dict] = []

    def note(**line) -> None:
        lines.append(line)
        print(json.dumps(line), flush=True)

    with tempfile.TemporaryDirectory(prefix="knot-worker-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the server runs as a user of its own
        measure.write_catalogue(folder)
        catalogue = folder / "catalogue.jsonl"
        from_file = ["--catalogue", str(catalogue)]
        server = measure.Server(folder)
        try:
            server.use("workers")
            day = write_people(folder / "people", jobs)
            server.knot("import", str(folder / "people"))
            with psycopg.connect(server.database, autocommit=True) as connection:
                connection.execute("vacuum analyze")
                version = connection.execute("show server_version").fetchone()[0]
                fsync = connection.execute("select current_setting('fsync') || ' ' || current_setting('synchronous_commit')")
                facts = measure.machine() | {"server": version, "fsync": fsync.fetchone()[0], "processes": PROCESSES}
                if arguments.live:
                    for number in range(1, arguments.rounds + 1):
                        queue_ours(connection, day)
                        with Simulator(folder) as simulator:
                            environment = simulator.environment | {"XDG_STATE_HOME": str(folder / f"state-{number}")}
                            done = complete_ours(server, connection, folder, "choice-of-three", jobs, ["--live"], environment)
                        note(part="live", side="ours, choice-of-three", round=number, **done)
                    keep(arguments.results, "worker-live.jsonl", lines, facts)
                    return
                queue_ours(connection, day)
                complete_ours(server, connection, folder, "classic", jobs, from_file)  # warms the server, and is a set to copy
                effects = prepare_effect(connection)
                effect = {"EFFECT": effects[0]}
                environment = server.environment | peer_environment(server.database)
                install_peers(connection, environment)
                for number in range(1, arguments.rounds + 1):
                    queue_ours(connection, day)
                    note(part="claims", side="ours, 50 at once", round=number, **claims(claim_ours, server.database, jobs))
                    queue_procrastinate(connection, jobs)
                    note(part="claims", side="procrastinate", round=number, **claims(claim_procrastinate, server.database, jobs))
                    queue_pgqueuer(connection, jobs)
                    note(part="claims", side="pgqueuer, 10 at once", round=number, **claims(claim_pgqueuer, server.database, jobs))
                    for pipeline in ("classic", "choice-of-three"):
                        queue_ours(connection, day)
                        done = complete_ours(server, connection, folder, pipeline, jobs, from_file)
                        note(part="completions", side=f"ours, {pipeline}", round=number, **done)
                    queue_ours_again(connection)
                    done = complete_ours(server, connection, folder, "classic", jobs, from_file)
                    note(part="completions", side="ours, sets stored before", round=number, **done)
                    queue_procrastinate(connection, jobs)
                    done = complete_peer("procrastinate", 16, server, connection, folder, effect, jobs)
                    note(part="completions", side="procrastinate, 16 at once", round=number, **done)
                    queue_pgqueuer(connection, jobs)
                    done = complete_peer("pgqueuer", 10, server, connection, folder, effect, jobs)
                    note(part="completions", side="pgqueuer, 10 at once", round=number, **done)
                    for side, done in sleepers(server, connection, folder, day, effects, jobs, arguments.sleep):
                        note(part="sleepers", side=side, round=number, **done)
                queue_ours(connection, day)
                steady = min(jobs, int(arguments.rate * 60))
                connection.execute(
                    "delete from public.recommendation_jobs where id not in"
                    " (select id from public.recommendation_jobs order by id limit %s)",
                    [steady],
                )
                note(part="steady", side="ours, choice-of-three", **steady_ours(server, connection, folder, steady, arguments.rate, catalogue))
        finally:
            server.stop()
    keep(arguments.results, "worker.jsonl", lines, facts)
    judge(lines)


def keep(folder: Path, name: str, lines: list[dict], facts: dict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / name, "w") as file:
        for line in lines:
            file.write(json.dumps({**line, **facts}) + "\n")
    print(f"kept in {folder}/{name}")


def peer_environment(url: str) -> dict[str, str]:
    from urllib.parse import parse_qs, urlsplit

    parts = urlsplit(url)
    place = parse_qs(parts.query)
    return {
        "BENCH_URL": url,
        "PGHOST": place.get("host", [parts.hostname or ""])[0],
        "PGPORT": place.get("port", [str(parts.port or 5432)])[0],
        "PGUSER": parts.username or place.get("user", [""])[0],
        "PGDATABASE": parts.path.lstrip("/"),
        "PYTHONPATH": str(PEERS),
    }


def judge(lines: list[dict]) -> None:
    def median(part: str, side: str, key: str) -> float:
        return statistics.median(line[key] for line in lines if line["part"] == part and line["side"].startswith(side))

    for part, key, ours in [
        ("claims", "claims_per_s", "ours"),
        ("completions", "jobs_per_s", "ours, classic"),
        ("completions", "jobs_per_s", "ours, choice-of-three"),
        ("completions", "jobs_per_s", "ours, sets stored before"),
        ("sleepers", "jobs_per_s", "ours, stored 50 at once"),
        ("sleepers", "jobs_per_s", "ours, each stored alone"),
    ]:
        for peer in ("procrastinate", "pgqueuer"):
            ratio = median(part, ours, key) / median(part, peer, key)
            print(f"{part}, {ours}: {ratio:.2f} times {peer} ({'met' if ratio >= 3 else 'missed'}: 3)")


if __name__ == "__main__":
    main()
