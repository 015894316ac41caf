"""Writes Sources/TextEncoding/Tokenizer/BertCharacters+Tables.swift: what the reference tokenizer does to each character.

The tables are taken from the behaviour of the `tokenizers` package (0.23.3), one character at a time, and not from a
version of Unicode: that package mixes several, and vectors are only right for the tokens the model was trained on.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install tokenizers==0.23.3
    /tmp/venv/bin/python bench/encoder/tables.py
"""

import unicodedata
from pathlib import Path

import tokenizers
from tokenizers import normalizers, pre_tokenizers

TARGET = Path(__file__).resolve().parents[2] / "Sources/TextEncoding/Tokenizer/BertCharacters+Tables.swift"
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SCALARS = [number for number in range(0x80, 0x110000) if not 0xD800 <= number < 0xE000]


def only(name):
    """A normalizer that does one thing."""
    parts = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**parts, name: True}).normalize_str


clean, space, strip, lower = (only(n) for n in ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"))
decompose = normalizers.NFD().normalize_str
split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str


def number(value):
    """Five bits a digit, the lowest first; 32 more means that another follows."""
    text = ""
    while True:
        digit, value = value & 31, value >> 5
        text += DIGITS[digit | (32 if value else 0)]
        if not value:
            return text


def runs(members):
    """Pairs of a gap since the last run's end and a length."""
    text, last = "", 0
    members = sorted(members)
    position = 0
    while position < len(members):
        end = position
        while end + 1 < len(members) and members[end + 1] == members[end] + 1:
            end += 1
        text += number(members[position] - last) + number(end - position + 1)
        last = members[end]
        position = end + 1
    return text


def zigzag(value):
    return value * 2 if value >= 0 else -value * 2 - 1


def mapping(pairs):
    """A gap, how many scalars follow less one, then each scalar as a distance from the one before it."""
    text, last, target = "", 0, 0
    for source, result in sorted(pairs.items()):
        text += number(source - last) + number(len(result) - 1)
        for character in result:
            text += number(zigzag(ord(character) - target))
            target = ord(character)
        last = source
    return text


def moves(mark, behind):
    """Whether two marks on one letter change places."""
    return decompose("a" + mark + behind) == "a" + behind + mark and mark != behind


# The order of marks is that of the reference's own decomposition, found by sorting each against marks of every class.
probes = {1: "\u0334"}
for scalar in SCALARS:
    if unicodedata.combining(chr(scalar)) > 1 and moves(chr(scalar), "\u0334"):
        probes.setdefault(unicodedata.combining(chr(scalar)), chr(scalar))


def mark_order(scalar):
    """The combining class the reference gives a character, by what moves before and behind it; 0 for a base."""
    mark = chr(scalar)
    order = unicodedata.combining(mark)
    if decompose(mark) != mark or order != 1 and not moves(mark, "\u0334"):
        return 0
    for other, probe in probes.items():
        assert moves(mark, probe) == (other < order), (hex(scalar), order, other)
    return order


removed, white, punctuation, ideographs, stripped, decomposed, lowered = [], [], [], [], [], {}, {}
for scalar in SCALARS:
    character = chr(scalar)
    if clean(character) == "":
        removed.append(scalar)
    else:
        assert clean(character) in (character, " ")
        assert (clean(character) == " ") == (not split(character)), hex(scalar)
    if not split(character):
        white.append(scalar)
    elif len(split("a" + character + "b")) == 3:
        punctuation.append(scalar)
    if space(character) != character:
        assert space(character) == f" {character} "
        ideographs.append(scalar)
    plain = strip(character)
    if plain == "":
        stripped.append(scalar)
    elif plain != character and not 0xAC00 <= scalar < 0xD7A4:
        decomposed[scalar] = plain
    if lower(character) != character:
        lowered[scalar] = lower(character)

gone = set(stripped)
marks = [scalar for scalar in SCALARS if unicodedata.combining(chr(scalar)) or scalar in gone]
orders = {scalar: mark_order(scalar) for scalar in marks}
kept = {scalar: order for scalar, order in orders.items() if order and scalar not in gone}
assert not set(kept) & (set(white) | set(punctuation) | set(ideographs) | set(removed) | set(lowered))
# A character that decomposes into nothing but marks leaves its marks' order behind; all of those are stripped.
bases = [scalar for scalar in stripped if orders[scalar] == 0 and decompose(chr(scalar)) == chr(scalar)]

TABLES = [
    ("removed", "Control characters and their like, which cleaning removes.", runs(removed)),
    ("white", "White space.", runs(white)),
    ("punctuation", "Characters that are words of their own.", runs(punctuation)),
    ("ideographs", "Characters that get spaces around them.", runs(ideographs)),
    ("stripped", "Marks that vanish with the accents.", runs(stripped)),
    ("bases", "Those of them that end a sequence of marks.", runs(bases)),
    ("decomposed", "Characters that come apart, without the marks that vanish.", mapping(decomposed)),
    ("lowered", "Characters with another lower case.", mapping(lowered)),
    ("ordered", "Marks that stay, and their place among the marks of one letter.",
     mapping({scalar: chr(order) for scalar, order in kept.items()})),
]

lines = [
    "/// What the reference tokenizer does to each character beyond ASCII.",
    "///",
    f"/// Written by bench/encoder/tables.py from the behaviour of tokenizers {tokenizers.__version__}; `BertCharacters` reads it.",
    "extension BertCharacters {",
]
for position, (name, summary, text) in enumerate(TABLES):
    lines += ([""] if position else []) + [f"    /// {summary}", f'    static let {name} = """']
    pieces = [text[start:start + 112] for start in range(0, len(text), 112)]
    lines += [f"        {piece}" + ("\\" if piece is not pieces[-1] else "") for piece in pieces]
    lines += ['        """']
lines.append("}")
TARGET.write_text("\n".join(lines) + "\n")
print(f"{TARGET.name}: {len(lines)} lines; " + ", ".join(f"{name} {len(text)}" for name, _, text in TABLES))
print(f"kept marks {len(kept)}, bases {len(bases)}")
