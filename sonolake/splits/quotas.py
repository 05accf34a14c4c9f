"""How many of a kind go to which split.

Quotas are whole-number weights: ``{"train": 8, "validation": 1, "test": 1}`` is 80, 10 and 10 percent. Whole
numbers keep every comparison of deficits exact.
"""

from __future__ import annotations

from collections.abc import Mapping

from sonolake.errors import InvalidInput
from sonolake.splits.records import TEST, TRAIN, VALIDATION

Quotas = Mapping[str, int]

SPLITS = (TRAIN, VALIDATION, TEST)
SEAT_ORDER = (TRAIN, TEST, VALIDATION)
"""Who is served first when splits lack equally much: something to learn from, then something to test on."""

TEMPLATES: Quotas = {TRAIN: 8, VALIDATION: 1, TEST: 1}
"""CARES, section 4, Splits: 80/10/10 of the templates."""

SIMULATED_ROOMS: Quotas = {TRAIN: 9, VALIDATION: 1}
"""Simulated clips train and validate."""

RECORDED_ROOMS: Quotas = {VALIDATION: 1, TEST: 1}
"""Recorded clips, and stand-ins for them, validate and test."""

ASSETS: Quotas = {TRAIN: 20, VALIDATION: 5, TEST: 5}
"""CARES, section 4, Audio assets: of 30 takes of an event, or ambiences of a location, 5 are kept for test."""

SIMULATED = "simulated"


def quotas_for(kind: str, origin: str = "") -> Quotas:
    """The default quotas of a kind; of a room, by ``origin``: ``simulated``, ``recorded`` or ``stand-in``."""
    if kind == "template":
        return TEMPLATES
    if kind == "room":
        return SIMULATED_ROOMS if origin == SIMULATED else RECORDED_ROOMS
    return ASSETS


def checked(quotas: Quotas) -> dict[str, int]:
    """The splits with a positive weight, in seat order.

    Raises:
        InvalidInput: an unknown split, a weight that is no whole number from zero up, or nothing but zeros.
    """
    unknown = sorted(set(quotas) - set(SPLITS))
    if unknown:
        raise InvalidInput("quotas", f"splits among {', '.join(SPLITS)}", unknown, "'dev' for 'validation'")
    for split, weight in quotas.items():
        if isinstance(weight, bool) or not isinstance(weight, int) or weight < 0:
            cause = "a fraction: write 80/10/10 as 8, 1, 1"
            raise InvalidInput(f"quota of {split}", "a whole number from zero up", weight, cause)
    positive = {split: quotas[split] for split in SEAT_ORDER if quotas.get(split, 0) > 0}
    if not positive:
        raise InvalidInput("quotas", "at least one split with a positive weight", dict(quotas))
    return positive
