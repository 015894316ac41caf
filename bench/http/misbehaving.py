"""Live runs beside one service that goes wrong in every way that the tests know: what each costs above an undisturbed run.

The service that goes wrong takes turns, and the undisturbed run has one instead that finds nothing. Every row says whether all
offers of the four others were there, whether the set was complete, and the processor time and memory above the undisturbed
run's median. The bars are 300 ms and 32 MiB.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

COMMAND, SIMULATOR = ".build/release/knot-recommend", ".build/release/knot-provider-simulator"
SERVICES = ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"]
MOST_CPU_MS, MOST_MIB = 300, 32


def simulator(fixture, service=None, way=None):
    words = [SIMULATOR, fixture] + (["--misbehave", service, way] if service else [])
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=quiet, text=True)
    environment = {"KNOT_LIVE_LIMITS": "none"}
    for line in process.stdout:
        found = re.fullmatch(r"export (\w+)='(.*)'", line.strip())
        if not found:
            break
        environment[found[1]] = found[2]
    return process, environment


def run(fixture, environment):
    """The result, the offers of each service, the processor time in ms and the most memory in MiB."""
    with tempfile.TemporaryDirectory() as home:
        trace = home + "/trace"
        words = [COMMAND, "run", "--fixture", fixture, "--live", "--json", "--model", "none", "--trace", trace]
        own = {"HOME": home, "PATH": os.environ["PATH"]}
        child = subprocess.Popen(words, env=own | environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        output = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        offers = {}
        for line in open(trace):
            event = json.loads(line)
            if event.get("event") == "retrieved":
                offers.setdefault(event["node"], set()).add(event["item"])
    return json.loads(output), offers, (used.ru_utime + used.ru_stime) * 1_000, used.ru_maxrss / 1_024


def measured(fixture, service, way, rounds):
    process, environment = simulator(fixture, service, way)
    try:
        return [run(fixture, environment) for _ in range(rounds)]
    finally:
        process.stdin.close()
        process.wait(timeout=30)


def main():
    global COMMAND, SIMULATOR
    fixture, rounds = sys.argv[1], int(sys.argv[2])
    if len(sys.argv) > 3:
        COMMAND, SIMULATOR = sys.argv[3:5]
    listed = subprocess.run([SIMULATOR, fixture, "--misbehave", "yelp"], capture_output=True, text=True, check=True)
    ways = listed.stdout.splitlines()
    quiet = {service: measured(fixture, service, "finds nothing", rounds) for service in SERVICES}
    flaws = 0
    for turn, way in enumerate(way for way in ways if way != "finds nothing"):
        service = SERVICES[turn % len(SERVICES)]
        others = [name for name in SERVICES if name != service]
        wanted = quiet[service][0][1]
        found = measured(fixture, service, way, rounds)
        cpu, memory = (
            statistics.median(row[place] for row in found) - statistics.median(row[place] for row in quiet[service])
            for place in (2, 3)
        )
        row = {
            "service": service,
            "way": way,
            "all_offers": all(offers.get(name) == wanted.get(name) for _, offers, _, _ in found for name in others),
            "complete": all(len(result["choices"]) == 3 for result, _, _, _ in found),
            "cpu_above_ms": round(cpu, 1),
            "mib_above": round(memory, 1),
        }
        holds = row["all_offers"] and row["complete"] and cpu <= MOST_CPU_MS and memory <= MOST_MIB
        flaws += not holds
        print(json.dumps(row), flush=True)
    print(json.dumps({"ways": len(ways) - 1, "flaws": flaws}))
    sys.exit(1 if flaws else 0)


if __name__ == "__main__":
    main()
