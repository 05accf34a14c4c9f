"""Which clip is laid out for which question, so that a set of clips is balanced by construction.

A slot is a place in a split's sequence. Every six slots hold each dimension once; inside a dimension, kinds and wanted
answers go round in cycles whose order is drawn anew each round. Slot ``i`` depends on the split and ``i`` alone, so
a longer sequence begins with the shorter one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from sonolake.ids import rng_of
from sonolake.spatial.dimensions import DIMENSIONS, KINDS
from sonolake.splits.places import free_places

RELATIONS = ("before", "after", "overlaps", "overlapped_by", "during", "contains")
"""Temporal relations of a first sound to a second one (Allen 1983, without the equalities)."""

_T = TypeVar("_T")

_FEW = (1, 1, 1, 1, 1, 2, 2, 3, 3)
_PAIRS = (2, 3)
_SOURCES: Mapping[str, tuple[int, ...]] = {"SL": _FEW, "TD": _FEW, "AP": _FEW, "SR": _PAIRS, "TR": _PAIRS}
"""Numbers of sources; over the five dimensions together 1, 2 and 3 are equally frequent. SC has its own."""

_WANTED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "SC": tuple((kind, str(answer)) for kind in KINDS["SC"] for answer in (1, 2, 3, 4)),
    "TR": (
        *(("relation", r) for r in RELATIONS),
        *(("first", "") for _ in range(3)),
        *(("last", "") for _ in range(3)),
    ),
    **{d: tuple((kind, "") for kind in KINDS[d]) for d in ("SL", "TD", "SR", "AP")},
}
"""Kinds, with the answer that the layout should give where counts or relations would otherwise be guessable."""


@dataclass(frozen=True)
class Slot:
    """What one clip is to be: dimension, kind, wanted answer (may be empty), number of sources (0: by the answer)."""

    split: str
    index: int
    dimension: str
    kind: str
    answer: str
    sources: int


def cycle(name: str, turn: int, items: Sequence[_T]) -> _T:
    """The item of turn ``turn``; each round of ``len(items)`` turns is a permutation drawn for it."""
    order = rng_of(f"{name}:{turn // len(items)}", "cycle").permutation(len(items))
    return items[int(order[turn % len(items)])]


def slot(split: str, index: int) -> Slot:
    """The slot at a place in a split's sequence, from 0."""
    turn = index // len(DIMENSIONS)
    dimension = cycle(f"{split}:dimension", index, tuple(DIMENSIONS))
    kind, answer = cycle(f"{split}:{dimension}:kind", turn, _WANTED[dimension])
    counts = _SOURCES.get(dimension, (0,))
    return Slot(split, index, dimension, kind, answer, cycle(f"{split}:{dimension}:sources", turn, counts))


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
