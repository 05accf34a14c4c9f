"""The answer of a question, worked out anew from the clip's labels.

It takes the kind and arguments of a question, judges the claim of each option on its own, and demands that exactly one
holds, that none is near an edge (``doubts.py``), and that every option's text says its claim. No code is shared with
the generator of questions. Shared are the records of labels and questions, and, as data, the table of steps
(``actions.json``), which is read anew here: a step that the table gives to the wrong sound is not found.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files

from sonolake.errors import Refused
from sonolake.spatial.doubts import doubts
from sonolake.spatial.records import LETTERS, ClipEvent, Question

Events = Sequence[ClipEvent]
_NAMES = ("front", "front-left", "left", "rear-left", "rear", "rear-right", "right", "front-right")


def answer(question: Question, events: Events) -> str:
    """Letter of the one true option.

    Raises:
        Refused: when none or several options hold, when a listener could dispute the answer, or when a text does not
            say what its option claims.
    """
    holds = _JUDGES[question.kind]
    true = [
        letter
        for letter, value in zip(LETTERS, question.values, strict=True)
        if holds(question, value, events)
    ]
    if len(true) != 1:
        raise Refused(f"{question.question_id}: {len(true)} options hold, exactly one must ({question.kind})")
    if found := doubts(question, true[0], events):
        raise Refused(f"{question.question_id}: {found[0]} ({question.kind})")
    for text, value in zip(question.options, question.values, strict=True):
        missing = [part for part in _said(question, value) if part.lower() not in text.lower()]
        if missing:
            raise Refused(f"{question.question_id}: the option {text!r} does not say {missing}")
    return true[0]


def _said(question: Question, value: str) -> list[str]:
    """What a text must contain to make a claim."""
    if question.kind == "relation":
        return [_plain(question.argument("event")), _plain(question.argument("other"))]
    parts = value.split("|")
    if question.dimension == "AP":
        parts = [step for action_id, step in _steps().values() if action_id == parts[0]][:1] + parts[1:]
    return [_plain(part) for part in parts]


def _plain(text: str) -> str:
    return text.split("/")[-1].replace("_", " ").strip()


def _named(events: Events, name: str) -> list[ClipEvent]:
    return [event for event in events if event.event == name]


def _direction(event: ClipEvent) -> str:
    """The sector whose centre is nearest in angle."""
    az = math.radians(event.azimuth_deg)
    return max(_NAMES, key=lambda name: math.cos(az - _NAMES.index(name) * math.pi / 4))


def _at_once(events: Events) -> int:
    """Most events at once, by sweeping over starts and ends (ends first at equal times)."""
    steps = sorted([(event.onset_s, 1) for event in events] + [(event.offset_s, -1) for event in events])
    running = most = 0
    for _, step in steps:
        running += step
        most = max(most, running)
    return most


def _audible(_: Question, value: str, events: Events) -> bool:
    return set(value.split("|")) == {event.event for event in events}


def _count_events(_: Question, value: str, events: Events) -> bool:
    return int(value) == len(events)


def _count_classes(_: Question, value: str, events: Events) -> bool:
    return int(value) == len({event.event for event in events})


def _count_repeats(question: Question, value: str, events: Events) -> bool:
    return int(value) == len(_named(events, question.argument("event")))


def _count_simultaneous(_: Question, value: str, events: Events) -> bool:
    return int(value) == _at_once(events)


def _sector_of(question: Question, value: str, events: Events) -> bool:
    return {_direction(event) for event in _named(events, question.argument("event"))} == {value}


def _event_at(question: Question, value: str, events: Events) -> bool:
    return any(_direction(event) == question.argument("sector") for event in _named(events, value))


def _near(seconds: float, value: str) -> bool:
    """Whether a text like ``3.2 s`` is the time, to the 0.1 s it is written in."""
    return abs(seconds - float(value.removesuffix(" s"))) <= 0.05 + 1e-6


def _onset(question: Question, value: str, events: Events) -> bool:
    return any(_near(event.onset_s, value) for event in _named(events, question.argument("event")))


def _offset(question: Question, value: str, events: Events) -> bool:
    return any(_near(event.offset_s, value) for event in _named(events, question.argument("event")))


def _duration(question: Question, value: str, events: Events) -> bool:
    named = _named(events, question.argument("event"))
    return any(_near(event.offset_s - event.onset_s, value) for event in named)


def _compared(question: Question, value: str, events: Events) -> bool:
    name, near, far = value.split("|")
    other = next(n for n in (question.argument("event"), question.argument("other")) if n != name)
    mine, its = _named(events, name)[0].distance_m, _named(events, other)[0].distance_m
    right = mine < its if question.kind == "nearer" else mine > its
    quoted = [float(text.removesuffix(" m")) for text in (near, far)]
    return right and all(abs(q - d) <= 0.05 + 1e-6 for q, d in zip(quoted, sorted((mine, its)), strict=True))


def _relation(question: Question, value: str, events: Events) -> bool:
    a, b = (_named(events, question.argument(name))[0] for name in ("event", "other"))
    both = min(a.offset_s, b.offset_s) > max(a.onset_s, b.onset_s)
    return {
        "before": a.offset_s < b.onset_s,
        "after": a.onset_s > b.offset_s,
        "overlaps": both and a.onset_s < b.onset_s and a.offset_s < b.offset_s,
        "overlapped_by": both and a.onset_s > b.onset_s and a.offset_s > b.offset_s,
        "during": a.onset_s > b.onset_s and a.offset_s < b.offset_s,
        "contains": a.onset_s < b.onset_s and a.offset_s > b.offset_s,
    }[value]


def _first(_: Question, value: str, events: Events) -> bool:
    return min(events, key=lambda event: event.onset_s).event == value


def _last(_: Question, value: str, events: Events) -> bool:
    return max(events, key=lambda event: event.onset_s).event == value


def _step(question: Question, value: str, events: Events) -> bool:
    pick = min if question.kind == "step_first" else max
    event = pick(events, key=lambda event: event.onset_s)
    action_id, _ = _steps().get(_plain(event.event), ("", ""))
    return bool(action_id) and value == f"{action_id}|{_direction(event)}"


@cache
def _steps() -> Mapping[str, tuple[str, str]]:
    """Id and words of the step that a class calls for, as the table says."""
    rows = json.loads(files("sonolake.spatial").joinpath("actions.json").read_text("utf-8"))["actions"]
    return {name: (row["id"], row["step"]) for row in rows for name in row["classes"]}


_JUDGES: Mapping[str, Callable[[Question, str, Events], bool]] = {
    "audible": _audible,
    "count_events": _count_events,
    "count_classes": _count_classes,
    "count_repeats": _count_repeats,
    "count_simultaneous": _count_simultaneous,
    "sector_of": _sector_of,
    "event_at": _event_at,
    "onset": _onset,
    "offset": _offset,
    "duration": _duration,
    "nearer": _compared,
    "farther": _compared,
    "relation": _relation,
    "first": _first,
    "last": _last,
    "step_first": _step,
    "step_last": _step,
}
