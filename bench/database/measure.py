"""Measures knot-recommend on a database beside the Python peer: same server, same vaults, same candidates, same durability.

Started by `bench/database/run`. A server of its own is made for the time of the measurement, by `dev-db` and with its
settings, under which a COMMIT returns when it is on disk.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import fcntl
import json
import os
import pty
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KNOT = ROOT / ".build/release/knot-recommend"
BENCH = ROOT / ".build/release/knot-bench"
IDENTIFIER = re.compile(r'"([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"')
AS_OF = "2026-11-21T12:00:00Z"
# How a run over all vaults may end: done, degraded, or with vaults that have no three choices.
CHOSEN = {0, 10, 11}

# What is measured in each round, in turn. The peer prints its own rate, which leaves its start-up out; ours is the whole
# process from start to end.
SIDES = {
    "peer, plain Python, one after another": ["peer", "--no-graph"],
    "peer, plain Python, 4 in flight": ["peer", "--no-graph", "--concurrency", "4"],
    "peer, LangGraph, one after another": ["peer"],
    "peer, LangGraph, 4 in flight": ["peer", "--concurrency", "4"],
    "classic, one after another": ["knot", "--pipeline", "classic", "--concurrency", "1"],
    "classic, default": ["knot", "--pipeline", "classic"],
    "choice-of-three, one after another": ["knot", "--pipeline", "choice-of-three", "--concurrency", "1"],
    "choice-of-three, default": ["knot", "--pipeline", "choice-of-three"],
}
BASE = "peer, plain Python, one after another"
GOALS = {
    "classic, one after another": 3.0,
    "classic, default": 6.0,
    "choice-of-three, one after another": 1.0,
    "choice-of-three, default": 1.5,
}


@contextlib.contextmanager
def alone():
    """Holds the files of KNOT_BENCH_LOCKS, in which measurements on a shared machine agree to take turns."""
    with contextlib.ExitStack() as stack:
        for path in filter(None, os.environ.get("KNOT_BENCH_LOCKS", "").split(":")):
            fcntl.flock(stack.enter_context(open(path, "a")), fcntl.LOCK_EX)
        yield


def fixtures() -> list[dict]:
    documents = [json.loads(path.read_bytes()) for path in sorted((ROOT / "fixtures/vaults").glob("*.json"))]
    return [document for document in documents if document.get("schema") == "knot.fixture/1"]


def write_vaults(folder: Path, count: int) -> None:
    """The judged vaults over and over under new identifiers, without candidates: those come from the catalogue."""
    folder.mkdir()
    texts = []
    for document in fixtures():
        texts.append((document["name"], json.dumps({**document, "candidates": [], "judgments": {}, "as_of": AS_OF})))
    for number in range(count):
        name, text = texts[number % len(texts)]
        text = IDENTIFIER.sub(lambda found: f'"{uuid.uuid5(uuid.NAMESPACE_URL, found[1] + str(number))}"', text)
        document = json.loads(text)
        document.pop("judgments")
        document["name"] = f"{name}-{number:05d}"
        (folder / f"{document['name']}.json").write_text(json.dumps(document, ensure_ascii=False))


def write_catalogue(folder: Path) -> int:
    """As many candidates as one fixture has, a few from each, so that every budget and currency finds some."""
    documents = fixtures()
    pooled = [{**c, "id": f"{f['name']}/{c['id']}"} for f in documents for c in f["candidates"]]
    catalogue = pooled[:: len(documents)]
    (folder / "catalogue.json").write_text(json.dumps(catalogue))
    (folder / "catalogue.jsonl").write_text("\n".join(json.dumps(item) for item in catalogue) + "\n")
    return len(catalogue)


class Server:
    """The dev database of a private folder, and a database in it for each part of the measurement."""

    def __init__(self, folder: Path) -> None:
        self.environment = {**os.environ, "KNOT_DEV_DB": str(folder / "server")}
        for name in ("DATABASE_URL", "DATABASE_URL_FILE", "PGHOST", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE"):
            self.environment.pop(name, None)
        self.knot("dev-db", "start")
        self.url = self.knot("dev-db", "url").strip()
        self.data = folder / "server/data"

    def stop(self) -> None:
        self.environment.pop("DATABASE_URL", None)
        self.knot("dev-db", "stop")

    def knot(self, *arguments: str) -> str:
        done = subprocess.run([KNOT, *arguments], env=self.environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"knot-recommend {' '.join(arguments)}: {done.returncode}\n{done.stderr}")
        return done.stdout

    def use(self, name: str) -> None:
        """Makes a database with the schema, and lets later calls use it."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"create database {name}")
        self.environment["DATABASE_URL"] = self.url.replace("/knot?", f"/{name}?")
        self.knot("migrate")

    @property
    def database(self) -> str:
        return self.environment["DATABASE_URL"]

    def cpu_seconds(self) -> float:
        """What the server's processes have used so far, those that have ended among it."""
        postmaster = int((self.data / "postmaster.pid").read_text().split("\n")[0])
        ticks = 0
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                fields = (folder / "stat").read_text().rsplit(") ", 1)[1].split()
            except OSError:
                continue
            if int(folder.name) == postmaster:
                ticks += sum(int(field) for field in fields[11:15])
            elif int(fields[1]) == postmaster:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def peak_kib(pid: int) -> int | None:
    """The most memory a process has had; None when it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    found = re.search(r"VmHWM:\s+(\d+)", status)
    return int(found[1]) if found else None


def run(command: list[str], environment: dict[str, str]) -> dict:
    """Runs to the end with a terminal as standard error, and returns what it printed and used."""
    leader, follower = pty.openpty()
    shown = bytearray()

    def read() -> None:
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:
                return
            if not part:
                return
            shown.extend(part)
            # A bar is drawn over itself: what was overwritten is of no use.
            if len(shown) > 1 << 20:
                del shown[: len(shown) - (1 << 16)]

    started = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=follower, stdin=subprocess.DEVNULL)
    os.close(follower)
    reader = threading.Thread(target=read)
    reader.start()
    peaks = [0]

    def watch() -> None:
        # The usage that wait4 returns begins with the memory of this very process, which the child was made from.
        while (peak := peak_kib(process.pid)) is not None:
            peaks[0] = max(peaks[0], peak)
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    reader.join()
    watcher.join()
    os.close(leader)
    return {
        "code": process.returncode,
        "output": output,
        "shown": shown.decode(errors="replace"),
        "seconds": elapsed,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_rss_mib": peaks[0] / 1024,
    }


def embed_hints(connection, peer: Path) -> None:
    """Vectors for the peer's `match_hints`; ours reads none in this comparison."""
    sys.path.insert(0, str(peer))
    from peer import embed
    from pgvector.psycopg import register_vector

    register_vector(connection)
    rows = connection.execute("select id, hint_text from hints where hint_embedding is null").fetchall()
    with connection.transaction(), connection.cursor() as cursor:
        cursor.executemany(
            "update hints set hint_embedding = %s, hint_embedding_model = 'peer' where id = %s",
            [(embed(text), key) for key, text in rows],
        )


