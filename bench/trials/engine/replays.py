"""Recordings: replayed byte for byte under their own plan, and working under every other."""

import json

OTHERS = [
    ["--pipeline", "classic"], ["--set", "combine.hints=0.1"], ["--set", "select.reserve=30"], ["--set", "check.reserves=12"],
    ["--set", "retrieve.limit=3"],
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
                for more in known(trial, OTHERS[1:]):
                    trial.judge("replays with a change", trial.call(["replay", cassette, *more]), {0, 10, 11})


def known(trial, changes):
    """The changes whose node and parameter the shipped pipeline has, with a value that fits."""
    if not hasattr(known, "kept"):
        known.kept = [change for change in changes if trial.call(["check", *change]).code == 0]
    return known.kept


def is_whole(path):
    """True where every line of a recording is JSON."""
    return all(isinstance(json.loads(line), dict) for line in open(path))
