"""The same world gives the same bytes: over threads, environments and orders that mean nothing."""

import random

import worlds

SURROUNDINGS = [
    ("one thread", ["--threads", "1"], {}),
    ("four threads", ["--threads", "4"], {}),
    ("another zone and language", [], {"TZ": "Pacific/Apia", "LANG": "tr_TR.UTF-8", "LC_ALL": "C"}),
]
ORDERS = ["candidates", "hints", "likes and dislikes", "tags", "history and milestones"]


def try_world(trial, world, folder, seed, model):
    """Compares every run of one world with the first one, byte for byte or in all that was chosen."""
    generator = random.Random(f"{seed} {world.name} {model}")
    with_model = {"KNOT_MODEL": None if model else "none"}
    for readings in world.kinds_of_readings():
        for pipeline in ("choice-of-three", "classic"):
            words = world.words(world.path, readings, ["--pipeline", pipeline])
            first = trial.call(words, environment=with_model)
            trial.judge("first runs", first, {0, 10, 11})
            for name, more, environment in SURROUNDINGS:
                again = trial.call([*words, *more], environment=dict(with_model, **environment))
                trial.count(f"same bytes: {name}")
                trial.expect(f"same bytes: {name}", again, again.out == first.out, "other bytes")
            if pipeline == "classic" or first.code not in (0, 11):
                continue
            for order in ORDERS:
                path = worlds.write(folder, f"{world.name}-{readings}-{model}.json", world.shuffled(order, generator))
                again = trial.call(world.words(path, readings), environment=with_model)
                trial.count(f"same choice: {order} shuffled")
                same = again.code == first.code and worlds.essence(again) == worlds.essence(first)
                trial.expect(f"same choice: {order} shuffled", again, same, difference(first, again))


def difference(first, again):
    """What differs, in few words."""
    if again.code != first.code:
        return f"exit {again.code} and not {first.code}"
    one, other = worlds.shown(first), worlds.shown(again)
    if [item for item, _ in one] != [item for item, _ in other]:
        return f"chose {[item for item, _ in other]} and not {[item for item, _ in one]}"
    return "other scores" if one != other else "other reasons or evidence"
