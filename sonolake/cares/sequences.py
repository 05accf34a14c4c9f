"""Events of one scene in time: their order, and the third of the dialogue each falls into."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonolake.cares.records import BANDS


def arrange(reactions: Sequence[str], rng: np.random.Generator) -> list[tuple[str, str]]:
    """Reactions with their bands, in order of time.

    The order is shuffled, so that it does not encode the type; three events take all three bands, fewer a random
    subset in order; a pivot never falls into the last third (as in the published CARES code).
    """
    order = [reactions[i] for i in rng.permutation(len(reactions))]
    chosen = sorted(rng.permutation(len(BANDS))[: len(order)].tolist())
    while any(r == "pivot" and BANDS[b] == "late" for r, b in zip(order, chosen, strict=True)):
        order = [order[i] for i in rng.permutation(len(order))]
        chosen = sorted(rng.permutation(len(BANDS))[: len(order)].tolist())
    return [(reaction, BANDS[band]) for reaction, band in zip(order, chosen, strict=True)]
