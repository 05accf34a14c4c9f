"""Stage 1: which sounds are audible. Four lists that differ in two ways, crossed, so that no list stands out.

Two changes, each made or not, give four lists; the truth is any of them with equal right: replacing a heard class
by an unheard one, and a second replacement, an addition or an omission. Lists have one or two lengths.
"""

from __future__ import annotations

import numpy as np

from sonolake.spatial.draft import Draft, listing
from sonolake.spatial.scene import Scene, one_of

_DESIGNS = {1: ("replace", "add"), 2: ("omit", "add"), 3: ("omit", "add"), 4: ("omit", "replace")}
"""Second change by the number of classes; more classes: replace. Balanced so that length does not tell the truth where 1
to 4 classes are equally frequent: lists of two lengths are as often made by an addition as by an omission."""


def audible(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """The lists, or None when a sound is doubtful or the world has too few classes."""
    heard = frozenset(scene.heard)
    strangers = scene.unheard(rng, 3 if len(heard) == 1 else 2)
    if strangers is None or scene.doubtful:
        return None
    order = [scene.heard[int(i)] for i in rng.permutation(len(heard))]
    design = one_of(rng, _DESIGNS.get(len(heard), ("replace",)))
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
