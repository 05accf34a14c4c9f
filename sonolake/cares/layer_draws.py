"""Which layer each event gets: 7 of 20 set back, over all, in each split, and for every reaction.

Splits and reactions stand in a fixed order, and what is set back is rounded along it: so any run of neighbours, a
reaction of a split, a whole split, everything, is within one of its share.
"""

from __future__ import annotations

from collections.abc import Sequence

from sonolake.cares.drawn import Drawn, prior_values
from sonolake.cares.records import LAYERS, REACTIONS, Scenario
from sonolake.ids import seed_of

SUPPORTING_OF_20 = 7
"""Set-back events among twenty: a share of 0.35 (CARES, section 4)."""


def draw_layers(planned: Sequence[Drawn], prior: Sequence[Scenario]) -> dict[str, str]:
    """A layer for each event's key; the same share is set back for every reaction, so that level says nothing."""
    core, supporting = LAYERS
    before = {reaction: prior_values(prior, reaction, lambda spec: spec.layer) for reaction in REACTIONS}
    drawn: dict[str, str] = {}
    events = back = 0
    for split in sorted({d.split for d in planned} | {s.split for s in prior}):
        for reaction in REACTIONS:
            had = before[reaction].get(split, [])
            keys = [d.key for d in planned if (d.split, d.reaction) == (split, reaction)]
            keys.sort(key=lambda key: (seed_of(key, "cares.layer"), key))
            events += len(had) + len(keys)
            wanted = (events * SUPPORTING_OF_20 + 10) // 20 - back - had.count(supporting)
            new = min(max(wanted, 0), len(keys))
            back += had.count(supporting) + new
            drawn.update(dict.fromkeys(keys[:new], supporting) | dict.fromkeys(keys[new:], core))
    return drawn
