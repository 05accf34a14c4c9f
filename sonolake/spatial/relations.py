"""How two sounds lie in time, as far as it is clear."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from sonolake.spatial.exchange import Exchange, different
from sonolake.spatial.plan import RELATIONS
from sonolake.spatial.records import CLIP_S, ClipEvent

TIME_EDGE_S = 0.2
"""Times closer than this are not compared."""
INVERSE: Mapping[str, str] = MappingProxyType(
    {
        a: b
        for one, other in (("before", "after"), ("overlaps", "overlapped_by"), ("during", "contains"))
        for a, b in ((one, other), (other, one))
    }
)
"""Each of ``plan.RELATIONS`` seen from the other sound."""


def begins(event: ClipEvent) -> bool:
    """Whether the start is the sound's own, clear of the clip's start."""
    return not event.cut_start and event.onset_s >= TIME_EDGE_S


def ends(event: ClipEvent) -> bool:
    """Whether the end is the sound's own, clear of the clip's end."""
    return not event.cut_end and event.offset_s <= CLIP_S - TIME_EDGE_S


def relation_of(first: ClipEvent, second: ClipEvent) -> str:
    """Which of ``plan.RELATIONS`` holds; ties count as overlaps."""
    if first.offset_s < second.onset_s:
        return "before"
    if second.offset_s < first.onset_s:
        return "after"
    if first.onset_s <= second.onset_s:
        return "contains" if first.offset_s > second.offset_s else "overlaps"
    return "during" if first.offset_s < second.offset_s else "overlapped_by"


def comparable_pairs(events: Sequence[ClipEvent]) -> list[tuple[ClipEvent, ClipEvent]]:
    """The pairs, both ways round, of sounds whose classes occur once and no two times of which are within 0.2 s.

    In order of names.
    """
    times = Counter(event.event for event in events)
    ordered = sorted(events, key=lambda event: event.event)
    single = [event for event in ordered if times[event.event] == 1 and begins(event) and ends(event)]
    return [(a, b) for a in single for b in single if a != b and _apart(a, b)]


def family(relation: str) -> str:
    """The name that a relation and its inverse share."""
    return min(relation, INVERSE[relation], key=RELATIONS.index)


def families(clips: Iterable[Sequence[ClipEvent]]) -> Exchange[str]:
    """Relations and their inverses as one, by how often clips can be asked about them, each clip's pairs equally."""
    found: dict[str, list[float]] = defaultdict(list)
    for events in clips:
        for name, share in _shares(events):
            found[name].append(share)
    names = tuple(sorted(found))
    total = math.fsum(share for shares in found.values() for share in shares)
    return Exchange(names, tuple(math.fsum(found[name]) / total for name in names), different)


def _shares(events: Sequence[ClipEvent]) -> Iterator[tuple[str, float]]:
    pairs = comparable_pairs(events)
    return ((family(relation_of(a, b)), 1 / len(pairs)) for a, b in pairs)


def _apart(a: ClipEvent, b: ClipEvent) -> bool:
    return all(abs(s - t) > TIME_EDGE_S for s in (a.onset_s, a.offset_s) for t in (b.onset_s, b.offset_s))
