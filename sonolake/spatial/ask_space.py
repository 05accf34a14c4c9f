"""Source Localization (eight sectors) and Spatial Relations (nearer, farther)."""

from __future__ import annotations

import numpy as np

from sonolake.spatial.draft import Draft, shown
from sonolake.spatial.scene import DISTANCE_EDGE, Scene, one_of
from sonolake.spatial.sectors import SECTORS, sector

UNLIKE = 1.3
"""Least ratio between a true distance and the false one shown in its place."""
_TRIES = 40


def sector_of(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """The sector of a class that stays at one place, clear of sector edges."""
    if not scene.facing:
        return None
    name = one_of(rng, scene.facing)
    truth = sector(scene.of(name)[0].azimuth_deg)
    a, b, c = _others(rng, [s for s in SECTORS if s != truth], 3)
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
    false = [other for other in scene.heard if other != name][:3]
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
    distance = {name: scene.of(name)[0].distance_m for name in scene.still}
    ranked = sorted(distance, key=lambda name: (distance[name], name))
    pairs = [(a, b) for a in ranked for b in ranked if distance[b] >= DISTANCE_EDGE * distance[a] > 0]
    if not pairs:
        return None
    near, far = pairs[int(rng.integers(len(pairs)))]
    true_pair = (_metres(distance[near]), _metres(distance[far]))
    false_pair = _other_pair(scene, rng, (distance[near], distance[far]))
    if true_pair[0] == true_pair[1] or false_pair is None:
        return None
    first, second = (near, far) if kind == "nearer" else (far, near)
    claims = [(name, *pair) for pair in (true_pair, false_pair) for name in (first, second)]
    a, b, c, d = ("|".join(claim) for claim in claims)
    words = {"|".join(claim): _words(claim) for claim in claims}
    named = sorted((near, far))
    if rng.integers(2):
        named.reverse()
    return Draft(kind, (a, b, c, d), {"event": named[0], "other": named[1]}, words)


def _other_pair(scene: Scene, rng: np.random.Generator, truth: tuple[float, float]) -> tuple[str, str] | None:
    """Two distances that are usual in the world, clearly apart, and clearly not the true ones."""
    usual = scene.world.distances_m
    for _ in range(_TRIES if usual else 0):
        near, far = sorted(usual[int(i)] for i in rng.integers(len(usual), size=2))
        unlike = all(max(x, t) / min(x, t) >= UNLIKE for x, t in zip((near, far), truth, strict=True))
        if far >= UNLIKE * near and unlike and _metres(near) != _metres(far):
            return _metres(near), _metres(far)
    factor = 1.6 if rng.integers(2) else 1 / 1.6
    near_text, far_text = (_metres(t * factor) for t in truth)
    return None if near_text == far_text or near_text == _metres(truth[0]) else (near_text, far_text)


def _words(claim: tuple[str, str, str]) -> dict[str, str]:
    return {"first": shown(claim[0]), "near": claim[1], "far": claim[2]}


def _metres(distance_m: float) -> str:
    return f"{distance_m:.1f} m"


def _others(rng: np.random.Generator, items: list[str], count: int) -> list[str]:
    return [items[int(i)] for i in rng.permutation(len(items))[:count]]
