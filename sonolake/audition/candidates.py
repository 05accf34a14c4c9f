"""Candidates for an identifier, best first: by its name in words, and by the sound of what was accepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sonolake.audition.decisions import Kept, decisions_of
from sonolake.cares.banks import Banks
from sonolake.datasets.layers import usable_assets
from sonolake.errors import MissingPackage, NotFound
from sonolake.lake.lake import Lake
from sonolake.search.encoders import Encoders, Sound, sound_of

REFERENCES = 4
"""How many accepted takes stand for the sound, at most."""
_RATE = 16_000


@dataclass(frozen=True)
class Candidate:
    """A recording that might be a take of the identifier.

    Attributes:
        asset: its row of ``assets``, with ``split``.
        rank: from 1; None where the search did not find it.
        found_by: which query found it where, such as ``labels 1``.
        kept: the last decision.
    """

    asset: dict[str, Any]
    rank: int | None
    found_by: str
    kept: Kept


@dataclass(frozen=True)
class Candidates:
    """The candidates, and one sentence on what they are ranked by."""

    takes: tuple[Candidate, ...]
    ranked_by: str


def candidates(
    lake: Lake, event: str, banks: Banks, most: int = 60, encoders: Encoders | None = None
) -> Candidates:
    """The takes of the lake that fit an identifier.

    Args:
        lake: its takes, vectors and decisions.
        event: an identifier of the banks, vocal ones included.
        banks: names of the identifiers.
        most: how many the search gives; takes that their source calls so come after them, whatever their number.
        encoders: of the search; the packaged ones when left out.

    Raises:
        NotFound: for an identifier that no bank has.
    """
    if event not in banks.sounds:
        raise NotFound(f"no sound {event!r} in the banks: sonolake audition --coverage lists them")
    kept = decisions_of(lake).get(event, {})
    assets = {asset["asset_id"]: asset for asset in usable_assets(lake, "take")}
    found, ranked_by = _found(lake, banks.sounds[event].name, _references(kept, assets), most, encoders)
    own = {a for a, asset in assets.items() if asset["event"] == event or a in kept}
    order = [asset_id for asset_id in found if asset_id in assets]
    order += sorted(own - set(found))
    ranks = {asset_id: rank for rank, asset_id in enumerate(found, 1)}
    takes = [
        Candidate(assets[a], ranks.get(a), found.get(a, ""), kept.get(a, Kept()))
        for a in order
        if a in assets
    ]
    return Candidates(tuple(takes), ranked_by)


def _references(kept: dict[str, Kept], assets: dict[str, Any]) -> list[str]:
    """The accepted takes that stand for the sound: those accepted first."""
    accepted = [
        (one.decided_at, asset_id)
        for asset_id, one in kept.items()
        if one.decision.verdict == "accept" and one.decided_at and asset_id in assets
    ]
    return [asset_id for _, asset_id in sorted(accepted)[:REFERENCES]]


def _found(
    lake: Lake, words: str, references: list[str], most: int, encoders: Encoders | None
) -> tuple[dict[str, str], str]:
    """What each asset was found by, best first, and what the order goes by."""
    from sonolake.extras import require
    from sonolake.search import search

    try:
        require("lancedb", "ranking")
        like = _together(lake, references) if references else None
        rows = search(lake, words, like, "kind = 'take'", most, encoders).to_pylist()
    except (NotFound, MissingPackage) as lacking:
        return {}, f"Not ranked: {lacking}"
    by = f"“{words}”"
    if references:
        by += f" and the sound of {len(references)} accepted"
    found = {
        row["asset_id"]: ", ".join(f"{one['query']} {one['rank']}" for one in row["found_by"]) for row in rows
    }
    return found, f"Ranked by {by}"


def _together(lake: Lake, asset_ids: list[str]) -> Sound:
    """Takes one after the other: the search ranks by the nearness to each window of them."""
    import numpy as np

    from sonolake.audio.resample import resample

    sounds = [sound_of(lake.media.read(asset_id)) for asset_id in asset_ids]
    return Sound(np.concatenate([resample(one.samples, one.rate, _RATE) for one in sounds]), _RATE)
