"""Temporal Detection (onset, offset, duration, to 0.1 s) and Temporal Relations."""

from __future__ import annotations

import numpy as np

from sonolake.spatial.draft import Draft, shown
from sonolake.spatial.exchange import Exchange
from sonolake.spatial.plan import RELATIONS
from sonolake.spatial.records import CLIP_S, ClipEvent
from sonolake.spatial.relations import (
    INVERSE,
    TIME_EDGE_S,
    begins,
    comparable_pairs,
    ends,
    family,
    relation_of,
)
from sonolake.spatial.scene import Scene, one_of, some_of
from sonolake.spatial.timing import EDGE_S

APART_S = 0.5
"""Least difference between any two times that are offered."""
_TRIES = 200
_STATEMENTS = {
    "before": "the {event} sound ends before the {other} sound begins",
    "after": "the {event} sound begins after the {other} sound has ended",
    "overlaps": "the {event} sound begins first, and the {other} sound joins in and outlasts it",
    "overlapped_by": "the {other} sound begins first, and the {event} sound joins in and outlasts it",
    "during": "the {event} sound begins and ends while the {other} sound goes on",
    "contains": "the {other} sound begins and ends while the {event} sound goes on",
}


def onset(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """Start of a class that occurs once, not at the clip's edge."""
    return _timed(scene, rng, "onset")


def offset(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """End of a class that occurs once, not at the clip's edge."""
    return _timed(scene, rng, "offset")


def duration(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """Length of a class that occurs once and wholly inside the clip."""
    return _timed(scene, rng, "duration")


def _timed(scene: Scene, rng: np.random.Generator, kind: str) -> Draft | None:
    names = [name for name in scene.single if _whole(scene.of(name)[0], kind)]
    if not names:
        return None
    name = one_of(rng, names)
    event = scene.of(name)[0]
    truth = round({"onset": event.onset_s, "offset": event.offset_s, "duration": event.duration_s}[kind], 1)
    times = [truth]
    for _ in range(_TRIES):
        usual = _usual(scene, rng, kind)
        if len(times) < 4 and all(abs(usual - t) >= APART_S - 1e-9 for t in times):
            times.append(usual)
    if len(times) < 4:
        return None
    a, b, c, d = (f"{t:.1f} s" for t in times)
    return Draft(kind, (a, b, c, d), {"event": name})


def _whole(event: ClipEvent, kind: str) -> bool:
    known = (begins(event) or kind == "offset") and (ends(event) or kind == "onset")
    return known and event.duration_s >= TIME_EDGE_S


def _usual(scene: Scene, rng: np.random.Generator, kind: str) -> float:
    """A time of an event as clips have them: a length of the world, anywhere inside a clip."""
    lengths = scene.world.durations_s or (1.0,)
    length = min(lengths[int(rng.integers(len(lengths)))], CLIP_S - 2 * EDGE_S)
    start = float(rng.uniform(EDGE_S, CLIP_S - EDGE_S - length))
    if kind == "duration":
        length *= 1.0 if scene.world.varied else float(rng.uniform(0.5, 1.0))
    return round({"onset": start, "offset": start + length, "duration": length}[kind], 1)


def relation(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """How two classes that occur once each lie in time; no compared times within 0.2 s.

    Offered are the true relation, its inverse, and another relation with its inverse, which other clips are asked about
    as often as this one beside it.
    """
    pairs = comparable_pairs(scene.events)
    if not pairs:
        return None
    one, two = pairs[int(rng.integers(len(pairs)))]
    truth = relation_of(one, two)
    false = _other_family(scene.world.relations, family(truth), rng)
    if false is None:
        return None
    names = {"event": shown(one.event), "other": shown(two.event)}
    values = (truth, INVERSE[truth], false, INVERSE[false])
    words = {value: {"value": _STATEMENTS[value].format(**names)} for value in values}
    return Draft("relation", values, {"event": one.event, "other": two.event}, words)


def _other_family(usual: Exchange[str], truth: str, rng: np.random.Generator) -> str | None:
    """Another family of relations; any where none is known to be usual, None where no other one balances this one."""
    if not usual.values:
        return one_of(rng, [name for name in RELATIONS if family(name) == name != truth])
    return usual.other(truth, rng)


def first(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """Which class starts first, clearly before any other."""
    return _extreme(scene, rng, "first")


def last(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """Which class starts last, clearly after any other."""
    return _extreme(scene, rng, "last")


def _extreme(scene: Scene, rng: np.random.Generator, kind: str) -> Draft | None:
    chosen = outermost(scene, kind)
    if chosen is None or len(scene.heard) < 2:
        return None
    false = some_of(rng, [name for name in scene.heard if name != chosen.event], 3)
    strangers = scene.unheard(rng, 3 - len(false))
    if strangers is None:
        return None
    a, b, c = (*false, *strangers)
    words = {value: {"value": shown(value)} for value in (chosen.event, a, b, c)}
    return Draft(kind, (chosen.event, a, b, c), {}, words)


def outermost(scene: Scene, kind: str) -> ClipEvent | None:
    """The event that starts ``first`` or ``last``, or None when another class starts within 0.2 s of it.

    A class that the window's edge has cut starts nowhere: then there is none.
    """
    ordered = scene.by_onset() if kind == "first" else scene.by_onset()[::-1]
    chosen = ordered[0]
    rivals = [e for e in ordered if e.event != chosen.event]
    close = any(abs(e.onset_s - chosen.onset_s) <= TIME_EDGE_S for e in rivals)
    return chosen if begins(chosen) and not close else None
