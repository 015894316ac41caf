"""Runs `knot-recommend evaluate` with one change and reads its rows; the same question is asked once."""

import dataclasses
import json
import pathlib
import subprocess
import tempfile

from thinning import MARK

# The kinds of readings, and what they are called on the page.
READINGS = {"rules": "Readings by the rules", "recorded": "Recorded readings"}


@dataclasses.dataclass(frozen=True)
class Change:
    """What is different from the pipeline as it is."""

    # `node.parameter=value`, as the command line takes them.
    settings: tuple = ()
    # Nodes to take out, their input handed on to whoever read them.
    without: tuple = ()
    # (node, kind): a node of another kind in its place.
    kinds: tuple = ()
    # Whether the encoder is there.
    has_model: bool = True
    # The only readings this change goes with; nil: those of the table.
    readings: str | None = None


@dataclasses.dataclass(frozen=True)
class Vault:
    """What one vault was shown, as its judge sees it; for copies of one vault, what all of them were shown."""

    cards: tuple
    shown: int
    forbidden: int
    precision: float
    grade: float
    delight: float


class Evaluator:
    def __init__(self, binary, fixtures, pipeline="choice-of-three"):
        self.binary, self.fixtures, self.name = binary, fixtures, pipeline
        self.known = {}
        self.pipeline = pipeline
        expanded = subprocess.run([binary, "expand", pipeline], check=True, capture_output=True).stdout
        self.definition = json.loads(expanded)

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def vaults(self, change, readings):
        """By fixture, in their order."""
        if (change, readings) not in self.known:
            self.known[change, readings] = self.evaluated(change, readings)
        return self.known[change, readings]

    def evaluated(self, change, readings):
        where = "rules" if readings == "rules" else f"{self.fixtures}/readings"
        command = [self.binary, "evaluate", "--quiet", "--json", "--pipeline", self.name]
        command += ["--fixtures", self.fixtures, "--readings", where]
        command += [] if change.has_model else ["--model", "none"]
        if change.without or change.kinds:
            file = pathlib.Path(self.folder.name) / "experiment.json"
            file.write_text(json.dumps(self.patch(change)))
            command += ["--experiment", str(file)]
        for setting in change.settings:
            command += ["--set", setting]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        if change == Change():
            found = rows[-1]["pipelines"][0]
            self.pipeline = f"{found['name']} ({found['hash'][:12]})"
        copies = {}
        for row in rows:
            if row["schema"] == "knot.evaluation.vault/1":
                copies.setdefault(row["fixture"].split(MARK)[0], []).append(row)
        return {name: self.vault(rows) for name, rows in copies.items()}

    @staticmethod
    def vault(rows):
        def figure(name):
            return sum(row["figures"][name] for row in rows) / len(rows)

        return Vault(
            cards=tuple(tuple(card["candidate_id"] for card in row["shown"]) for row in rows),
            shown=sum(len(row["shown"]) for row in rows),
            forbidden=sum(row["gates"]["forbidden"] for row in rows),
            precision=figure("precision_at_3"),
            grade=figure("mean_grade"),
            delight=figure("any_grade_3"),
        )

    def patch(self, change):
        """An experiment that takes nodes out or changes their kind."""
        nodes = {node["id"]: node for node in self.definition["nodes"]}
        through = {}
        for gone in change.without:
            through[gone] = (nodes[gone].get("inputs") or {}).get("pool")

        def source(feed):
            while feed in through:
                feed = through[feed]
            return feed

        changes = {gone: None for gone in change.without}
        for name, node in nodes.items():
            if name in through:
                continue
            feeds = {}
            for port, feed in (node.get("inputs") or {}).items():
                several = isinstance(feed, list)
                kept = [source(one) for one in (feed if several else [feed])]
                kept = [one for one in kept if one]
                if kept and several:
                    feeds[port] = kept
                elif kept:
                    feeds[port] = kept[0]
            if feeds != (node.get("inputs") or {}):
                changes.setdefault(name, {})["inputs"] = feeds
        for name, kind in change.kinds:
            removed = {parameter: None for parameter in nodes[name].get("parameters") or {}}
            changes.setdefault(name, {}).update({"kind": kind, "parameters": removed})
        return {"nodes": changes}
