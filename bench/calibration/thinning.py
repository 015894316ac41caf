"""Judged fixtures with fewer candidates, so that an item that wins one pool does not decide what a part is worth."""

import json
import pathlib
import random
import shutil

COPIES = 5
SHARE = 0.6
# Between the name of a vault and the number of its copy.
MARK = "~"


def thinned(fixtures, folder, seed):
    """Writes every judged fixture `COPIES` times into a folder, each time with another share of its candidates."""
    source, target = pathlib.Path(fixtures), pathlib.Path(folder)
    (target / "readings").mkdir(parents=True)
    if (source / "rates.json").exists():
        shutil.copy(source / "rates.json", target)
    for file in sorted(source.glob("*.json")):
        fixture = json.loads(file.read_text())
        if "judgments" not in fixture:
            continue
        draw = random.Random(f"{seed} {file.stem}")
        for copy in range(COPIES):
            count = round(SHARE * len(fixture["candidates"]))
            kept = {candidate["id"] for candidate in draw.sample(fixture["candidates"], count)}
            copied = fixture | {
                "candidates": [candidate for candidate in fixture["candidates"] if candidate["id"] in kept],
                "judgments": [judgment for judgment in fixture["judgments"] if judgment["candidate_id"] in kept],
            }
            name = f"{file.stem}{MARK}{copy}.json"
            (target / name).write_text(json.dumps(copied, ensure_ascii=False))
            reading = source / "readings" / file.name
            if reading.exists():
                shutil.copy(reading, target / "readings" / name)
    return str(target)
