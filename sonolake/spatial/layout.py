"""Takes and times of a clip's events, laid out so that the slot's question has the wanted answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonolake.spatial.plan import Slot
from sonolake.spatial.pool import Take
from sonolake.spatial.timing import GAP_S, SHARED_S, anywhere, in_turn, related, together

LONG_S = 1.2
"""Takes of at least this length are preferred where events must overlap or contain each other."""


@dataclass(frozen=True)
class Part:
    """One take and when it plays."""

    take: Take
    onset_s: float
    offset_s: float


def lay_out(
    rng: np.random.Generator, place: Slot, events: Sequence[str], takes: Mapping[str, Sequence[Take]]
) -> list[Part]:
    """The parts of a clip.

    Args:
        rng: the slot's generator.
        place: the slot.
        events: its classes, the first being the one asked about.
        takes: candidates of each class.
    """
    if place.dimension == "SC":
        return _counted(rng, place, events, takes)
    overlapping = place.dimension == "TR" or bool(rng.integers(2))
    chosen = [_take(rng, takes[event], LONG_S if overlapping else 0.0) for event in events]
    if place.kind == "relation" and len(chosen) > 1:
        return _related(rng, place.answer, chosen)
    if place.dimension == "TR" or not overlapping:
        return _in_turn(rng, chosen)
    return [Part(take, *anywhere(rng, take.longest_s)) for take in chosen]


def _take(rng: np.random.Generator, candidates: Sequence[Take], least_s: float = 0.0) -> Take:
    """One of the takes that are long enough, else one of the longest."""
    long = [take for take in candidates if take.longest_s >= least_s]
    if not long:
        longest = max(take.longest_s for take in candidates)
        long = [take for take in candidates if take.longest_s == longest]
    return long[int(rng.integers(len(long)))]


def _in_turn(rng: np.random.Generator, takes: Sequence[Take]) -> list[Part]:
    """The takes one after the other, in an order that is drawn."""
    shuffled = [takes[int(i)] for i in rng.permutation(len(takes))]
    times = in_turn(rng, [take.longest_s for take in shuffled])
    return [Part(take, *when) for take, when in zip(shuffled, times, strict=True)]


def _related(rng: np.random.Generator, relation: str, takes: Sequence[Take]) -> list[Part]:
    """The first two takes in a relation (one after the other when they are too short), the others anywhere."""
    first, second, *others = takes
    times = related(rng, relation, first.longest_s, second.longest_s)
    if times is None:
        times = related(rng, "before", first.longest_s, second.longest_s)
    assert times is not None
    placed = [Part(first, *times[0]), Part(second, *times[1])]
    return placed + [Part(take, *anywhere(rng, take.longest_s)) for take in others]


def _counted(
    rng: np.random.Generator, place: Slot, events: Sequence[str], takes: Mapping[str, Sequence[Take]]
) -> list[Part]:
    """Events whose number, repetitions or overlap is the wanted one."""
    wanted = int(place.answer)
    if place.kind == "count_simultaneous":
        chosen = [_take(rng, takes[event], SHARED_S + GAP_S) for event in events]
        times = together(rng, [take.longest_s for take in chosen])
        return [Part(take, *when) for take, when in zip(chosen, times, strict=True)]
    if place.kind == "count_repeats":
        names = [events[0]] * wanted
        extra = [Part(t, *anywhere(rng, t.longest_s)) for t in (_take(rng, takes[e]) for e in events[1:])]
    else:
        names = [
            *events,
            *(events[int(i)] for i in rng.integers(len(events), size=max(0, wanted - len(events)))),
        ]
        extra = []
    return _in_turn(rng, [_take(rng, takes[name]) for name in names]) + extra
