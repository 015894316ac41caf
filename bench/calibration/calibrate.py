#!/usr/bin/env python3
"""What each part of meaning brings, and what its numbers are worth on vaults they were not chosen on.

Calls `knot-recommend judge` with one change at a time over judged fixtures and prints two tables:

- ablation: the judged figures with each part switched off in turn;
- nested cross-validation: for each vault, the numbers of the grid that are best on the *other* vaults choose its set.

Usage: calibrate.py [--binary PATH] [--fixtures DIR] [--quick]
"""

import argparse
import itertools
import json
import subprocess

ABLATION = [
    ("everything", []),
    ("words only", None),
    ("no share of meaning in nearness", ["relatedness.meaning=0"]),
    ("no share of words in nearness", ["relatedness.meaning=1"]),
    ("no avoiding by meaning", ["avoids.cosine=1", "avoids.pardon=2"]),
    ("no pardon by meaning", ["avoids.pardon=2"]),
    ("no clearance by meaning", ["clearance.slope=0"]),
    ("no dislikes by meaning", ["dislikes.cosine=1"]),
    ("no prototypes in scores", ["interests.meaning=0", "vibes.meaning=0", "love_languages.meaning=0"]),
    ("no twins dropped", ["distinct.cosine=1"]),
]

GRID = {
    "relatedness.meaning": [0.4, 0.5, 0.6],
    "relatedness.cosine_ceiling": [0.7, 0.8, 0.9],
    "avoids.cosine": [0.4, 0.45, 0.5],
    "clearance.slope": [1.5, 2.5],
    "prototypes": [0, 0.3],
}


def settings(point):
    """The settings of one point of the grid; the share of prototypes is one number for three scorers."""
    for name, value in point.items():
        if name == "prototypes":
            for node in ("interests", "vibes", "love_languages"):
                yield f"{node}.meaning={value}"
        else:
            yield f"{name}={value}"


def judged(options, changes, readings):
    """Per vault: the shown grades and how many were forbidden."""
    command = [options.binary, "judge", "--json", "--fixtures", options.fixtures, "--readings", readings]
    command += ["--model", "none"] if changes is None else []
    for change in changes or []:
        command += ["--set", change]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["rows"]
    return {
        vault["fixture"]: (
            [0 if card["forbidden"] else card["grade"] for card in vault["shown"]],
            vault["forbidden"],
        )
        for vault in rows[0]["fixtures"]
    }


def figures(vaults):
    count = len(vaults)
    return (
        sum(bad for _, bad in vaults),
        sum(sum(grade >= 2 for grade in grades) / 3 for grades, _ in vaults) / count,
        sum(sum(grades) / 3 for grades, _ in vaults) / count,
        sum(3 in grades for grades, _ in vaults) / count,
    )


def line(label, vaults):
    forbidden, precision, mean, delight = figures(vaults)
    print(f"{label:36} {forbidden:3d}/{3 * len(vaults)} {precision:6.3f} {mean:6.3f} {delight:6.3f}", flush=True)


def utility(vault):
    grades, forbidden = vault
    return sum(grades) / 3 - forbidden


def nested(options, readings):
    keys = list(GRID)
    points = [dict(zip(keys, values)) for values in itertools.product(*GRID.values())]
    if options.quick:
        points = points[:: max(1, len(points) // 12)]
    runs = [judged(options, list(settings(point)), readings) for point in points]
    chosen, picks = [], set()
    for vault in runs[0]:
        best = max(range(len(runs)), key=lambda n: (sum(utility(v) for k, v in runs[n].items() if k != vault), -n))
        picks.add(best)
        chosen.append(runs[best][vault])
    line(f"nested, {len(points)} points, {len(picks)} chosen", chosen)
    lowest = min(runs, key=lambda run: figures(list(run.values()))[2])
    line("the worst point of the grid", list(lowest.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/release/knot-recommend")
    parser.add_argument("--fixtures", default="fixtures/vaults")
    parser.add_argument("--quick", action="store_true", help="a dozen points of the grid instead of all")
    options = parser.parse_args()
    for readings in ("rules", f"{options.fixtures}/readings"):
        print(f"\n{readings}\n{'':36} forbid.  P>=2   mean   any 3")
        for label, changes in ABLATION:
            line(label, list(judged(options, changes, readings).values()))
        nested(options, readings)


if __name__ == "__main__":
    main()
