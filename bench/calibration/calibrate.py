#!/usr/bin/env python3
"""What each part of the pipeline brings, and what its numbers are worth on vaults they were not chosen on.

Calls `knot-recommend evaluate` over the judged fixtures, with one change after another, and writes Markdown:

- nested cross-validation: for each vault, the point of a grid that is best on the *other* vaults chooses its set;
- ablation: the judged figures with each part switched off in turn, as paired differences with interval and p.

Everything is drawn from one seed; the same binary and fixtures give the same page. See README.md beside this file.
"""

import argparse
import math
import pathlib
import platform
import random
import subprocess
import sys
import tempfile

from evaluation import READINGS, Change, Evaluator
from parts import ABLATION, GRID, own_values, settings
from statistics_of_pairs import interval, mean, sign_flip
from thinning import COPIES, SHARE, thinned

# How often the vaults are divided into two halves.
HALVINGS = 500

# The bars of the pipeline as it is, and how far below them numbers chosen without a vault may fall on it.
BARS = {
    "rules": {"forbidden": 0.08, "precision": 0.65, "grade": 1.75, "delight": None},
    "recorded": {"forbidden": 0.0, "precision": 0.93, "grade": 2.5, "delight": 0.96},
}
SLACK = {"precision": 0.08, "grade": 0.2}


def figures(vaults):
    """The four judged figures over a list of vaults; forbidden as a share of what was shown."""
    shown = sum(vault.shown for vault in vaults)
    return {
        "count": sum(vault.forbidden for vault in vaults),
        "shown": shown,
        "forbidden": sum(vault.forbidden for vault in vaults) / shown if shown else 0,
        "precision": mean([vault.precision for vault in vaults]),
        "grade": mean([vault.grade for vault in vaults]),
        "delight": mean([vault.delight for vault in vaults]),
    }


def row(label, vaults, with_intervals=True):
    found = figures(vaults)
    cells = [f"{found['count']}/{found['shown']}"]
    for name in ("precision", "grade", "delight"):
        cell = f"{found[name]:.2f}"
        if with_intervals:
            low, high = interval([getattr(vault, name) for vault in vaults])
            cell += f" [{low:.2f}, {high:.2f}]"
        cells.append(cell)
    return f"| {label} | {' | '.join(cells)} |"


def utility(vault):
    """What a choice of numbers is made by: the mean grade, a forbidden card costing as much as a grade of 3 in all three."""
    return vault.grade - 3 * vault.forbidden


