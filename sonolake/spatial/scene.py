"""A clip's labels, seen by someone who asks: which facts are clear enough."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sonolake.spatial.distances import still
from sonolake.spatial.records import ClipEvent
from sonolake.spatial.relations import begins, ends
from sonolake.spatial.sectors import clear
from sonolake.spatial.world import World

SLIVER_S = 0.25
"""A sound of which the window's edge leaves less than this may or may not be heard."""
_RARE = 1e-6
"""Weight of a class that no clip has: it is drawn when there are no others."""


@dataclass(frozen=True)
class Scene:
    """The labels of one clip and the world that its distractors come from."""

    events: tuple[ClipEvent, ...]
    world: World

    @cached_property
    def heard(self) -> tuple[str, ...]:
        """Classes that occur, in order of name."""
        return tuple(sorted({event.event for event in self.events}))

    @cached_property
    def doubtful(self) -> bool:
        """Whether some event is too short to say that it is heard."""
        return any(e.duration_s < SLIVER_S and not (begins(e) and ends(e)) for e in self.events)

    def of(self, name: str) -> tuple[ClipEvent, ...]:
        """Events of a class."""
        return tuple(event for event in self.events if event.event == name)

    @cached_property
    def single(self) -> tuple[str, ...]:
        """Classes that occur once."""
        return tuple(name for name in self.heard if len(self.of(name)) == 1)

    @cached_property
    def still(self) -> tuple[str, ...]:
        """Classes whose events all stay at one place."""
        return tuple(still(self.events))

    @cached_property
    def facing(self) -> tuple[str, ...]:
        """Classes at one place that has a clear sector."""
        return tuple(n for n in self.still if clear(self.of(n)[0].azimuth_deg, self.of(n)[0].elevation_deg))

    def unheard(self, rng: np.random.Generator, count: int) -> tuple[str, ...] | None:
        """``count`` classes that do not occur and whose names share no word with those that do, or None.

        They are drawn as often as other clips have them: whoever knows what is usual knows nothing of what is true.
        """
        words = {word for name in self.heard for word in _words(name)}
        others = [name for name in self.world.classes if not words & _words(name)]
        if len(others) < count:
            return None
        usual = np.array([self.world.heard_in.get(name, 0) for name in others]) + _RARE
        ranks = np.argsort(rng.exponential(size=len(others)) / usual)
        return tuple(others[int(i)] for i in ranks[:count])

    def by_onset(self) -> tuple[ClipEvent, ...]:
        """Events in order of their starts."""
        return tuple(sorted(self.events, key=lambda e: (e.onset_s, e.event)))


def one_of(rng: np.random.Generator, items: Sequence[str]) -> str:
    """One of the items, with equal chance."""
    return items[int(rng.integers(len(items)))]


def some_of(rng: np.random.Generator, items: Sequence[str], most: int) -> list[str]:
    """Up to ``most`` different items, in an order that is drawn."""
    return [items[int(i)] for i in rng.permutation(len(items))[:most]]


def _words(name: str) -> set[str]:
    return {word.removesuffix("s") for word in re.findall(r"[^\W_]+", name.lower().rpartition("/")[2])}
