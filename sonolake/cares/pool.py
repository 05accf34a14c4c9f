"""What an allocation may draw on: the sounds, places and voices that are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sonolake.cares.banks import Banks
from sonolake.cares.compositions import MAX_EVENTS
from sonolake.cares.records import GENDER_PAIRS
from sonolake.errors import InvalidInput


@dataclass(frozen=True)
class Pool:
    """What can be spoken and heard.

    Attributes:
        events: for each split, the event ids that have a take in it; a sound without one is not allocated there.
        genders: the pairs that the voices can speak, a subset of FF, FM, MF, MM (two women need two voices).
        locations: the places that have an ambience in every split; all of the bank when empty.
    """

    events: Mapping[str, frozenset[str]]
    genders: tuple[str, ...] = GENDER_PAIRS
    locations: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.genders or not set(self.genders) <= set(GENDER_PAIRS):
            raise InvalidInput("genders", f"some of {GENDER_PAIRS}", self.genders)

    def places(self, banks: Banks) -> tuple[str, ...]:
        """The locations in the bank's order.

        Raises:
            InvalidInput: when none is left, one is unknown, or one has too few sounds in a split.
        """
        wanted = self.locations or tuple(banks.locations)
        if unknown := set(wanted) - set(banks.locations):
            raise InvalidInput(
                "locations", f"some of {', '.join(sorted(banks.locations))}", ", ".join(sorted(unknown))
            )
        for place in wanted:
            for split in sorted(self.events):
                have = [e for e in banks.pool(place) if e in self.events[split]]
                if len(have) < MAX_EVENTS:
                    raise InvalidInput(
                        f"sounds with a take for {place} in {split}",
                        f"at least {MAX_EVENTS} of {', '.join(banks.pool(place))}",
                        ", ".join(have) or "none",
                        "too few takes were ingested",
                    )
        return tuple(place for place in banks.locations if place in wanted)


def speakable(genders: str) -> tuple[str, ...]:
    """The pairs that voices of these genders can speak, one voice a person: ``"fm"`` gives FM and MF."""
    women, men = genders.lower().count("f"), genders.lower().count("m")
    able = {"FF": women >= 2, "FM": women >= 1 <= men, "MF": women >= 1 <= men, "MM": men >= 2}
    return tuple(pair for pair in GENDER_PAIRS if able[pair])
