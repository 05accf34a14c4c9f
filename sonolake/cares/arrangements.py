"""Events of one scene in time: their order, and the third of the dialogue each falls into.

Three events take all three thirds, fewer some of them in order; a pivot never falls into the last third (CARES, as
published). Within these rules all arrangements of a composition are used equally often, so that order does not encode
the reaction, and the thirds of scenes without a pivot are even.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations

from sonolake.cares.compositions import reactions_of
from sonolake.cares.records import BANDS, Scenario
from sonolake.ids import seed_of

Arrangement = tuple[tuple[str, str], ...]
"""(reaction, band) of each event, in order of time."""


@lru_cache(maxsize=64)
def arrangements(composition: str) -> tuple[Arrangement, ...]:
    """All arrangements of a composition that the rules allow."""
    reactions = reactions_of(composition)
    found = {
        tuple(zip(order, bands, strict=True))
        for order in permutations(reactions)
        for bands in combinations(BANDS, len(reactions))
        if ("pivot", BANDS[-1]) not in zip(order, bands, strict=True)
    }
    return tuple(sorted(found))


def arrange(
    compositions: Mapping[str, Mapping[str, str]], prior: Sequence[Scenario]
) -> dict[str, Arrangement]:
    """An arrangement for each slot.

    Args:
        compositions: composition by slot id by split; the answer does not depend on their order.
        prior: what was allocated before.
    """
    used = _Used()
    for scenario in prior:
        events = tuple((event.reaction, event.band) for event in scenario.events)
        used.add(scenario.split, scenario.composition, events)
    split_of = {slot_id: split for split, some in compositions.items() for slot_id in some}
    arranged: dict[str, Arrangement] = {}
    for slot_id in sorted(split_of, key=lambda slot_id: (seed_of(slot_id, "cares.order"), slot_id)):
        split = split_of[slot_id]
        composition = compositions[split][slot_id]
        arranged[slot_id] = min(
            arrangements(composition),
            key=lambda one: (*used.cost(split, composition, one), seed_of(slot_id, f"cares.order {one}")),
        )
        used.add(split, composition, arranged[slot_id])
    return arranged


class _Used:
    """How often each arrangement was used, and each third in scenes with and without a pivot, by split and over all."""

    def __init__(self) -> None:
        self._arrangements: Counter[tuple[str, str, Arrangement]] = Counter()
        self._bands: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)

    def add(self, split: str, composition: str, one: Arrangement) -> None:
        for where in (split, ""):
            self._arrangements[where, composition, one] += 1
            self._bands[where, _pivots(one)].update(band for _, band in one)

    def cost(self, split: str, composition: str, one: Arrangement) -> tuple[int, ...]:
        """What makes an arrangement a bad choice, the worst first."""
        uneven = () if _pivots(one) else (self._spread(split, one), self._spread("", one))
        return (*uneven, *(self._arrangements[where, composition, one] for where in (split, "")))

    def _spread(self, where: str, one: Arrangement) -> int:
        """How far the thirds would lie apart, beyond the one that cannot be helped."""
        after = Counter(self._bands[where, False])
        after.update(band for _, band in one)
        counts = [after[band] for band in BANDS]
        return max(0, max(counts) - min(counts) - 1)


def _pivots(one: Arrangement) -> bool:
    return any(reaction == "pivot" for reaction, _ in one)
