"""Judged vaults as the trial changes them: the same world in another order, with more in it, or with less."""

import copy
import glob
import json
import os


class World:
    """One fixture with its readings, and how to ask the command about it."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.fixture = json.load(open(path))
        readings = os.path.join(os.path.dirname(path), "readings", self.name + ".json")
        self.readings = readings if os.path.exists(readings) else None
        self.rates = os.path.join(os.path.dirname(os.path.dirname(path)), "vaults", "rates.json")

    def words(self, path, readings, more=()):
        """The call that chooses for a copy of this world."""
        chosen = self.readings if readings == "recorded" else "rules"
        return ["run", "--fixture", path, "--readings", chosen, "--rates", self.rates, "--json", *more]

    def kinds_of_readings(self):
        return ["rules", "recorded"] if self.readings else ["rules"]

    def shuffled(self, what, generator):
        """A copy in which one list, whose order means nothing, is in another order."""
        changed = copy.deepcopy(self.fixture)
        lists = {
            "candidates": [changed["candidates"]],
            "hints": [changed["vault"]["hints"]],
            "likes and dislikes": [changed["vault"]["likes"], changed["vault"]["dislikes"], changed["vault"]["vibes"]],
            "tags": [candidate["tags"] for candidate in changed["candidates"] if candidate.get("tags")],
            "history and milestones": [changed["vault"].get("history", []), changed["vault"]["milestones"]],
        }
        for each in lists[what]:
            generator.shuffle(each)
        return changed

    def without(self, ids):
        """A copy without some candidates."""
        changed = copy.deepcopy(self.fixture)
        changed["candidates"] = [candidate for candidate in changed["candidates"] if candidate["id"] not in ids]
        changed["judgments"] = [judgment for judgment in changed["judgments"] if judgment["candidate_id"] not in ids]
        return changed

    def joined_by(self, candidates):
        """A copy with more candidates, put anywhere."""
        changed = copy.deepcopy(self.fixture)
        for place, candidate in candidates:
            changed["candidates"].insert(place, candidate)
        return changed


def load(repository, folders=("vaults", "vaults-apart")):
    """Every judged vault."""
    paths = [path for folder in folders for path in sorted(glob.glob(os.path.join(repository, "fixtures", folder, "*.json")))]
    return [World(path) for path in paths if os.path.basename(path) != "rates.json"]


def write(folder, name, content):
    """Writes one changed world for one call."""
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        json.dump(content, file, ensure_ascii=False)
    return path


def essence(answer):
    """What a run chose and why; without the identity, which is of the file's bytes."""
    document = json.loads(answer.out)
    kept = {key: document[key] for key in ("outcome", "reasons", "occasion", "occurrence", "choices")}
    for choice in kept["choices"]:
        choice["evidence"] = sorted(choice["evidence"], key=lambda each: (each["kind"], str(each["ref"])))
    return kept


def shown(answer):
    """The items that were chosen, in order, with their scores."""
    return [(choice["candidate_id"], choice["score"]) for choice in json.loads(answer.out)["choices"]]


def events(path):
    """The lines of a trace."""
    return [json.loads(line) for line in open(path)]
