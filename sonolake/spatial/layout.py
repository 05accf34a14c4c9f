"""Takes and times of a clip's events, laid out so that the slot's question has the wanted answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonolake.spatial.plan import TOGETHER, Slot
from sonolake.spatial.pool import Take
from sonolake.spatial.timing import GAP_S, SHARED_S, anywhere, in_turn, overlapping, together

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
    least_s = LONG_S if place.dimension == "TR" or place.at_once > 1 else 0.0
    chosen = [_take(rng, takes[event], least_s) for event in events]
    if place.kind == "relation" and len(chosen) > 1:
        return _related(rng, place.answer, chosen)
    return _clustered(rng, chosen, place.at_once)


def _take(rng: np.random.Generator, candidates: Sequence[Take], least_s: float = 0.0) -> Take:
    """One of the takes that are long enough, else one of the longest."""
    long = [take for take in candidates if take.longest_s >= least_s]
    if not long:
        longest = max(take.longest_s for take in candidates)
        long = [take for take in candidates if take.longest_s == longest]
    return long[int(rng.integers(len(long)))]


def _in_turn(rng: np.random.Generator, takes: Sequence[Take]) -> list[Part]:
    """The takes one after the other, in an order that is drawn."""
    return _clustered(rng, takes, 1)


def _clustered(rng: np.random.Generator, takes: Sequence[Take], at_once: int) -> list[Part]:
    """Groups of takes that sound together, one group after the other: one of ``at_once``, no other larger."""
    shuffled = [takes[int(i)] for i in rng.permutation(len(takes))]
    groups = []
    size = min(at_once, len(shuffled))
    while shuffled:
        groups.append([shuffled.pop() for _ in range(size)])
        size = int(rng.integers(1, min(at_once, len(shuffled)) + 1)) if shuffled else 0
    groups = [groups[int(i)] for i in rng.permutation(len(groups))]
    spans = in_turn(rng, [_span(rng, group) for group in groups], [min(len(group), 2) for group in groups])
    return [
        Part(take, *when)
        for group, span in zip(groups, spans, strict=True)
        for take, when in zip(group, together(rng, [t.longest_s for t in group], span), strict=True)
    ]


def _span(rng: np.random.Generator, group: Sequence[Take]) -> float:
    """How long a group of takes is: the longest one, up to the two longest one after the other."""
    longest, *others = sorted((take.longest_s for take in group), reverse=True)
    return longest + (float(rng.uniform(0.0, others[0])) if others else 0.0)


def _related(rng: np.random.Generator, relation: str, takes: Sequence[Take]) -> list[Part]:
    """The first two takes in a relation (one after the other when they are too short), the others apart from both."""
    if relation in TOGETHER and (parts := _paired(rng, relation, takes)):
        return parts
    order = [int(i) for i in rng.permutation(len(takes))]
    first, second = order.index(0), order.index(1)
    if (first > second) != (relation == "after"):
        order[first], order[second] = 1, 0
    times = in_turn(rng, [takes[i].longest_s for i in order])
    return [Part(takes[i], *when) for i, when in zip(order, times, strict=True)]


def _paired(rng: np.random.Generator, relation: str, takes: Sequence[Take]) -> list[Part]:
    """The first two takes together, the others before or after them; none when the two are too short."""
    first, second, *others = takes
    lengths = [first.longest_s + second.longest_s, *(take.longest_s for take in others)]
    order = [int(i) for i in rng.permutation(len(lengths))]
    spans = in_turn(rng, [lengths[i] for i in order], [1 if i else 2 for i in order])
    placed = dict(zip(order, spans, strict=True))
    times = overlapping(rng, relation, first.longest_s, second.longest_s, placed[0])
    if times is None:
        return []
    apart = [Part(take, *placed[i]) for i, take in enumerate(others, 1)]
    return [Part(first, *times[0]), Part(second, *times[1]), *apart]


def _counted(
    rng: np.random.Generator, place: Slot, events: Sequence[str], takes: Mapping[str, Sequence[Take]]
) -> list[Part]:
    """Events whose number, repetitions or overlap is the wanted one."""
    wanted = int(place.answer)
    if place.kind == "count_simultaneous":
        chosen = [_take(rng, takes[event], SHARED_S + GAP_S) for event in events]
        times = together(rng, [take.longest_s for take in chosen])
        return [Part(take, *when) for take, when in zip(chosen, times, strict=True)]
    beside: list[Take] = []
    if place.kind == "count_repeats":
        names = [events[0]] * wanted
        beside = [_take(rng, takes[event]) for event in events[1:]]
    else:
        names = [
            *events,
            *(events[int(i)] for i in rng.integers(len(events), size=max(0, wanted - len(events)))),
        ]
    counted = [_take(rng, takes[name]) for name in names]
    if place.at_once == 1:
        return _in_turn(rng, [*counted, *beside])
    return _in_turn(rng, counted) + [Part(take, *anywhere(rng, take.longest_s)) for take in beside]
