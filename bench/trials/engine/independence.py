"""The independence law: what the rules drop, and what is worse than anything shown, changes nothing."""

import copy
import random

import sameness
import worlds


def try_world(trial, world, others, folder, seed, model, cases):
    """Removes exactly what the rules dropped, then adds what they must drop, and compares what was chosen."""
    generator = random.Random(f"independence {seed} {world.name} {model}")
    with_model = {"KNOT_MODEL": None if model else "none"}
    for readings in world.kinds_of_readings():
        trace = f"{folder}/{world.name}-{readings}-{model}.trace"
        first = trial.call(world.words(world.path, readings, ["--trace", trace]), environment=with_model)
        trial.judge("first runs", first, {0, 10, 11})
        if first.code != 0:
            continue
        # What the availability check turns down was chosen before, so it is no case of this law.
        dropped = {event["item"] for event in worlds.events(trace) if event["event"] == "dropped" and event["node"] != "check"}
        trials = [("removed what was dropped", world.without(dropped))]
        if len(dropped) > 1:
            some = set(generator.sample(sorted(dropped), len(dropped) // 2))
            trials.append(("removed half of what was dropped", world.without(some)))
        for _ in range(cases):
            trials.append(("added what must be dropped", world.joined_by(strangers(world, others, generator))))
        for name, changed in trials:
            path = worlds.write(folder, f"{world.name}-{readings}-{model}.json", changed)
            again = trial.call(world.words(path, readings), environment=with_model)
            trial.count(f"independence: {name}")
            same = again.code == 0 and worlds.shown(again) == worlds.shown(first)
            trial.expect(f"independence: {name}", again, same, sameness.difference(first, again))


def strangers(world, others, generator):
    """Offers of other vaults that no rule can let pass here: far over the budget, gone by, or out of all reach in time."""
    added = []
    for number in range(generator.randint(1, 30)):
        candidate = copy.deepcopy(generator.choice(generator.choice(others).fixture["candidates"]))
        candidate["id"] = f"stranger-{number}"
        candidate["url"] = f"https://stranger-{number}.example/item"
        candidate["merchant"] = f"Stranger {number}"
        if generator.random() < 0.5 or candidate["type"] == "gift":
            candidate["price_cents"] = generator.randint(10**8, 10**9)
            candidate["currency"] = "USD"
        else:
            candidate["starts_at"] = "2001-01-01T12:00:00Z"
        added.append((generator.randint(0, len(world.fixture["candidates"])), candidate))
    return added
