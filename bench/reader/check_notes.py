#!/usr/bin/env python3
"""Checks the graded notes of fixtures/notes and prints what gives their grades away.

Usage: bench/reader/check_notes.py [FOLDER]

Exits with 1 if a line breaks the format (fixtures/notes/README.md), or if descriptions of one grade are a word longer on
average than those of another.
"""

import collections
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
NOTE = ["text", "variants", "about", "stance", "strength", "offers"]
OFFER = ["title", "description", "kind", "grade", "forbidden"]
ABOUT = {"partner", "couple", "user", "other"}
STANCES = {"wants", "needs", "likes", "avoids", "fact"}
KINDS = {"gift", "experience", "date"}


def problems(note):
    """What is wrong with one note, in words."""
    if list(note) != NOTE:
        yield f"has the keys {list(note)}"
        return
    if not 3 <= len(note["text"].split()) <= 45:
        yield "has no 3 to 45 words"
    if len(note["variants"]) != 2 or note["text"] in note["variants"]:
        yield "needs two other wordings"
    if note["about"] not in ABOUT or note["stance"] not in STANCES or not 0 <= note["strength"] <= 1:
        yield "is about nobody, has no stance or no strength"
    offers = note["offers"]
    if len(offers) != 8 or any(list(offer) != OFFER for offer in offers):
        yield "needs eight offers, each with its keys"
        return
    if any(offer["kind"] not in KINDS or offer["grade"] not in range(4) for offer in offers):
        yield "has an offer without a kind or a grade"
    if any(offer["forbidden"] and offer["grade"] for offer in offers):
        yield "forbids an offer that it grades above 0"
    if len({offer["title"] for offer in offers}) < 8:
        yield "shows an offer twice"
    best = max(offer["grade"] for offer in offers)
    if best > 1 if note["strength"] == 0 else best < 2:
        yield f"has the strength {note['strength']} and {best} as its best grade"


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "fixtures/notes/graded"
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        sys.exit(f"error: {folder}: no notes, name their folder")
    found, texts = 0, collections.Counter()
    words = collections.defaultdict(list)
    print(f"{'notes':>6} {'strength 0':>10} {'forbidden':>9}  words of a description by grade")
    for file in files:
        own, none, forbidden = collections.defaultdict(list), 0, 0
        notes = [json.loads(line) for line in file.read_text().splitlines()]
        for number, note in enumerate(notes, 1):
            for problem in problems(note):
                print(f"{file.name}:{number}: {problem}", file=sys.stderr)
                found += 1
            texts[note["text"]] += 1
            none += note["strength"] == 0
            for offer in note["offers"]:
                forbidden += offer["forbidden"]
                own[offer["grade"]].append(len(offer["description"].split()))
        for grade, counts in own.items():
            words[grade] += counts
        means = " ".join(f"{sum(own[grade]) / len(own[grade]):5.1f}" for grade in range(4))
        print(f"{len(notes):6} {none:10} {forbidden:9}  {means}  {file.stem}")
    means = [sum(words[grade]) / len(words[grade]) for grade in range(4)]
    if max(means) - min(means) > 1:
        print(f"error: descriptions tell the grade: {means}", file=sys.stderr)
        found += 1
    for text, count in texts.items():
        if count > 1:
            print(f"error: {count} times: {text}", file=sys.stderr)
            found += 1
    sys.exit(1 if found else 0)


main()