class Nested:
    """Points drawn from the grid, each evaluated once over all vaults, and for each vault the choice of the others."""

    def __init__(self, evaluator, count, seed, progress):
        draw = random.Random(seed)
        self.points = []
        while len(self.points) < count:
            point = {name: draw.choice(values) for name, values in GRID.items()}
            if point not in self.points:
                self.points.append(point)
        self.runs = []
        for number, point in enumerate(self.points):
            progress(f"grid {number + 1} of {count}")
            change = Change(settings=tuple(settings(point)))
            self.runs.append({name: evaluator.vaults(change, name) for name in READINGS})
        self.names = list(self.runs[0]["rules"])
        # One pipeline serves both kinds of readings, so one point is chosen for both.
        self.worth = [
            {vault: sum(utility(run[name][vault]) for name in READINGS) for vault in self.names} for run in self.runs
        ]
        self.picks = {vault: self.best([other for other in self.names if other != vault]) for vault in self.names}

    def best(self, training):
        return max(range(len(self.points)), key=lambda n: (sum(self.worth[n][vault] for vault in training), -n))

    def held_out(self, readings):
        return [self.runs[self.picks[vault]][readings][vault] for vault in self.names]

    def halves(self, seed):
        """For each division of the vaults, the point that one half chooses and the half that it is scored on."""
        draw = random.Random(f"halves {seed}")
        for _ in range(HALVINGS):
            shuffled = draw.sample(self.names, len(self.names))
            middle = len(shuffled) // 2
            yield self.best(shuffled[:middle]), shuffled[middle:]

    def halved(self, readings, seed):
        """The mean of the figures over many divisions: far fewer vaults choose, and all of the others score."""
        found = [figures([self.runs[point][readings][vault] for vault in half]) for point, half in self.halves(seed)]
        cells = [f"{mean([one['forbidden'] for one in found]):.1%}"]
        cells += [f"{mean([one[name] for one in found]):.2f}" for name in ("precision", "grade", "delight")]
        return f"| chosen by a half of the vaults, scored on the other ({HALVINGS} divisions) | {' | '.join(cells)} |"

    def spread(self, readings):
        """The lowest, the middle and the highest of all points, by mean grade; the highest saw every vault."""
        ordered = sorted((list(run[readings].values()) for run in self.runs), key=lambda run: figures(run)["grade"])
        return ordered[0], ordered[len(ordered) // 2], ordered[-1]

    def effect(self, name):
        """The mean grade over all points by the value of one number, both kinds of readings together."""
        for value in GRID[name]:
            grades = [
                figures(list(run[readings].values()))["grade"]
                for point, run in zip(self.points, self.runs)
                if point[name] == value
                for readings in READINGS
            ]
            picked = sum(self.points[pick][name] == value for pick in self.picks.values())
            yield value, mean(grades) if grades else math.nan, picked


def nested_lines(nested, shipped, seed):
    lines = [
        "## Nested cross-validation",
        "",
        f"{len(nested.points)} points drawn from the grid below, each vault's set chosen by the point that is best on the other "
        f"{len(nested.names) - 1} with both kinds of readings ({len(set(nested.picks.values()))} different points were "
        "chosen). 95 % bootstrap intervals over the vaults.",
    ]
    for readings in READINGS:
        low, middle, high = nested.spread(readings)
        lines += [
            "",
            f"### {READINGS[readings]}",
            "",
            "| numbers | forbidden | P(≥2)@3 | mean grade | any 3 |",
            "|---|---|---|---|---|",
            row("chosen without the vault", nested.held_out(readings)),
            nested.halved(readings, seed),
            row("of the pipeline, which saw all", list(shipped[readings].values())),
            row("the best point, which saw all", high, False),
            row("the middle point", middle, False),
            row("the worst point", low, False),
        ]
    return lines


def bar_lines(nested, shipped):
    """What the bars ask, what there is, and whether all are met."""
    lines = ["## Bars", "", "| readings | figure | bar | pipeline | bar, nested | nested | |", "|---|---|---|---|---|---|---|"]
    misses = 0
    for readings, bars in BARS.items():
        whole, held = figures(list(shipped[readings].values())), figures(nested.held_out(readings))
        for name, bar in bars.items():
            if bar is None:
                continue
            below = name == "forbidden"
            lower = bar - SLACK[name] if name in SLACK else None
            met = whole[name] <= bar if below else round(whole[name], 4) >= bar
            met_nested = lower is None or round(held[name], 4) >= lower
            misses += (not met) + (not met_nested)
            title = {"forbidden": "forbidden", "precision": "P(≥2)@3", "grade": "mean grade", "delight": "any 3"}[name]
            lines.append(
                f"| {readings} | {title} | {'≤' if below else '≥'} {bar:.2f} | {whole[name]:.3f} | "
                f"{'' if lower is None else f'≥ {lower:.2f}'} | {held[name]:.3f} | {'met' if met and met_nested else 'MISSED'} |"
            )
    return lines, misses


def told(p):
    return "<0.0001" if p < 0.0001 else f"{p:.{4 if p < 0.001 else 3}f}"


def paired(vaults, base):
    """The difference of the mean grade, vault by vault, with its interval and p."""
    pairs = [vaults[name].grade - base[name].grade for name in base]
    low, high = interval(pairs)
    return f"{mean(pairs):+.2f} [{low:+.2f}, {high:+.2f}] | {told(sign_flip(pairs))}"


def ablation_lines(evaluator, thin, progress):
    lines = [
        "",
        "## What each part brings",
        "",
        "Each part is switched off alone, the rest as it is. The difference is that of the mean grade against everything, vault by "
        "vault, with its 95 % bootstrap interval and the p of a paired sign-flip test (uncorrected: of forty lines, two below "
        f"0.05 are to be expected of chance). *Thinned*: the same with {COPIES} copies of every vault, each with a random "
        f"{SHARE:.0%} of its candidates, so that a few items at the top decide less; a vault's copies count as one.",
    ]
    for readings in READINGS:
        base, thin_base = evaluator.vaults(Change(), readings), thin.vaults(Change(), readings)
        bare = figures(list(thin_base.values()))
        lines += [
            "",
            f"### {READINGS[readings]}",
            "",
            "| without | forbidden | P(≥2)@3 | mean grade | any 3 | difference | p | thinned: forbidden | mean grade | difference | p |",
            "|---|---|---|---|---|---|---|---|---|---|---|",
            f"{row('(everything is on)', list(base.values()), False)} | | {bare['count']}/{bare['shown']} | {bare['grade']:.2f} | | |",
        ]
        for label, change in ABLATION:
            progress(f"{readings}: {label}")
            if change.readings == readings:
                continue
            vaults = evaluator.vaults(change, change.readings or readings)
            thinner = thin.vaults(change, change.readings or readings)
            found = figures(list(thinner.values()))
            lines.append(
                f"{row(label, list(vaults.values()), False)} {paired(vaults, base)} | "
                f"{found['count']}/{found['shown']} | {found['grade']:.2f} | {paired(thinner, thin_base)} |"
            )
    return lines


def grid_lines(nested, own):
    lines = [
        "",
        "## The grid",
        "",
        "The mean grade over all drawn points with a value, both kinds of readings together, whatever the other numbers were; "
        "in brackets for how many vaults a point with that value was chosen. The value of the pipeline is bold.",
        "",
        "| number | values |",
        "|---|---|",
    ]
    for name in GRID:
        cells = []
        for value, grade, picked in nested.effect(name):
            text = f"{value:g}"
            cells.append(f"{f'**{text}**' if value == own[name] else text}: {grade:.2f} ({picked})")
        lines.append(f"| {name} | {', '.join(cells)} |")
    return lines


def machine():
    model = platform.processor() or platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/release/knot-recommend")
    parser.add_argument("--fixtures", default="fixtures/vaults")
    parser.add_argument("--points", type=int, default=200, help="how many points of the grid are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", help="where the page is kept; else it is printed")
    parser.add_argument("--check", action="store_true", help="exit 1 where a bar is missed")
    options = parser.parse_args()

    def progress(text):
        if sys.stderr.isatty():
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    with (
        tempfile.TemporaryDirectory() as folder,
        Evaluator(options.binary, options.fixtures) as evaluator,
        Evaluator(options.binary, thinned(options.fixtures, f"{folder}/vaults", options.seed)) as thin,
    ):
        shipped = {name: evaluator.vaults(Change(), name) for name in READINGS}
        nested = Nested(evaluator, options.points, options.seed, progress)
        bars, misses = bar_lines(nested, shipped)
        commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
        lines = [
            "# What the numbers are worth, and what each part brings",
            "",
            f"{len(nested.names)} judged vaults, {evaluator.pipeline}; {machine()}; commit {commit or 'unknown'}; "
            f"seed {options.seed}. Written by `make calibrate`; `bench/calibration/README.md` says how it is made.",
            "",
        ]
        lines += bars + [""] + nested_lines(nested, shipped, options.seed)
        lines += ablation_lines(evaluator, thin, progress) + grid_lines(nested, own_values(evaluator.definition))
    progress("")
    page = "\n".join(lines) + "\n"
    if options.output:
        pathlib.Path(options.output).write_text(page)
    else:
        print(page, end="")
    if misses:
        print(f"{misses} bars are missed", file=sys.stderr)
    sys.exit(1 if options.check and misses else 0)


if __name__ == "__main__":
    main()
