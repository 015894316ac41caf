"""Live runs over the simulator: how long five services and the pages take, and what a run costs the command itself.

Every answer of a service or a page comes after DELAY milliseconds. A run's processor time is that of the whole process, and
beside it stands that of the same run played from recorded traffic, which sends nothing: the difference is what HTTP costs.
"""

import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

COMMAND, SIMULATOR = ".build/release/knot-recommend", ".build/release/knot-provider-simulator"
SOURCES = ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"]


class Simulator:
    def __init__(self, fixture, delay, gone):
        words = [SIMULATOR, fixture, "--pages", "--delay", str(delay)]
        for candidate in gone:
            words += ["--gone", candidate]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.environment = {}
        for line in self.process.stdout:
            found = re.fullmatch(r"export (\w+)='(.*)'", line.strip())
            if not found:
                break
            self.environment[found[1]] = found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=30)


def run(fixture, environment, more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [COMMAND, "run", "--fixture", fixture, "--live", "--json", "--timings", "--model", "none"] + more
    with tempfile.TemporaryDirectory() as home:
        own = {"HOME": home, "PATH": os.environ["PATH"]}
        done = subprocess.run(words, env=own | environment, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout), cpu * 1_000


def cards(result):
    return [(choice["candidate_id"], choice["url"].rsplit("/", 1)[1]) for choice in result["choices"]]


def measured(kind, fixture, delay, rounds, gone):
    with Simulator(fixture, delay, gone) as simulator, tempfile.TemporaryDirectory() as folder:
        tape = folder + "/run.traffic"
        run(fixture, simulator.environment, ["--record-traffic", tape])
        for number in range(rounds):
            result, cpu = run(fixture, simulator.environment, [])
            again, played = run(fixture, {}, ["--play-traffic", tape])
            nodes = result["timings_ms"]["nodes"]
            assert cards(result) == cards(again) and len(result["choices"]) == 3
            assert not any(page in gone for _, page in cards(result))
            row = {
                "run": kind,
                "fixture": os.path.basename(fixture),
                "round": number,
                "delay_ms": delay,
                "slowest_source_ms": max(nodes[source] for source in SOURCES),
                "sources_and_join_ms": max(nodes[source] for source in SOURCES) + nodes["aggregate"],
                "check_ms": nodes["check"],
                "total_ms": result["timings_ms"]["total"],
                "cpu_ms": round(cpu, 1),
                "cpu_played_ms": round(played, 1),
                "outcome": result["outcome"],
            }
            print(json.dumps(row), flush=True)
            yield row, cards(result)


def summary(rows):
    names = ["slowest_source_ms", "sources_and_join_ms", "check_ms", "total_ms", "cpu_ms", "cpu_played_ms"]
    row = {"run": rows[0]["run"] + ", median of " + str(len(rows)), "delay_ms": rows[0]["delay_ms"]}
    for name in names:
        values = sorted(one[name] for one in rows)
        row[name] = round(statistics.median(values), 1)
        row[name.replace("_ms", "_most_ms")] = round(values[-1], 1)
    row["cpu_of_http_ms"] = round(statistics.median(one["cpu_ms"] - one["cpu_played_ms"] for one in rows), 1)
    print(json.dumps(row), flush=True)


def main():
    fixture, delay, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    found = list(measured("all there", fixture, delay, rounds, []))
    summary([row for row, _ in found])
    # The pages of two of the three are gone, so that the reserve has to fill their places.
    gone = [page for _, page in found[0][1][:2]]
    summary([row for row, _ in measured("two gone", fixture, delay, rounds, gone)])


if __name__ == "__main__":
    main()
