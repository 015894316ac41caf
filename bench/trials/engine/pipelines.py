"""Changed pipelines: where `check` is content, no run fails with the pipeline's fault, and the fixture is never blamed."""

import copy
import json

import worlds

VALUES = [None, True, -1, 0, 1, 2, 0.5, 1e-300, 1e300, 2**40, "", "\u0000", "x", [], {}, "2026-01-01", [0], {"value": 0.5, "why": "tried"}]


def try_all(trial, world, folder, generator, mutants):
    """Changes both shipped pipelines at random, checks each and runs it."""
    for name in ("choice-of-three", "classic"):
        expanded = json.loads(trial.call(["expand", "--pipeline", name]).out)
        for _ in range(mutants):
            path = worlds.write(folder, "changed.json", mutated(expanded, generator))
            checked = trial.call(["check", path])
            trial.judge("checked pipelines", checked, {0, 65, 78})
            ran = trial.call(world.words(world.path, "rules", ["--pipeline", path]))
            trial.judge("run pipelines", ran, {0, 10, 11, 65, 69, 75, 78})
            if checked.code == 0:
                trial.expect("pipelines", ran, ran.code in (0, 10, 11, 75), f"check was content, run was not: {open(path).read()[-300:]}")
            else:
                trial.expect("pipelines", ran, ran.code == checked.code, f"check says {checked.code}")
                trial.expect("pipelines", ran, world.path not in ran.err.decode("utf-8", "replace"), "the fixture is blamed")


def mutated(document, generator):
    """A copy with one to three changes in its nodes, their inputs and their parameters."""
    changed = copy.deepcopy(document)
    nodes = changed["nodes"]
    for _ in range(generator.randint(1, 3)):
        node = nodes[generator.choice(sorted(nodes))] if isinstance(nodes, dict) else generator.choice(nodes)
        way = generator.randrange(5)
        parameters = node.get("parameters") if isinstance(node.get("parameters"), dict) else None
        if way == 0 and parameters:
            parameters[generator.choice(sorted(parameters))] = generator.choice(VALUES)
        elif way == 1 and parameters:
            del parameters[generator.choice(sorted(parameters))]
        elif way == 2 and parameters:
            # Numbers at and past where they turn: nothing, everything, and the other sign.
            key = generator.choice(sorted(parameters))
            value = parameters[key]["value"] if isinstance(parameters[key], dict) and "value" in parameters[key] else parameters[key]
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                parameters[key] = generator.choice([0, value * 2, -value, value / 1000, 1])
        elif way == 3:
            node[generator.choice(sorted(node))] = generator.choice(VALUES)
        elif way == 4 and parameters:
            for key in parameters:
                value = parameters[key]["value"] if isinstance(parameters[key], dict) and "value" in parameters[key] else parameters[key]
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    parameters[key] = 0
    return changed
