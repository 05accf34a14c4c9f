"""Source Localization (eight sectors) and Spatial Relations (nearer, farther)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonolake.spatial.distances import comparable, false_pair, still, written
from sonolake.spatial.draft import Draft, shown
from sonolake.spatial.scene import Scene, one_of, some_of
from sonolake.spatial.sectors import SECTORS, sector


def sector_of(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """The sector of a class that stays at one place, clear of sector edges."""
    if not scene.facing:
        return None
    name = one_of(rng, scene.facing)
    truth = sector(scene.of(name)[0].azimuth_deg)
    a, b, c = some_of(rng, [s for s in SECTORS if s != truth], 3)
    return Draft("sector_of", (truth, a, b, c), {"event": name})


def event_at(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """Which class is in a sector; every class must be in a clear one, and that sector hold one class."""
    if scene.facing != scene.heard:
        return None
    places = {name: sector(scene.of(name)[0].azimuth_deg) for name in scene.heard}
    alone = [name for name in scene.heard if list(places.values()).count(places[name]) == 1]
    if not alone:
        return None
    name = one_of(rng, alone)
    false = some_of(rng, [other for other in scene.heard if other != name], 3)
    strangers = scene.unheard(rng, 3 - len(false))
    if strangers is None:
        return None
    a, b, c = (*false, *strangers)
    words = {value: {"value": shown(value)} for value in (name, a, b, c)}
    return Draft("event_at", (name, a, b, c), {"sector": places[name]}, words)


def nearer(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """Which of two is nearer, with both distances."""
    return _compared(scene, rng, "nearer")


def farther(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """Which of two is farther, with both distances."""
    return _compared(scene, rng, "farther")


def _compared(scene: Scene, rng: np.random.Generator, kind: str) -> Draft | None:
    """Two classes crossed with two pairs of distances; None without two clearly different distances."""
    distance = still(scene.events)
    pairs = comparable(distance)
    if not pairs:
        return None
    near, far = pairs[int(rng.integers(len(pairs)))]
    truth = (written(distance[near]), written(distance[far]))
    false = false_pair(scene.world.distances, truth, rng)
    if false is None:
        return None
    first, second = (near, far) if kind == "nearer" else (far, near)
    claims = [(name, *map(_metres, pair)) for pair in (truth, false) for name in (first, second)]
    a, b, c, d = ("|".join(claim) for claim in claims)
    words = {"|".join(claim): _words(claim) for claim in claims}
    named = sorted((near, far))
    if rng.integers(2):
        named.reverse()
    return Draft(kind, (a, b, c, d), {"event": named[0], "other": named[1]}, words)


def _words(claim: Sequence[str]) -> dict[str, str]:
    return {"first": shown(claim[0]), "near": claim[1], "far": claim[2]}


def _metres(distance_m: float) -> str:
    return f"{distance_m:.1f} m"
