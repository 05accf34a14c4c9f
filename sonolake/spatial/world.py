"""What is usual in a split, to draw distractors that look like truths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from sonolake.spatial.actions import action_for
from sonolake.spatial.distances import Pair, distance_pairs
from sonolake.spatial.exchange import Exchange, different
from sonolake.spatial.records import CLIP_S, ClipEvent


@dataclass(frozen=True)
class World:
    """What the clips of a split hold.

    Attributes:
        classes: in order of name.
        durations_s: of events, in order.
        distances: the pairs that can be compared. steps: the next steps that sounds call for.
    """

    classes: tuple[str, ...]
    durations_s: tuple[float, ...]
    distances: Exchange[Pair]
    steps: Exchange[str]

    @cached_property
    def varied(self) -> bool:
        """Whether there are four lengths or more, enough for a true one and three others."""
        return len(set(self.durations_s)) >= 4

    @classmethod
    def of(cls, clips: Iterable[Sequence[ClipEvent]], classes: Iterable[str] = ()) -> Self:
        """The world of labelled clips, and of more classes."""
        labelled = [tuple(events) for events in clips]
        events = [event for events in labelled for event in events]
        names = {event.event for event in events} | set(classes)
        lengths = sorted(min(event.duration_s, CLIP_S) for event in events)
        return cls(tuple(sorted(names)), tuple(lengths), distance_pairs(labelled), _steps(events, names))


def _steps(events: Sequence[ClipEvent], names: Iterable[str]) -> Exchange[str]:
    """Each step by how many sounds call for it; one that only a further class calls for, as if for a single sound."""
    heard = Counter(event.event for event in events)
    called: Counter[str] = Counter()
    for name in names:
        if action := action_for(name):
            called[action.action_id] += max(1, heard[name])
    steps = tuple(sorted(called))
    return Exchange(steps, tuple(called[step] / called.total() for step in steps), different)