def restore(connection) -> None:
    """Every run meets the same rows: the sets of the run before are taken away."""
    connection.execute("delete from recommendation_runs")
    connection.execute("delete from recommendations r using measured m where r.created_at > m.start")
    connection.execute("update hints set is_used = false where is_used and id not in (select id from measured_hints)")
    connection.execute("vacuum analyze")
    connection.execute("checkpoint")


def measured(side: list[str], server: Server, folder: Path, peer: Path, count: int, connection) -> dict:
    restore(connection)
    before = connection.execute("select count(*) from recommendations").fetchone()[0]
    cpu = server.cpu_seconds()
    if side[0] == "peer":
        command = [sys.executable, str(peer / "peer.py"), "db", "--url", server.database]
        command += ["--catalogue", str(folder / "catalogue.json"), "--limit", str(count), "--as-of", AS_OF, *side[1:]]
        done = run(command, server.environment)
        figures = json.loads(done["shown"][done["shown"].index("{") :])
        rate = figures["vaults_per_s"]
        parts = figures["mean_ms"]
    else:
        command = [str(KNOT), "run", "--all", "--json", "--timings", "--readings", "rules", "--as-of", AS_OF]
        # The peer takes the tier of the next milestone, which may be any; it has no encoder, so neither have we.
        command += ["--occasion", "minor_occasion", "--model", "none"]
        command += ["--catalogue", str(folder / "catalogue.jsonl"), *side[1:]]
        done = run(command, server.environment)
        if done["code"] not in CHOSEN:
            sys.exit(f"{' '.join(command)}: {done['code']}\n{done['shown']}")
        figures = json.loads(done["output"])
        rate = figures["vaults"] / done["seconds"]
        parts = figures["timings_ms"]["mean_of_a_vault"]
    cpu = server.cpu_seconds() - cpu
    rows = connection.execute("select count(*) from recommendations").fetchone()[0] - before
    return {
        "vaults_per_s": round(rate, 1),
        "rows": rows,
        "peak_rss_mib": round(done["peak_rss_mib"], 1),
        "client_cpu_ms": round(1e3 * done["cpu_s"] / count, 3),
        "server_cpu_ms": round(1e3 * cpu / count, 3),
        "mean_ms": parts,
    }


