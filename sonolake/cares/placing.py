"""Where in a dialogue the events fall: how many utterances come before each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np

from sonolake.cares.records import BANDS, EventSpec
from sonolake.errors import InvalidInput

TOLERANCE = 0.10
"""How far outside its third an event may lie, as a share of the dialogue."""
AFTER_PIVOT = 4
"""Utterances that a pivot needs after it."""


def within(band: str, before: int, utterances: int) -> bool:
    """Whether an event with ``before`` of ``utterances`` before it lies in its band, with the tolerance."""
    third = BANDS.index(band)
    share = before / utterances
    return third / 3 - TOLERANCE - 1e-9 <= share <= (third + 1) / 3 + TOLERANCE + 1e-9


def pivot_allowed(before: int, utterances: int) -> bool:
    """Whether a pivot may lie there: not in the last third, and with enough talk after it."""
    return 3 * before < 2 * utterances and utterances - before >= AFTER_PIVOT


def place(
    events: Sequence[EventSpec], utterances: Sequence[int], rng: np.random.Generator
) -> tuple[int, tuple[int, ...]]:
    """A number of utterances and each event's position, drawn among all that the rules allow.

    Something is said before the first event, after the last, and between two. What holds for a pivot holds for every
    event of the first two thirds, so that the place does not tell which one it is.

    Args:
        events: in order of time.
        utterances: the lengths to choose from.
        rng: draws.

    Raises:
        InvalidInput: when no length fits.
    """
    for n in rng.permutation(list(utterances)).tolist():
        options = [
            [i for i in range(1, n) if within(e.band, i, n) and (e.band == BANDS[-1] or pivot_allowed(i, n))]
            for e in events
        ]
        ways = [way for way in product(*options) if all(a < b for a, b in pairwise(way))]
        if ways:
            wide = [way for way in ways if all(b - a > 1 for a, b in pairwise(way))] or ways
            return n, wide[int(rng.integers(len(wide)))]
    raise InvalidInput("utterances", "a length that holds these events", tuple(utterances))
