"""How many sources a clip has and how many of them sound at once: each number as often as the others, up to a maximum.

A block is six clips for each number of sources. In it every number from 1 up stands five times among the clips of the
five dimensions other than Sound Counting, whose clips have as many sources as are to be counted. Spatial and Temporal
Relations compare two sources and take no number under 2; the other three make up for it. Of the clips with the same
number of sources each number at once that these can have is equally frequent; where time is asked about (SC, TR), it
follows from the answer that is wanted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from sonolake.errors import InvalidInput
from sonolake.ids import rng_of

COUNTED = 4
"""Counting questions have the answers 1 to 4, each as often as the others."""
MOST_SOURCES = 8
"""With more sources than sectors of direction, and events under a second, nobody could tell them apart."""
_PAIRS = ("SR", "TR")
_FEW = ("SL", "TD", "AP")
_FREE = (*_FEW, "SR")
"""Dimensions in which any number may sound at once."""

Numbers = tuple[int, int]
"""Sources of a clip, and the most of them that sound at once."""


@dataclass(frozen=True)
class Limits:
    """The most of a clip.

    Attributes:
        sources: in all, 4 to 8.
        at_once: that sound at one time, 1 to ``sources``.

    Raises:
        InvalidInput: beyond these bounds.
    """

    sources: int = 4
    at_once: int = 4

    def __post_init__(self) -> None:
        if not COUNTED <= self.sources <= MOST_SOURCES:
            cause = (
                "counting questions have the answers 1 to 4, which with fewer sources could be guessed"
                if self.sources < COUNTED
                else "in ten seconds and eight directions more could not be told apart"
            )
            raise InvalidInput("most sources of a clip", f"{COUNTED} to {MOST_SOURCES}", self.sources, cause)
        if not 1 <= self.at_once <= self.sources:
            allowed = f"1 to {self.sources}, the most sources of a clip"
            raise InvalidInput("most sounds at once", allowed, self.at_once)


USUAL = Limits()


def numbers(split: str, dimension: str, turn: int, limits: Limits) -> Numbers:
    """Of the clip whose turn it is in a dimension of a split, from 0; not for SC. In TR one sounds at once."""
    block, place = divmod(turn, limits.sources)
    return _block(split, block, limits)[dimension, place]


@lru_cache(maxsize=64)
def _block(split: str, block: int, limits: Limits) -> Mapping[tuple[str, int], Numbers]:
    """Of every place in a block, by dimension and place."""
    dealt = _dealt(split, block, limits.sources)
    sources = {(name, place): n for name, ns in dealt.items() for place, n in enumerate(ns)}
    at_once = dict.fromkeys(sources, 1)
    for n in range(2, limits.sources + 1):
        places = [place for place in sources if sources[place] == n and place[0] in _FREE]
        before = _free_before(block, n, limits.sources)
        order = rng_of(f"{split}:at-once:{n}:{block}", "cycle").permutation(len(places))
        for rank, i in enumerate(order, before):
            at_once[places[int(i)]] = 1 + rank % min(n, limits.at_once)
    return MappingProxyType({place: (sources[place], at_once[place]) for place in sources})


def _dealt(split: str, block: int, most: int) -> dict[str, list[int]]:
    """The numbers of sources of each dimension: 2 and more once for relations and one of them again, in turn."""
    dealt = {d: [*range(2, most + 1), _again(d, block, most)] for d in _PAIRS}
    left = Counter(dict.fromkeys(range(1, most + 1), 5))
    left.subtract([n for ns in dealt.values() for n in ns])
    rest = sorted(left.elements())
    dealt |= {_FEW[(i + block) % len(_FEW)]: rest[i :: len(_FEW)] for i in range(len(_FEW))}
    orders = {d: rng_of(f"{split}:{d}:sources:{block}", "cycle").permutation(most) for d in dealt}
    return {d: [ns[int(i)] for i in orders[d]] for d, ns in dealt.items()}


def _again(dimension: str, block: int, most: int) -> int:
    return 2 + (block + _PAIRS.index(dimension)) % (most - 1)


def _free_before(block: int, n: int, most: int) -> int:
    """How many clips with ``n`` sources the blocks before have in the dimensions where any number may sound at once."""
    return sum(4 - (_again("TR", earlier, most) == n) for earlier in range(block % (most - 1))) + (
        block // (most - 1)
    ) * (4 * (most - 1) - 1)