def compare(server: Server, folder: Path, peer: Path, count: int, rounds: int) -> list[dict]:
    import psycopg

    server.use("pair")
    write_vaults(folder / "pair", count)
    server.knot("import", str(folder / "pair"))
    lines = []
    with psycopg.connect(server.database, autocommit=True) as connection:
        embed_hints(connection, peer)
        connection.execute("create table measured as select clock_timestamp() as start")
        connection.execute("create table measured_hints as select id from hints where is_used")
        for number in range(1, rounds + 1):
            with alone():
                for name, side in SIDES.items():
                    figures = measured(side, server, folder, peer, count, connection)
                    lines.append({"part": "side by side", "side": name, "round": number, "vaults": count, **figures})
                    print(f"{number}  {name:40} {figures['vaults_per_s']:8.1f} vaults/s  {figures['rows']} rows", flush=True)
    return lines


def all_vaults(server: Server, folder: Path, count: int) -> list[dict]:
    import psycopg

    server.use("many")
    write_vaults(folder / "many", count)
    lines = []
    catalogue = ["--model", "none", "--occasion", "minor_occasion", "--catalogue", str(folder / "catalogue.jsonl")]
    for name, command in {
        "import": ["import", str(folder / "many")],
        "run --all": ["run", "--all", "--timings", "--request", "r", *catalogue],
        "run --all, the same request again": ["run", "--all", "--timings", "--request", "r", *catalogue],
    }.items():
        cpu = server.cpu_seconds()
        done = run([str(KNOT), *command], server.environment)
        if done["code"] not in (CHOSEN if command[0] == "run" else {0}):
            sys.exit(f"{name}: {done['code']}\n{done['shown'][-2000:]}")
        bars = [part.strip() for part in re.split(r"[\r\n]|\x1b\[[0-9;]*[A-Za-z]", done["shown"]) if part.strip()]
        lines.append(
            {
                "part": "many",
                "side": name,
                "vaults": count,
                "seconds": round(done["seconds"], 2),
                "vaults_per_s": round(count / done["seconds"], 1),
                "peak_rss_mib": round(done["peak_rss_mib"], 1),
                "client_cpu_ms": round(1e3 * done["cpu_s"] / count, 3),
                "server_cpu_ms": round(1e3 * (server.cpu_seconds() - cpu) / count, 3),
                "last_bar": bars[-1] if bars else "",
                "said": done["output"].splitlines()[:2],
            }
        )
        print(json.dumps(lines[-1]), flush=True)
        if name == "import":
            with psycopg.connect(server.database, autocommit=True) as connection:
                connection.execute("vacuum analyze")
    with psycopg.connect(server.database, autocommit=True) as connection:
        torn = connection.execute(
            "select count(*) from recommendation_runs r"
            " where (select count(*) from recommendations c where c.run_id = r.id) <> 3"
        ).fetchone()[0]
        if torn:
            sys.exit(f"{torn} runs have not three rows")
    return lines


def store(server: Server) -> list[dict]:
    """Loading and writing as the store alone does them."""
    server.use("store")
    with alone():
        done = run([str(BENCH), "database", "--url", server.database], server.environment)
    if done["code"]:
        sys.exit(f"knot-bench database: {done['code']}\n{done['shown']}")
    lines = [json.loads(line) for line in done["output"].splitlines()]
    for line in lines:
        print(json.dumps(line), flush=True)
    return [{"part": "store", **line} for line in lines]


def median(lines: list[dict], key: str) -> float:
    return statistics.median(line[key] for line in lines)


