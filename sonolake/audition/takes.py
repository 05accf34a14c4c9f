"""The takes that may be mixed: those of the sources, as people have decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sonolake.audition.decisions import decisions_of
from sonolake.datasets.layers import usable_assets
from sonolake.lake.lake import Lake


@dataclass(frozen=True)
class Take:
    """A take of an identifier.

    Attributes:
        asset_id: its recording.
        event: the identifier; a recording may be a take of several.
        split: of its partition; None while it has none.
        trim_s: start and end of what is used, seconds; None for all of it.
        asset: the row of ``assets``.
    """

    asset_id: str
    event: str
    split: str | None
    trim_s: tuple[float, float] | None
    asset: dict[str, Any]


def takes_of(lake: Lake) -> list[Take]:
    """Takes with a usable licence, by asset and identifier: what its source calls so and nobody has rejected, and what
    was accepted for another identifier."""
    decided = decisions_of(lake)
    found = []
    for asset in usable_assets(lake, "take"):
        asset_id = asset["asset_id"]
        about = {event: takes[asset_id].decision for event, takes in decided.items() if asset_id in takes}
        events = {event for event, decision in about.items() if decision.verdict == "accept"}
        if asset["event"]:
            events.add(asset["event"])
        for event in sorted(events):
            decision = about.get(event)
            if decision is None or decision.verdict != "reject":
                trim = decision.trim_s if decision else None
                found.append(Take(asset_id, event, asset["split"], trim, asset))
    return found
