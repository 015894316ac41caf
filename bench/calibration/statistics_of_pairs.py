"""Means with intervals and a paired test, by the same conventions as `evaluate` has (Sources/Evaluation/Statistics)."""

import random

DRAWS = 10_000
FLIPS = 20_000


def mean(values):
    return sum(values) / len(values)


def interval(values, level=0.95):
    """By percentile bootstrap over the vaults."""
    draw = random.Random(0)
    count = len(values)
    means = sorted(mean(draw.choices(values, k=count)) for _ in range(DRAWS))
    return means[int((1 - level) / 2 * DRAWS)], means[int((1 + level) / 2 * DRAWS) - 1]


def sign_flip(differences):
    """Two-sided p of a mean difference; vaults without one say nothing, and up to 16 others are counted out exactly."""
    moved = [value for value in differences if value != 0]
    observed = abs(sum(moved)) - 1e-12 * len(differences)
    if not moved:
        return 1.0
    if len(moved) <= 16:
        extreme = 0
        for pattern in range(1 << len(moved)):
            total = sum(value if pattern >> place & 1 else -value for place, value in enumerate(moved))
            extreme += abs(total) >= observed
        return extreme / (1 << len(moved))
    draw = random.Random(0)
    extreme = 0
    for _ in range(FLIPS):
        bits = draw.getrandbits(len(moved))
        total = sum(value if bits >> place & 1 else -value for place, value in enumerate(moved))
        extreme += abs(total) >= observed
    return (extreme + 1) / (FLIPS + 1)
