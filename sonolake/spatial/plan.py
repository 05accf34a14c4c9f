"""Which clip is laid out for which question, so that a set of clips is balanced by construction.

A slot is a place in a split's sequence. Every six slots hold each dimension once; inside a dimension, kinds and wanted
answers go round in cycles whose order is drawn anew each round, and numbers of sources as ``limits.py`` says. Slot
``i`` depends on the split, the limits and ``i`` alone, so a longer sequence begins with the shorter one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from sonolake.ids import rng_of
from sonolake.spatial.dimensions import DIMENSIONS, KINDS
from sonolake.spatial.limits import COUNTED, USUAL, Limits, numbers
from sonolake.splits.places import free_places

RELATIONS = ("before", "after", "overlaps", "overlapped_by", "during", "contains")
"""Temporal relations of a first sound to a second one (Allen 1983, without the equalities)."""

_T = TypeVar("_T")

TOGETHER = ("overlaps", "overlapped_by", "during", "contains")
"""Those of them in which both sound at once."""


@dataclass(frozen=True)
class Slot:
    """What one clip is to be: dimension, kind, wanted answer (may be empty), sources, and how many sound at once."""

    split: str
    index: int
    dimension: str
    kind: str
    answer: str
    sources: int
    at_once: int = 1


def cycle(name: str, turn: int, items: Sequence[_T]) -> _T:
    """The item of turn ``turn``; each round of ``len(items)`` turns is a permutation drawn for it."""
    order = rng_of(f"{name}:{turn // len(items)}", "cycle").permutation(len(items))
    return items[int(order[turn % len(items)])]


def slot(split: str, index: int, limits: Limits = USUAL) -> Slot:
    """The slot at a place in a split's sequence, from 0, for clips within some limits."""
    turn = index // len(DIMENSIONS)
    dimension = cycle(f"{split}:dimension", index, tuple(DIMENSIONS))
    kind, answer = cycle(f"{split}:{dimension}:kind", turn, _wanted(dimension, limits))
    if dimension == "SC":
        counts = _counted(split, turn, kind, int(answer), limits)
    else:
        counts = numbers(split, dimension, turn, limits)
        counts = (counts[0], 2) if answer in TOGETHER else counts
    return Slot(split, index, dimension, kind, answer, *counts)


def _wanted(dimension: str, limits: Limits) -> tuple[tuple[str, str], ...]:
    """Kinds of a dimension, with the answer that the layout should give where counts or relations would otherwise be
    guessable; without the kinds of which not every answer could be true within the limits."""
    if dimension == "SC":
        kinds = [kind for kind in KINDS["SC"] if kind != "count_simultaneous" or limits.at_once >= COUNTED]
        return tuple((kind, str(answer)) for kind in kinds for answer in range(1, COUNTED + 1))
    if dimension == "TR":
        relations = [("relation", r) for r in RELATIONS] if limits.at_once > 1 else []
        return (*relations, *(("first", ""),) * 3, *(("last", ""),) * 3)
    return tuple((kind, "") for kind in KINDS[dimension])


def _counted(split: str, turn: int, kind: str, wanted: int, limits: Limits) -> tuple[int, int]:
    """Sources of a clip that is counted, and how many sound at once; beside repeated ones another may be heard."""
    if kind == "count_simultaneous":
        return wanted, wanted
    if kind == "count_repeats" and wanted < limits.sources and cycle(f"{split}:SC:beside", turn, (0, 1)):
        return wanted + 1, min(2, limits.at_once)
    return wanted, 1


def split_counts(clips: int, shares: Mapping[str, float]) -> dict[str, int]:
    """How many of ``clips`` go to each split, largest deficit first: never falls as ``clips`` grows.

    Six clips at a time go to one split, so that dimensions are equally frequent in each; a rest under six
    goes where the next six would.
    """
    total = sum(shares.values())
    counts = dict.fromkeys(shares, 0)
    for start in range(0, clips, len(DIMENSIONS)):
        size = min(len(DIMENSIONS), clips - start)
        goal = {name: share / total * (start + len(DIMENSIONS)) for name, share in shares.items()}
        neediest = max(counts, key=lambda name: (goal[name] - counts[name], name))
        counts[neediest] += size
    return counts


def free_slots(
    clips: int, shares: Mapping[str, float], taken: Mapping[str, Collection[int]]
) -> dict[str, list[int]]:
    """The slots to fill in each split for ``clips`` clips in all; none when there are as many.

    Args:
        clips: how many in all, those that are there included.
        shares: of the splits that can be filled.
        taken: the slots of the clips that are there, by split; what is taken never moves.
    """
    return free_places(clips, split_counts(clips, shares), taken)


class _InSplit(Protocol):
    @property
    def split(self) -> str: ...


_Clip = TypeVar("_Clip", bound=_InSplit)


def in_sixes(clips: Sequence[_Clip], there: Mapping[str, int]) -> list[_Clip]:
    """``clips`` without the last ones of each split where that makes the split's number a multiple of six.

    Dimensions can then be equally frequent in it. A split of fewer than six keeps what it has.

    Args:
        clips: new clips that are cut from recordings, in their order.
        there: how many such clips are there, by split.
    """
    kept: list[_Clip] = []
    for split in sorted({clip.split for clip in clips}):
        mine = [clip for clip in clips if clip.split == split]
        total = there.get(split, 0) + len(mine)
        surplus = total % len(DIMENSIONS) if total > len(DIMENSIONS) else 0
        kept += mine[: max(0, len(mine) - surplus)]
    return kept
