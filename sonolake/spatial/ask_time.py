"""Temporal Detection (onset, offset, duration, to 0.1 s) and Temporal Relations."""

from __future__ import annotations

import numpy as np

from sonolake.spatial.draft import Draft, shown
from sonolake.spatial.plan import RELATIONS
from sonolake.spatial.records import CLIP_S, ClipEvent
from sonolake.spatial.scene import TIME_EDGE_S, Scene, begins, ends, one_of
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
    """How two classes that occur once each lie in time; no compared times within 0.2 s."""
    order = [scene.single[int(i)] for i in rng.permutation(len(scene.single))]
    pairs = [(a, b) for a in order for b in order if a != b and _apart(scene.of(a)[0], scene.of(b)[0])]
    if not pairs:
        return None
    event, other = pairs[0]
    truth = relation_of(scene.of(event)[0], scene.of(other)[0])
    false = [name for name in RELATIONS if name != truth]
    a, b, c = (false[int(i)] for i in rng.permutation(len(false))[:3])
    names = {"event": shown(event), "other": shown(other)}
    words = {value: {"value": _STATEMENTS[value].format(**names)} for value in (truth, a, b, c)}
    return Draft("relation", (truth, a, b, c), {"event": event, "other": other}, words)


def relation_of(first: ClipEvent, second: ClipEvent) -> str:
    """Which of ``plan.RELATIONS`` holds; ties count as overlaps."""
    if first.offset_s < second.onset_s:
        return "before"
    if second.offset_s < first.onset_s:
        return "after"
    if first.onset_s <= second.onset_s:
        return "contains" if first.offset_s > second.offset_s else "overlaps"
    return "during" if first.offset_s < second.offset_s else "overlapped_by"


def _apart(a: ClipEvent, b: ClipEvent) -> bool:
    times = [(s, t) for s in (a.onset_s, a.offset_s) for t in (b.onset_s, b.offset_s)]
    whole = all(begins(event) and ends(event) for event in (a, b))
    return whole and all(abs(s - t) > TIME_EDGE_S for s, t in times)


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
    false = [name for name in scene.heard if name != chosen.event][:3]
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
