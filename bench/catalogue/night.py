"""Serves many vaults of one PostgreSQL from a catalogue on the disk, as a night's job does, and one of them on its own.

Started by `bench/catalogue/run-night`. The server is a dev database of a private folder; hints have their vectors, and
the offers' are said to be of the same model, so that everything is searched by words and by meaning. Whether the sets
are any good says `knot-catalogue-bench hidden`, not this.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/database"))

import measure  # noqa: E402


def anonymous_kib(pid: int) -> int | None:
    """What a process holds beyond mapped files; None when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in lines if line.startswith("RssAnon:")), None)


def run(words: list[str], environment: dict[str, str], *, is_watched: bool = True) -> dict:
    """A call to its end, with its time, its processor time and the most memory it held for itself.

    Nobody watches the memory of calls whose time counts: each look at it holds the process up.
    """
    started = time.perf_counter()
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([measure.KNOT, *words], env=environment, stdout=subprocess.PIPE, stderr=nowhere)
    peak = [0]

    def watch() -> None:
        while (held := anonymous_kib(process.pid)) is not None:
            peak[0] = max(peak[0], held)
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    if is_watched:
        watcher.start()
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if is_watched:
        watcher.join()
    return {
        "code": process.returncode,
        "output": output,
        "seconds": seconds,
        "cpu": usage.ru_utime + usage.ru_stime,
        "anonymous_mib": peak[0] / 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="a folder with a catalogue for each number of offers")
    parser.add_argument("--offers", type=int, nargs="+", required=True)
    parser.add_argument("--vaults", type=int, default=1000)
    parser.add_argument("--alone", type=int, default=9, help="runs of one vault")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        # The server runs as another user.
        folder.chmod(0o755)
        server = measure.Server(folder)
        try:
            server.environment["DATABASE_URL"] = server.url
            server.knot("migrate")
            measure.write_vaults(folder / "vaults", arguments.vaults)
            server.knot("import", str(folder / "vaults"))
            server.knot("embed", "--all")
            listed = json.loads(server.knot("vault", "list", "--limit", "50", "--json"))
            ids = [vault["vault_id"] for vault in listed["vaults"]]
            for offers in arguments.offers:
                catalogue = str(arguments.folder / str(offers))
                # What was imported with a vault asks for days of its own time.
                common = ["--catalogue", catalogue, "--as-of", measure.AS_OF, "--occasion", "minor_occasion"]
                cpu = server.cpu_seconds()
                night = run(["run", "--all", "--json", "--timings", *common], server.environment)
                cpu = server.cpu_seconds() - cpu
                if night["code"] not in measure.CHOSEN:
                    sys.exit(f"run --all: {night['code']}\n{night['output'][-2000:]}")
                figures = json.loads(night["output"])
                one = ["run", "--json", "--threads", "1", *common, "--vault"]
                alone = [run([*one, vault], server.environment, is_watched=False) for vault in ids[: arguments.alone]]
                watched = [run([*one, vault], server.environment) for vault in ids[arguments.alone : 2 * arguments.alone]]
                print(
                    json.dumps(
                        {
                            "offers": offers, "vaults": figures["vaults"],
                            "vaults_per_s": round(figures["vaults"] / night["seconds"], 1),
                            "client_cpu_ms": round(1e3 * night["cpu"] / figures["vaults"], 1),
                            "server_cpu_ms": round(1e3 * cpu / figures["vaults"], 1),
                            "anonymous_mib": round(night["anonymous_mib"]), "exit_code": night["code"],
                            "failed": figures.get("failed"), "short": figures.get("short"),
                            "mean_ms": figures["timings_ms"]["mean_of_a_vault"],
                            "alone_ms": round(1e3 * statistics.median(call["seconds"] for call in alone)),
                            "alone_cpu_ms": round(1e3 * statistics.median(call["cpu"] for call in alone)),
                            "alone_anonymous_mib": round(max(call["anonymous_mib"] for call in watched)),
                        }
                    ),
                    flush=True,
                )
        finally:
            server.stop()


if __name__ == "__main__":
    main()
