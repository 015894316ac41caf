"""Recordings: replayed byte for byte under their own plan, and working under every other."""

import json

# Changes that `expand choice-of-three` names, over reading, sources, filters, scores and selection.
CHANGES = [
    ["--set", "combine.hints=0.1"], ["--set", "select.strength=0.5"], ["--set", "check.strength=0.5"],
    ["--set", "retrieve.fading=0.9"], ["--set", "avoids.threshold=0.2"], ["--set", "in_place.near_km=500"],
    ["--set", "taste.interest_high=0.9"], ["--set", "distinct.cosine=0.5"],
]


def try_world(trial, world, folder, model):
    """Records a run of each kind and replays it."""
    with_model = {"KNOT_MODEL": None if model else "none"}
    for readings in world.kinds_of_readings():
        for pipeline, other in (("choice-of-three", "classic"), ("classic", "choice-of-three")):
            cassette = f"{folder}/{world.name}-{model}.cassette"
            words = world.words(world.path, readings, ["--pipeline", pipeline, "--record", cassette])
            run = trial.call(words, environment=with_model)
            again = trial.call(["replay", cassette, "--pipeline", pipeline, "--json"], environment=with_model)
            trial.judge("replays of the same plan", again, {run.code})
            trial.expect("replays", again, again.out == run.out, f"other bytes than {run.line()}")
            trial.judge("replays under another pipeline", trial.call(["replay", cassette, "--pipeline", other]), {0, 10, 11})
            if pipeline == "choice-of-three":
                for more in CHANGES:
                    trial.judge("replays with a change", trial.call(["replay", cassette, *more]), {0, 10, 11})


def try_changes(trial):
    """Every change fits the shipped pipeline and makes another plan of it: one that is refused would try nothing."""
    plain = plan(trial, [])
    for change in CHANGES:
        found = plan(trial, change)
        trial.judge("changes for replays", found, {0})
        trial.expect("changes for replays", found, found.code != 0 or found.out != plain.out, "the change changes nothing")


def plan(trial, change):
    """The plan with a change, with its identity."""
    return trial.call(["check", *change, "--json"])


def is_whole(path):
    """True where every line of a recording is JSON."""
    return all(isinstance(json.loads(line), dict) for line in open(path))
