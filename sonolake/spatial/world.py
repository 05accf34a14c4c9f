"""What is usual in a split, to draw distractors that look like truths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from sonolake.spatial.actions import action_for, distinct
from sonolake.spatial.distances import Pair, distance_pairs
from sonolake.spatial.exchange import Exchange
from sonolake.spatial.records import CLIP_S, ClipEvent
from sonolake.spatial.relations import families

Clip = Sequence[ClipEvent]


@dataclass(frozen=True)
class World:
    """What the clips of a split hold.

    Attributes:
        classes: in order of name.
        heard_in: in how many clips each class is heard.
        sizes: how many clips have so many classes.
        durations_s: of events, in order.
        distances: the pairs that can be compared. steps: the next steps that sounds call for.
        relations: how two sounds lie in time, by family.
    """

    classes: tuple[str, ...]
    heard_in: Mapping[str, int]
    sizes: Mapping[int, int]
    durations_s: tuple[float, ...]
    distances: Exchange[Pair]
    steps: Exchange[str]
    relations: Exchange[str]

    @cached_property
    def varied(self) -> bool:
        """Whether there are four lengths or more, enough for a true one and three others."""
        return len(set(self.durations_s)) >= 4

    @classmethod
    def of(cls, clips: Iterable[Clip], classes: Iterable[str] = (), kinds: Iterable[str] = ()) -> Self:
        """The world of labelled clips.

        Args:
            clips: labels of each.
            classes: further ones.
            kinds: of question that each clip was laid out for, empty for none; without them all may be asked anything.
        """
        labelled = [tuple(events) for events in clips]
        laid_out = list(zip(labelled, kinds, strict=True)) if (kinds := list(kinds)) else []
        events = [event for events in labelled for event in events]
        heard = [{event.event for event in events} for events in labelled]
        names = {name for one in heard for name in one} | set(classes)

        def asked(*wanted: str) -> list[tuple[ClipEvent, ...]]:
            return [one for one, kind in laid_out if kind in ("", *wanted)] or labelled

        return cls(
            tuple(sorted(names)),
            Counter(name for one in heard for name in one),
            Counter(map(len, heard)),
            tuple(sorted(min(event.duration_s, CLIP_S) for event in events)),
            distance_pairs(asked("nearer", "farther")),
            _steps(asked("step_first", "step_last"), names),
            families(asked("relation")),
        )


def _steps(clips: Iterable[Clip], names: Iterable[str]) -> Exchange[str]:
    """Each step by how many sounds call for it; one that only a further class calls for, as if for a single sound."""
    heard = Counter(event.event for events in clips for event in events)
    called: Counter[str] = Counter()
    for name in names:
        if action := action_for(name):
            called[action.action_id] += max(1, heard[name])
    steps = tuple(sorted(called))
    return Exchange(steps, tuple(called[step] / called.total() for step in steps), distinct)
