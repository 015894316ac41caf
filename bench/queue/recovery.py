"""Measures how soon work goes on after a worker was killed, and after the server was stopped at once.

Started by `bench/queue/run-recovery`. All workers are processes of the release command on one server; reminders become due
one after another meanwhile. A killed worker's jobs are watched one by one until somebody else has claimed each. After a
stop of the server no worker is started again: the first job that ends counts, and when all that were due have ended.
"""

from __future__ import annotations

import argparse
import http.server
import json
import os
import random
import signal
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import worker  # noqa: E402
from worker import measure, percentile  # noqa: E402

WORKERS = 5


class SlowReceiver(http.server.BaseHTTPRequestHandler):
    """Takes every notice after some seconds, so that whoever hands it over holds its job meanwhile."""

    protocol_version = "HTTP/1.1"
    seconds = 3.0

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", "0")))
        time.sleep(self.seconds)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Receiver(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_: object) -> None:
        """Whoever is killed leaves its calls unfinished."""


class Workers:
    """Processes that work, and the names under which they hold jobs."""

    def __init__(self, server, folder: Path, options: list[str], environment: dict[str, str]) -> None:
        self.command = [str(measure.KNOT), "work", *options, *worker.CHEAP, "--catalogue", str(folder / "catalogue.jsonl")]
        self.environment = server.environment | environment
        self.folder = folder
        self.processes: dict[str, subprocess.Popen] = {}
        self.known: set[str] = set()
        self.count = 0

    def start(self, connection) -> str:
        """Starts one and waits until it holds a job under its own new name."""
        self.count += 1
        with open(self.folder / f"log-{self.count}", "wb") as log:
            process = subprocess.Popen(self.command, env=self.environment, stdout=subprocess.DEVNULL, stderr=log)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            names = connection.execute(
                "select distinct claimed_by::text from public.recommendation_jobs where claimed_by is not null"
            ).fetchall()
            new = {name for (name,) in names} - self.known
            if new:
                self.known |= new
                name = new.pop()
                self.processes[name] = process
                return name
            time.sleep(0.05)
        sys.exit("a started worker claims nothing")

    def end(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            process.wait(timeout=60)


def spread(connection, rate: float, seconds: float) -> int:
    """Lets jobs become due one after another from now on; the others wait for another day."""
    connection.execute(
        "with n as (select id, row_number() over (order by id) as place from public.recommendation_jobs)"
        " update public.recommendation_jobs j set run_at = clock_timestamp() + n.place * interval '1 second' / %s"
        " from n where n.id = j.id",
        [rate],
    )
    count = int(rate * seconds)
    connection.execute(
        "delete from public.recommendation_jobs where id in"
        " (select id from public.recommendation_jobs order by run_at offset %s)",
        [count],
    )
    return count


def kills(server, connection, folder: Path, count: int, rate: float) -> dict:
    receiver = Receiver(("127.0.0.1", 0), SlowReceiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    workers = Workers(
        server,
        folder,
        [],
        {
            "KNOT_DELIVERY": "webhook",
            "KNOT_WEBHOOK_URL": f"http://127.0.0.1:{receiver.server_port}/",
            "KNOT_WEBHOOK_KEY": "0123456789abcdef0123456789abcdef",
            "KNOT_WEBHOOK_PRIVATE": "allowed",
        },
    )
    every = 5.0
    jobs = spread(connection, rate, count * every + 30)
    # Of each job its token when it was left behind, when that was, and whether a worker had died over it before.
    watched: dict[str, tuple[str, float, bool]] = {}
    took: dict[bool, list[float]] = {False: [], True: []}
    struck, chance = 0, random.Random(17)
    try:
        for _ in range(WORKERS):
            workers.start(connection)
        next_kill = time.monotonic() + 2
        end = time.monotonic() + count * every + 300
        while struck < count or watched:
            if time.monotonic() > end:
                sys.exit(f"{len(watched)} jobs of killed workers were never claimed again")
            if struck < count and time.monotonic() >= next_kill:
                holders = connection.execute(
                    "select claimed_by::text from public.recommendation_jobs where state = 'running'"
                    " and claimed_by::text = any (%s) group by 1 having count(*) > 0",
                    [list(workers.processes)],
                ).fetchall()
                if holders:
                    (victim,) = chance.choice(holders)
                    process = workers.processes.pop(victim)
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    killed = time.monotonic()
                    # What it had sent may have come to the server still.
                    time.sleep(0.2)
                    for job, token, before in connection.execute(
                        "select id::text, claim_token::text, crash_count > 0 from public.recommendation_jobs"
                        " where state = 'running' and claimed_by::text = %s",
                        [victim],
                    ):
                        watched[job] = (token, killed, before)
                    struck += 1
                    workers.start(connection)
                    next_kill = killed + every
            now = time.monotonic()
            tokens = dict(
                connection.execute(
                    "select id::text, claim_token::text from public.recommendation_jobs where id::text = any (%s)",
                    [list(watched)],
                ).fetchall()
            )
            for job, (token, since, before) in list(watched.items()):
                if tokens[job] != token:
                    took[before].append(now - since)
                    del watched[job]
            time.sleep(0.1)
        end = time.monotonic() + 300
        while connection.execute("select count(*) from public.recommendation_jobs where state <> 'completed'").fetchone()[0]:
            if time.monotonic() > end:
                sys.exit("not every job came to its end")
            time.sleep(0.5)
    finally:
        workers.end()
        receiver.shutdown()
    doubled = connection.execute(
        "select count(*) from (select vault_id, request from public.recommendation_runs where kind = 'scheduled'"
        " group by 1, 2 having count(*) > 1) d"
    ).fetchone()[0]
    if doubled:
        sys.exit(f"{doubled} reminders have two sets")
    return {
        "jobs": jobs,
        "kills": struck,
        "left_behind": len(took[False]),
        "claimed_again_s_median": round(statistics.median(took[False]), 2),
        "claimed_again_s_p99": round(percentile(took[False], 0.99), 2),
        "claimed_again_s_most": round(max(took[False]), 2),
        # A job over which two workers died waits on purpose, and is put aside after a third.
        "left_behind_twice": len(took[True]),
        "claimed_after_that_s_median": round(statistics.median(took[True]), 2) if took[True] else None,
        "claimed_after_that_s_most": round(max(took[True]), 2) if took[True] else None,
    }


def restarts(server, folder: Path, count: int, rate: float) -> dict:
    import psycopg

    outbox = folder / "outbox-restarts"
    outbox.mkdir()
    workers = Workers(server, folder, ["--deliver", f"outbox:{outbox}"], {})
    every = 30.0
    connection = psycopg.connect(server.database, autocommit=True)
    jobs = spread(connection, rate, count * every + 20)
    first: list[float] = []
    whole: list[float] = []
    try:
        for _ in range(WORKERS - 1):
            workers.start(connection)
        for _ in range(count):
            time.sleep(5)
            postmaster = int((server.data / "postmaster.pid").read_text().split("\n")[0])
            connection.close()
            os.kill(postmaster, signal.SIGQUIT)
            while Path(f"/proc/{postmaster}").exists():
                time.sleep(0.01)
            server.knot("dev-db", "start")
            connection = psycopg.connect(server.database, autocommit=True)
            back = time.monotonic()
            moment = connection.execute("select clock_timestamp()").fetchone()[0]
            ended = "select count(*) from public.recommendation_jobs where finished_at > %s"
            while not connection.execute(ended, [moment]).fetchone()[0]:
                if time.monotonic() > back + 120:
                    states = connection.execute("select state, count(*) from public.recommendation_jobs group by 1")
                    sys.exit(f"no worker has come back: {states.fetchall()}")
                time.sleep(0.05)
            first.append(time.monotonic() - back)
            late = "select count(*) from public.recommendation_jobs where state <> 'completed' and created_at < %s and id = any (%s)"
            due = [
                row[0]
                for row in connection.execute(
                    "select id from public.recommendation_jobs where state <> 'completed'"
                    " and (state <> 'available' or run_at <= %s)",
                    [moment],
                )
            ]
            while connection.execute(late, [moment, due]).fetchone()[0]:
                if time.monotonic() > back + 180:
                    sys.exit("what was under way did not come to its end")
                time.sleep(0.1)
            whole.append(time.monotonic() - back)
            print(f"back after {first[-1]:.2f} s, caught up after {whole[-1]:.2f} s", flush=True)
            if any(process.poll() is not None for process in workers.processes.values()):
                sys.exit("a worker has ended by itself")
        end = time.monotonic() + jobs / rate + 180
        while connection.execute("select count(*) from public.recommendation_jobs where state <> 'completed'").fetchone()[0]:
            if time.monotonic() > end:
                sys.exit("not every job came to its end")
            time.sleep(0.5)
    finally:
        workers.end()
        connection.close()
    return {
        "jobs": jobs,
        "restarts": count,
        "first_end_s_median": round(statistics.median(first), 2),
        "first_end_s_most": round(max(first), 2),
        "all_due_ended_s_median": round(statistics.median(whole), 2),
        "all_due_ended_s_most": round(max(whole), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", type=Path, default=measure.KNOT)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--restarts", type=int, default=10)
    parser.add_argument("--rate", type=float, default=8, help="how many jobs become due a second")
    parser.add_argument("--results", type=Path, required=True)
    arguments = parser.parse_args()
    measure.KNOT = arguments.command.resolve()

    import psycopg

    people = int(arguments.rate * max(arguments.kills * 5 + 40, arguments.restarts * 30 + 30))
    lines = []
    with tempfile.TemporaryDirectory(prefix="knot-recovery-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the server runs as a user of its own
        measure.write_catalogue(folder)
        server = measure.Server(folder)
        try:
            server.use("workers")
            day = worker.write_people(folder / "people", people)
            server.knot("import", str(folder / "people"))
            with psycopg.connect(server.database, autocommit=True) as connection:
                facts = measure.machine() | {"workers": WORKERS, "due_per_s": arguments.rate}
                if arguments.kills:
                    worker.queue_ours(connection, day)
                    lines.append({"part": "kills"} | kills(server, connection, folder, arguments.kills, arguments.rate))
                    print(json.dumps(lines[-1]), flush=True)
                worker.queue_ours(connection, day)
            if arguments.restarts:
                lines.append({"part": "restarts"} | restarts(server, folder, arguments.restarts, arguments.rate))
                print(json.dumps(lines[-1]), flush=True)
        finally:
            server.stop()
    arguments.results.mkdir(parents=True, exist_ok=True)
    with open(arguments.results / "recovery.jsonl", "w") as file:
        for line in lines:
            file.write(json.dumps({**line, **facts}) + "\n")
    for line in lines:
        if line.get("claimed_again_s_p99", 0) > 90:
            sys.exit("a killed worker's jobs have to be claimed again within 90 s, 99 of 100 of them")
        if line.get("first_end_s_most", 0) > 30:
            sys.exit("work has to go on within 30 s of the server's return")


if __name__ == "__main__":
    main()
