"""The parts that can be switched off, and the grid that numbers are chosen from."""

from evaluation import Change

WEIGHTS = (
    "hints", "themes", "interests", "vibes", "love_languages", "budget", "timing", "place", "quality", "learned",
)


def off(*names):
    """Everything in a setting list that makes these weights 0."""
    return tuple(f"combine.{name}=0" for name in names)


NO_AVOIDS = ("avoids",)

ABLATION = [
    ("readings of a model (rules instead)", Change(readings="rules")),
    ("the encoder (words only)", Change(has_model=False)),
    ("meaning in nearness", Change(settings=("relatedness.meaning=0",))),
    ("words in nearness", Change(settings=("relatedness.meaning=1",))),
    ("hints: affinity", Change(settings=off("hints"))),
    ("hints: what the vault as a whole asks for", Change(settings=off("themes"))),
    ("hints: what they ask for (both)", Change(settings=off("hints", "themes"))),
    ("hints: all, what they rule out too", Change(settings=off("hints", "themes"), without=NO_AVOIDS)),
    ("hints: recency", Change(settings=("retrieve.fading=0",))),
    ("hints: strength of repeated ones", Change(settings=("retrieve.repetition=0",))),
    ("hints: a second and third", Change(settings=("hints.more=0",))),
    ("hints: their other phrases", Change(settings=("hints.breadth=0",))),
    ("avoids", Change(without=NO_AVOIDS)),
    ("dislikes", Change(without=("dislikes",))),
    ("dislikes by meaning", Change(settings=("dislikes.cosine=1",))),
    ("budget filter", Change(without=("within_budget",))),
    ("place filter", Change(without=("in_place",))),
    ("date filters (day, windows, parcels)", Change(without=("in_dates", "free", "in_time"))),
    ("history filter", Change(without=("unknown",))),
    ("interests", Change(settings=off("interests"))),
    ("vibes", Change(settings=off("vibes"))),
    ("love languages", Change(settings=off("love_languages"))),
    ("interests, vibes and love languages", Change(settings=off("interests", "vibes", "love_languages"))),
    ("prototypes", Change(settings=("interests.meaning=0", "vibes.meaning=0", "love_languages.meaning=0"))),
    ("known prices", Change(settings=off("budget"))),
    ("quality", Change(settings=off("quality"))),
    ("timing and place", Change(settings=off("timing", "place"))),
    ("diversity", Change(settings=("select.strength=0", "check.strength=0"))),
    ("hard rules of a set", Change(settings=tuple(
        f"{node}.{rule}=false" for node in ("select", "check")
        for rule in ("distinct_merchants", "no_near_duplicates", "distinct_kinds")
    ))),
    ("a second type", Change(settings=("select.second_type=0", "check.second_type=0"))),
    ("exact selection (MMR instead)", Change(kinds=(("select", "select.greedy"),), settings=("select.method=mmr",))),
    ("exact selection (DPP instead)", Change(kinds=(("select", "select.greedy"),), settings=("select.method=dpp",))),
]

# By name as on the command line; a name without a node stands for several settings. Values lie on both sides of what the
# pipeline has, where there are two sides, and far enough apart to be told from one another.
GRID = {
    "combine.hints": [0.3, 0.45, 0.6, 0.75],
    "combine.themes": [0, 0.05, 0.1, 0.2],
    "combine.interests": [0, 0.08, 0.16],
    "combine.vibes": [0, 0.05, 0.1],
    "combine.love_languages": [0, 0.05, 0.1],
    "combine.budget": [0, 0.04, 0.08],
    "combine.quality": [0, 0.03, 0.06],
    "relatedness.meaning": [0.3, 0.4, 0.5, 0.6, 0.7],
    "relatedness.cosine_floor": [0.05, 0.1, 0.2],
    "relatedness.cosine_ceiling": [0.7, 0.8, 0.9],
    "retrieve.half_life_days": [270, 540, 1080],
    "retrieve.fading": [0, 0.15, 0.3],
    "hints.more": [0.1, 0.2, 0.3],
    "hints.breadth": [0, 0.25, 0.5],
    "avoids.threshold": [0.55, 0.65, 0.75],
    "avoids.relief": [0.6, 0.8, 1],
    "avoids.pardon": [0.05, 0.1, 0.15],
    "dislikes.cosine": [0.4, 0.45, 0.5],
    "prototypes": [0, 0.3, 0.6],
    "strength": [0, 0.04, 0.08, 0.12, 0.2],
    "second_type": [0, 0.02, 0.05, 0.1, 0.2],
}

# Numbers of the grid that are several settings at once.
TOGETHER = {
    "prototypes": ("interests.meaning", "vibes.meaning", "love_languages.meaning"),
    "strength": ("select.strength", "check.strength"),
    "second_type": ("select.second_type", "check.second_type"),
}


def settings(point):
    """The settings of one point of the grid."""
    for name, value in point.items():
        for setting in TOGETHER.get(name, (name,)):
            yield f"{setting}={value}"


# What the stages have where the pipeline file says nothing.
DEFAULTS = {"hints.more": 0.2, "hints.breadth": 0.25}


def own_values(definition):
    """What the pipeline has for each number of the grid."""
    nodes = {node["id"]: node.get("parameters") or {} for node in definition["nodes"]}
    values = {}
    for name in GRID:
        node, parameter = TOGETHER.get(name, (name,))[0].split(".")
        found = nodes[node].get(parameter)
        found = found["value"] if isinstance(found, dict) else found
        values[name] = DEFAULTS.get(name) if found is None else found
    return values
