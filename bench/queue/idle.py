"""Watches a worker that has nothing to do: what it costs the processor, and whether it grows.

Starts `work` against a server of its own, lets it settle, and reads what the kernel counts for its process. Each look also
asks the worker whether it is ready, so that a worker that sleeps because it is dead does not count as a thrifty one.
"""

import argparse
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def cpu_seconds(pid: int) -> float:
    """User and system time of all threads of the process, to the nanosecond where the kernel tells it."""
    total = 0
    for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
        total += int((thread / "schedstat").read_text().split()[0])
    stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    # Threads that have ended are in the process's own sum alone.
    return max(total / 1e9, (int(stat[11]) + int(stat[12])) / TICKS)


def status(pid: int, name: str) -> int:
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise SystemExit(f"/proc/{pid}/status has no {name}")


def wake_ups(pid: int) -> int:
    """How often threads of the process have waited of their own accord and were woken."""
    total = 0
    for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for line in (thread / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches:"):
                total += int(line.split()[1])
    return total


def files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def slope(looks: list[tuple[float, float]]) -> float:
    """The least-squares line through looks of (hours, value), as value an hour."""
    count = len(looks)
    mean_x = sum(x for x, _ in looks) / count
    mean_y = sum(y for _, y in looks) / count
    spread = sum((x - mean_x) ** 2 for x, _ in looks)
    return sum((x - mean_x) * (y - mean_y) for x, y in looks) / spread if spread else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", required=True)
    parser.add_argument("--url", required=True, help="the database, migrated")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--settle", type=float, default=60, help="seconds before the first look that counts")
    parser.add_argument("--look-every", type=float, default=60, help="seconds between two looks")
    parser.add_argument("--facts", default="{}", help="what is added to the line of figures")
    parser.add_argument("--results", required=True)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        outbox = pathlib.Path(folder, "outbox")
        outbox.mkdir()
        port = free_port()
        errors = pathlib.Path(folder, "errors")
        with errors.open("wb") as sink:
            worker = subprocess.Popen(
                [options.command, "work", "--deliver", f"outbox:{outbox}", "--listen", f"127.0.0.1:{port}"],
                env=os.environ | {"DATABASE_URL": options.url},
                stdout=subprocess.DEVNULL,
                stderr=sink,
            )
        try:
            watch(worker, port, options)
        except SystemExit:
            sys.stderr.write(errors.read_text())
            raise
        finally:
            worker.send_signal(signal.SIGTERM)
            worker.wait(timeout=40)


def watch(worker: subprocess.Popen, port: int, options: argparse.Namespace) -> None:
    end = time.monotonic() + 60
    while not is_ready(port):
        if worker.poll() is not None or time.monotonic() > end:
            raise SystemExit("the worker was never ready")
        time.sleep(0.5)
    time.sleep(options.settle)
    pid = worker.pid
    start = time.monotonic()
    cpu, wakes = cpu_seconds(pid), wake_ups(pid)
    memory: list[tuple[float, float]] = [(0.0, status(pid, "VmRSS"))]
    unready = 0
    while (passed := time.monotonic() - start) < options.minutes * 60:
        time.sleep(min(options.look_every, options.minutes * 60 - passed))
        if worker.poll() is not None:
            raise SystemExit("the worker ended by itself")
        unready += not is_ready(port)
        memory.append(((time.monotonic() - start) / 3600, status(pid, "VmRSS")))
        used = cpu_seconds(pid) - cpu
        print(f"{memory[-1][0] * 60:.0f} min: {used:.3f} s of processor, {memory[-1][1] / 1024:.1f} MiB", flush=True)
    passed = time.monotonic() - start
    used = cpu_seconds(pid) - cpu
    later = [look for look in memory if look[0] >= memory[-1][0] / 2]
    line = {
        "seconds": round(passed, 1),
        "cpu_seconds": round(used, 4),
        "cpu_percent": round(100 * used / passed, 5),
        "wake_ups_per_second": round((wake_ups(pid) - wakes) / passed, 3),
        "resident_kib_first": int(memory[0][1]),
        "resident_kib_last": int(memory[-1][1]),
        "resident_kib_most": int(max(value for _, value in memory)),
        "resident_kib_an_hour": round(slope(memory), 1),
        "resident_kib_an_hour_second_half": round(slope(later), 1) if len(later) > 2 else None,
        "threads": status(pid, "Threads"),
        "files": files(pid),
        "looks": len(memory) - 1,
        "looks_not_ready": unready,
    } | json.loads(options.facts)
    with open(options.results, "a") as results:
        results.write(json.dumps(line) + "\n")
    print(json.dumps(line))
    if line["cpu_percent"] >= 0.1 or unready:
        raise SystemExit("an idle worker has to be ready at every look and to take less than 0.1 % of a processor")


if __name__ == "__main__":
    main()
