"""How many events of each reaction a scene holds."""

from __future__ import annotations

from sonolake.cares.records import REACTIONS, composition_key

MAX_EVENTS = 3
MAX_PIVOTS = 1

COMPOSITIONS: tuple[tuple[int, int, int, int], ...] = tuple(
    sorted(
        (
            (pivot, verbal, behavioral, ambient)
            for pivot in range(MAX_PIVOTS + 1)
            for verbal in range(MAX_EVENTS + 1)
            for behavioral in range(MAX_EVENTS + 1)
            for ambient in range(MAX_EVENTS + 1)
            if pivot + verbal + behavioral + ambient <= MAX_EVENTS
        ),
        key=lambda counts: (sum(counts), counts),
    )
)
"""The 30 counts (pivot, verbal, behavioral, ambient) of 0 to 3 events with at most one pivot.

Ordered by total, then pivot, verbal, behavioral, ambient: quotas give the remainder to the first of them
(CARES, section 4, "Compositions").
"""
KEYS: tuple[str, ...] = tuple(composition_key(*counts) for counts in COMPOSITIONS)
"""Their names, ``P0V0B0A0`` first."""


def reactions_of(key: str) -> tuple[str, ...]:
    """The reactions of a composition, one an event, in the order of :data:`REACTIONS`."""
    counts = COMPOSITIONS[KEYS.index(key)]
    return tuple(reaction for reaction, n in zip(REACTIONS, counts, strict=True) for _ in range(n))
