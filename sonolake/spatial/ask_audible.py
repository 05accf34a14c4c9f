"""Stage 1: which sounds are audible. Four lists that differ in two ways, crossed, so that no list stands out.

Two changes, each made or not, give four lists; the truth is any of them with equal right: replacing a heard class
by an unheard one, and a second replacement, an addition or an omission. Lists have one or two lengths; lists of ``k``
and ``k + 1`` stand beside each other as often where ``k`` are true as where ``k + 1`` are, whatever clips there are.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sonolake.spatial.draft import Draft, listing
from sonolake.spatial.scene import Scene

_SHARE = 1 / 3
"""Of the clips of the rarer of two numbers of classes that get lists of both lengths."""


def audible(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """The lists, or None when a sound is doubtful or the world has too few classes."""
    heard = frozenset(scene.heard)
    strangers = scene.unheard(rng, 3 if len(heard) == 1 else 2)
    if strangers is None or scene.doubtful:
        return None
    order = [scene.heard[int(i)] for i in rng.permutation(len(heard))]
    design = _design(scene.world.sizes, len(heard), float(rng.random()))
    swapped = heard - {order[0]} | {strangers[0]}
    if design == "add":
        sets = [heard, swapped, heard | {strangers[1]}, swapped | {strangers[1]}]
    elif design == "omit":
        sets = [heard, swapped, heard - {order[1]}, swapped - {order[1]}]
    elif len(heard) == 1:
        sets = [heard, *(frozenset({name}) for name in strangers)]
    else:
        sets = [heard, swapped, *(s - {order[1]} | {strangers[1]} for s in (heard, swapped))]
    lists = [tuple(sorted(names)) for names in sets]
    a, b, c, d = ("|".join(names) for names in lists)
    words = {"|".join(names): {"value": listing(names)} for names in lists}
    return Draft("audible", (a, b, c, d), words=words)


def _design(clips: Mapping[int, int], classes: int, drawn: float) -> str:
    """``add``, ``omit`` or ``replace`` for a clip of so many classes, by how many clips have as many."""
    mine = clips.get(classes, 0)
    add, omit = (_SHARE * min(mine, clips.get(n, 0)) for n in (classes + 1, classes - 1))
    if drawn * mine < add:
        return "add"
    return "omit" if classes > 1 and drawn * mine < add + omit else "replace"