def report(lines: list[dict], facts: dict) -> str:
    out = ["# Vaults in a database", ""]
    out += [
        f"{facts['cpu']}, {facts['cores']} cores shared by the server, ours and the peer; PostgreSQL {facts['server']} with",
        f"pgvector {facts['pgvector']} on a Unix socket, settings of `dev-db` (fsync on); {facts['candidates']} candidates for",
        "every vault, from a file on both sides. The peer's rate is its own and leaves its start-up out; ours is that of the",
        "whole process. `make bench-database` measures it again.",
        "",
    ]
    pair = [line for line in lines if line["part"] == "side by side"]
    rounds = sorted({line["round"] for line in pair})
    out += ["## Side by side", ""]
    out += [
        f"{pair[0]['vaults']} vaults, {len(rounds)} rounds, each side once in each; median (least to most). The ratio is the",
        "median of the ratios within the rounds, to plain Python one vault after another.",
        "",
        "| side | vaults/s | ratio | goal | rows | peak MiB | client CPU ms | server CPU ms |",
        "|---|---|---|---|---|---|---|---|",
    ]
    base = {line["round"]: line["vaults_per_s"] for line in pair if line["side"] == BASE}
    for name in SIDES:
        own = [line for line in pair if line["side"] == name]
        rates = sorted(line["vaults_per_s"] for line in own)
        ratio = statistics.median(line["vaults_per_s"] / base[line["round"]] for line in own)
        goal = GOALS.get(name)
        verdict = "" if goal is None else f"≥ {goal:g}×: {'met' if ratio >= goal else 'missed'}"
        out.append(
            f"| {name} | {statistics.median(rates):.0f} ({rates[0]:.0f}–{rates[-1]:.0f}) | {ratio:.2f}× | {verdict} "
            f"| {median(own, 'rows'):.0f} | {median(own, 'peak_rss_mib'):.0f} | {median(own, 'client_cpu_ms'):.2f} "
            f"| {median(own, 'server_cpu_ms'):.2f} |"
        )
    out += [
        "",
        "Where a vault's time goes, ms, medians over the rounds of the means within one. Ours reads and stores vaults in",
        "groups: of those times it is a vault's share, and waiting is from its reading to its turn, while others are worked on.",
        "",
    ]
    out += ["| side | parts |", "|---|---|"]
    for name in SIDES:
        own = [line for line in pair if line["side"] == name]
        parts = {part: statistics.median(line["mean_ms"].get(part, 0) for line in own) for part in own[0]["mean_ms"]}
        out.append(f"| {name} | {', '.join(f'{part} {value:.2f}' for part, value in parts.items())} |")
    out += ["", "## Many vaults", ""]
    out += ["| | vaults | s | vaults/s | peak MiB | client CPU ms | server CPU ms | |", "|---|---|---|---|---|---|---|---|"]
    for line in (line for line in lines if line["part"] == "many"):
        out.append(
            f"| {line['side']} | {line['vaults']} | {line['seconds']} | {line['vaults_per_s']:.0f} | {line['peak_rss_mib']:.0f} "
            f"| {line['client_cpu_ms']:.2f} | {line['server_cpu_ms']:.2f} | {'; '.join(line['said'])} |"
        )
    out += ["", "## The store alone", ""]
    out += ["| | size | median ms | p95 | least | most | goal |", "|---|---|---|---|---|---|---|"]
    for line in (line for line in lines if line["part"] == "store"):
        goal = line.get("goal_ms")
        verdict = "" if goal is None else f"< {goal:g}: {'met' if line['median_ms'] < goal else 'missed'}"
        out.append(
            f"| {line['workload']} | {line['size']} | {line['median_ms']} | {line['p95_ms']} | {line['min_ms']} "
            f"| {line['max_ms']} | {verdict} |"
        )
    return "\n".join(out) + "\n"


def machine() -> dict:
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    return {"cpu": model, "cores": os.cpu_count(), "commit": commit.strip()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", type=Path, required=True)
    parser.add_argument("--vaults", type=int, default=10_000)
    parser.add_argument("--pair", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--parts", default="pair,many,store", help="which of them")
    arguments = parser.parse_args()

    import psycopg

    facts = machine()
    slug = "-".join(part for part in re.split(r"[^a-z0-9]+", facts["cpu"].lower()) if part)
    results = arguments.results or ROOT / "bench/results" / f"{datetime.date.today().isoformat()}-{slug}"
    lines: list[dict] = []
    with tempfile.TemporaryDirectory(prefix="knot-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the server runs as a user of its own
        facts["candidates"] = write_catalogue(folder)
        server = Server(folder)
        try:
            with psycopg.connect(server.url, autocommit=True) as connection:
                facts["server"] = connection.execute("show server_version").fetchone()[0]
                facts["pgvector"] = connection.execute(
                    "select default_version from pg_available_extensions where name = 'vector'"
                ).fetchone()[0]
            parts = arguments.parts.split(",")
            if "store" in parts:
                lines += store(server)
            if "pair" in parts:
                lines += compare(server, folder, arguments.peer, arguments.pair, arguments.rounds)
            if "many" in parts:
                lines += all_vaults(server, folder, arguments.vaults)
        finally:
            server.stop()
    results.mkdir(parents=True, exist_ok=True)
    with open(results / "database.jsonl", "a") as file:
        for line in lines:
            file.write(json.dumps({**line, **facts}, ensure_ascii=False) + "\n")
    if {line["part"] for line in lines} == {"side by side", "many", "store"}:
        (results / "database.md").write_text(report(lines, facts))
    print(f"kept in {results}")


if __name__ == "__main__":
    main()
