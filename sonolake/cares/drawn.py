"""An event of a scenario before it has a sound, a register and a layer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sonolake.cares.records import EventSpec, Scenario


@dataclass(frozen=True)
class Drawn:
    """An event to be: the ``rank``-th of a slot, before it has a sound."""

    slot_id: str
    rank: int
    split: str
    location: str
    reaction: str
    band: str

    @property
    def key(self) -> str:
        """Names the event within a batch."""
        return f"{self.slot_id}/{self.rank}"


def by_split(events: Iterable[Drawn]) -> dict[str, list[str]]:
    """The keys of events, by split."""
    found: dict[str, list[str]] = defaultdict(list)
    for d in events:
        found[d.split].append(d.key)
    return found


def prior_values(
    prior: Sequence[Scenario], reaction: str, read: Callable[[EventSpec], str]
) -> dict[str, list[str]]:
    """A field of the earlier events of one reaction, by split."""
    found: dict[str, list[str]] = defaultdict(list)
    for scenario in prior:
        for spec in scenario.events:
            if spec.reaction == reaction:
                found[scenario.split].append(read(spec))
    return found
