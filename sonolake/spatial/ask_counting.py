"""Sound Counting: events, kinds, repetitions, most at once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from sonolake.spatial.draft import Draft
from sonolake.spatial.relations import TIME_EDGE_S
from sonolake.spatial.scene import Scene, one_of
from sonolake.spatial.timing import polyphony


def count_events(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """How many events; None when repetitions of a class run into each other."""
    return _counts(rng, "count_events", len(scene.events)) if _countable(scene, scene.heard) else None


def count_classes(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """How many different classes."""
    return None if scene.doubtful else _counts(rng, "count_classes", len(scene.heard))


def count_repeats(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """How often the most frequent class (of equals, one drawn) occurs."""
    most = max(len(scene.of(name)) for name in scene.heard)
    name = one_of(rng, [name for name in scene.heard if len(scene.of(name)) == most])
    if not _countable(scene, (name,)):
        return None
    return _counts(rng, "count_repeats", most, {"event": name})


def count_simultaneous(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """Most events at once; None when a slightly longer or shorter sound would change it."""
    times = [(event.onset_s, event.offset_s) for event in scene.events]
    counts = {polyphony(times, slack) for slack in (-TIME_EDGE_S / 2, 0.0, TIME_EDGE_S / 2)}
    return _counts(rng, "count_simultaneous", counts.pop()) if len(counts) == 1 else None


def _countable(scene: Scene, names: tuple[str, ...]) -> bool:
    """Whether events of one class are always separated by a clear pause."""
    for name in names:
        events = sorted(scene.of(name), key=lambda e: e.onset_s)
        pauses = (b.onset_s - a.offset_s for a, b in pairwise(events))
        if any(pause < TIME_EDGE_S for pause in pauses):
            return False
    return not scene.doubtful


def _counts(
    rng: np.random.Generator, kind: str, truth: int, arguments: dict[str, str] | None = None
) -> Draft:
    """1 to 4, or four neighbours of a larger truth, at a place among them that is drawn."""
    low = 1 if truth <= 4 else truth - int(rng.integers(4))
    a, b, c = (str(n) for n in range(low, low + 4) if n != truth)
    return Draft(kind, (str(truth), a, b, c), arguments or {})
