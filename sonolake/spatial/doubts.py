"""Why a careful listener could dispute an answer, found from the labels by code of its own.

The rules are those of the questions (sectors within 5 degrees of an edge, times within 0.2 s, distances within 15 % are
not asked about), written down a second time: nothing here is taken from the generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from sonolake.spatial.records import LETTERS, ClipEvent, Question

Events = Sequence[ClipEvent]
_DEGREES, _STEEP_DEGREES = 5.0, 60.0
_SECONDS = 0.2
_RATIO = 1.15
_LENGTH_S = 10.0
_ROUNDING = 1e-9


def doubts(question: Question, letter: str, events: Events) -> list[str]:
    """What speaks against asking, in words; nothing when the answer is beyond dispute.

    Args:
        question: what is asked.
        letter: of the option that holds.
        events: the labels of its clip.
    """
    truth = question.values[LETTERS.index(letter)]
    false = [value for value in question.values if value != truth]
    return list(_RULES.get(question.kind, _none)(question, truth, false, events))


Found = Iterator[str]


def _of(events: Events, name: str) -> list[ClipEvent]:
    return sorted((event for event in events if event.event == name), key=lambda event: event.onset_s)


def _close(a: float, b: float) -> bool:
    return abs(a - b) < _SECONDS - _ROUNDING


def _none(*_: object) -> Found:
    yield from ()


def _pauses(question: Question, truth: str, false: Sequence[str], events: Events) -> Found:
    """Events of a class that is counted must be apart."""
    named = dict(question.arguments).get("event")
    for name in sorted({event.event for event in events} if named is None else {named}):
        same = _of(events, name)
        if any(b.onset_s - a.offset_s < _SECONDS - _ROUNDING for a, b in pairwise(same)):
            yield f"two sounds of {name} run into each other"


def _overlaps(question: Question, truth: str, false: Sequence[str], events: Events) -> Found:
    """The most at once, with every sound a little longer or shorter."""
    half = _SECONDS / 2 - _ROUNDING
    for slack in (-half, half):
        starts = [event.onset_s - slack for event in events]
        most = max(sum(a.onset_s - slack <= t < a.offset_s + slack for a in events) for t in starts)
        if most != int(truth):
            yield f"with times {slack:+.1f} s apart {most} sound at once"


def _places(events: Events) -> Found:
    for event in events:
        beside = (event.azimuth_deg - 22.5) % 45.0
        if min(beside, 45.0 - beside) < _DEGREES - _ROUNDING:
            yield f"{event.event} is within {_DEGREES:.0f} degrees of the edge of a sector"
        if abs(event.elevation_deg) > _STEEP_DEGREES:
            yield f"{event.event} is too high or low for a sector"
        if event.moving:
            yield f"{event.event} moves"


def _sector(question: Question, truth: str, false: Sequence[str], events: Events) -> Found:
    yield from _places(_of(events, question.argument("event")))


def _all_sectors(question: Question, truth: str, false: Sequence[str], events: Events) -> Found:
    yield from _places(events)


def _time(question: Question, truth: str, false: Sequence[str], events: Events) -> Found:
    same = _of(events, question.argument("event"))
    if len(same) != 1:
        yield f"{len(same)} sounds could be meant"
    if question.kind != "offset" and (same[0].cut_start or same[0].onset_s < _SECONDS - _ROUNDING):
        yield "it begins at the clip's edge"
    if question.kind != "onset" and (same[0].cut_end or same[0].offset_s > _LENGTH_S - _SECONDS + _ROUNDING):
        yield "it ends at the clip's edge"
    seconds = float(truth.removesuffix(" s"))
    for value in false:
        if _close(float(value.removesuffix(" s")), seconds):
            yield f"{value} is too near {truth}"


def _distance(question: Question, truth: str, false: Sequence[str], events: Events) -> Found:
    names = [question.argument("event"), question.argument("other")]
    sounds = [_of(events, name) for name in names]
    near, far = sorted(same[0].distance_m for same in sounds)
    if far < _RATIO * near * (1 - _ROUNDING):
        yield f"{near:.2f} and {far:.2f} m are too much alike"
    if any(event.moving for same in sounds for event in same):
        yield "one of them moves"
    said = [float(text.removesuffix(" m")) for text in truth.split("|")[1:]]
    for value in false:
        claimed = [float(text.removesuffix(" m")) for text in value.split("|")[1:]]
        ratios = [max(a, b) / min(a, b) for a, b in zip(said, claimed, strict=True)]
        if value.split("|")[0] == truth.split("|")[0] and max(ratios) < _RATIO:
            yield f"{claimed} m are too near {said} m"


def _order(question: Question, truth: str, false: Sequence[str], events: Events) -> Found:
    a, b = (_of(events, question.argument(name))[0] for name in ("event", "other"))
    if any(_close(s, t) for s in (a.onset_s, a.offset_s) for t in (b.onset_s, b.offset_s)):
        yield "two of their times are too much alike"
    if any(event.cut_start or event.cut_end for event in (a, b)):
        yield "the clip's edge cuts one of them"


def _outermost(question: Question, truth: str, false: Sequence[str], events: Events) -> Found:
    pick = min if question.kind.endswith("first") else max
    one = pick(events, key=lambda event: event.onset_s)
    if one.cut_start or one.onset_s < _SECONDS - _ROUNDING:
        yield "it begins at the clip's edge"
    if any(_close(one.onset_s, other.onset_s) for other in events if other.event != one.event):
        yield "another sound begins at nearly the same time"
    if question.kind.startswith("step"):
        yield from _places([one])


_RULES: Mapping[str, Callable[[Question, str, Sequence[str], Events], Found]] = {
    "count_events": _pauses,
    "count_repeats": _pauses,
    "count_simultaneous": _overlaps,
    "sector_of": _sector,
    "event_at": _all_sectors,
    "onset": _time,
    "offset": _time,
    "duration": _time,
    "nearer": _distance,
    "farther": _distance,
    "relation": _order,
    "first": _outermost,
    "last": _outermost,
    "step_first": _outermost,
    "step_last": _outermost,
}
