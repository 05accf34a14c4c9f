"""RMS-AQA: which clips there are to be, from what the lake holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sonolake.audition import takes_of
from sonolake.datasets.layers import usable_assets
from sonolake.errors import NotFound
from sonolake.lake import Lake
from sonolake.rendering.clips import class_of, labels_of
from sonolake.spatial.allocate import allocate
from sonolake.spatial.plan import free_slots, in_sixes
from sonolake.spatial.pool import Pool, Response, Take, split_pools
from sonolake.spatial.recorded import Window, windows
from sonolake.spatial.records import ClipRecipe
from tasks.opening import lake_at

SHARES = {"train": 6.0, "validation": 1.0}
"""Simulated clips only train and validate (RMS-AQA, section 2.1)."""
RECORDED = ("validation", "test")
"""Where recordings are cut into clips."""
CUT_SHARE = 4
"""At most one clip of so many is cut from a recording."""


@dataclass(frozen=True)
class Planned:
    """A clip that there is to be.

    Attributes:
        clip_id: the clip.
        source: what it is made from; None for a clip that is there.
        number: of its slot in the split's sequence of simulated clips, None for one that is cut.
    """

    clip_id: str
    source: ClipRecipe | Window | None = None
    number: int | None = None


def pools(lake: Lake) -> dict[str, Pool]:
    """What the simulated clips of each split may be made of."""
    takes = [
        Take(take.asset_id, class_of(take.event), take.asset["duration_s"])
        for take in takes_of(lake)
        if take.event == take.asset["event"]
    ]
    responses = [
        Response(a["asset_id"], a["room"], a["azimuth_deg"], a["elevation_deg"], a["distance_m"])
        for a in usable_assets(lake, "response")
        if a["channels"] >= 4
        and a["room"]
        and None not in (a["azimuth_deg"], a["elevation_deg"], a["distance_m"])
    ]
    ambiences = [a["asset_id"] for a in usable_assets(lake, "ambience")]
    return split_pools(takes, responses, ambiences, _splits(lake))


def _splits(lake: Lake) -> dict[str, str]:
    """Split of every take, ambience and room."""
    rows = lake.rows(
        "SELECT item, split FROM partitions UNION ALL SELECT item, split FROM splits WHERE kind = 'room'"
    )
    return {row["item"]: row["split"] for row in rows}


def recording_windows(lake: Lake) -> list[Window]:
    """The 10 s windows with events of every labelled recording whose room is one to validate or test in: what trains is
    simulated (RMS-AQA, section 2.1)."""
    rooms = _splits(lake)
    found: list[Window] = []
    for asset in usable_assets(lake, "foa"):
        if rooms.get(asset["room"]) in RECORDED:
            kept, _ = windows(
                asset["asset_id"],
                asset["room"],
                rooms[asset["room"]],
                asset["duration_s"],
                labels_of(asset),
                stand_in=bool(asset["synthetic"]),
            )
            found += kept
    return sorted(found, key=lambda window: window.clip_id)


def plan_clips(lake: str, clips: int) -> list[Planned]:
    """The ``clips`` clips that there are to be in all: first those that are there, whatever the lake holds by now.

    Up to a quarter are windows of recordings, the rest is simulated.

    Raises:
        NotFound: when more are asked for than there are and none can be made.
    """
    root = lake_at(lake)
    there = root.rows("SELECT clip_id, split, origin, number FROM clips ORDER BY clip_id")
    planned = [Planned(row["clip_id"]) for row in there[:clips]]
    if len(there) >= clips:
        return planned
    cut_out = _new_windows(root, there, clips)
    return [*planned, *_new_recipes(root, there, clips - len(cut_out)), *cut_out]


def _new_windows(lake: Lake, there: Sequence[Mapping[str, Any]], clips: int) -> list[Planned]:
    known = {row["clip_id"] for row in there}
    share = clips // CUT_SHARE - sum(row["origin"] != "simulated" for row in there)
    new = [window for window in recording_windows(lake) if window.clip_id not in known]
    cut_out = Counter(row["split"] for row in there if row["origin"] != "simulated")
    kept = in_sixes(new[: max(0, min(share, clips - len(there)))], cut_out)
    return [Planned(window.clip_id, window) for window in kept]


def _new_recipes(lake: Lake, there: Sequence[Mapping[str, Any]], clips: int) -> list[Planned]:
    """The simulated clips that are missing for ``clips`` clips in all, those that are cut and there included."""
    usable = {split: pool for split, pool in pools(lake).items() if split in SHARES}
    if not usable:
        raise NotFound(
            "no clip can be made: it takes four-channel responses of rooms and takes in one split (docs/rms-aqa.md)"
        )
    cut_out = sum(row["origin"] != "simulated" for row in there)
    free = free_slots(clips - cut_out, {split: SHARES[split] for split in usable}, _taken(there))
    recipes = [
        (number, recipe)
        for split, numbers in free.items()
        for number, recipe in zip(numbers, allocate(split, numbers, usable[split]), strict=True)
    ]
    return [Planned(recipe.clip_id, recipe, number) for number, recipe in recipes]


def _taken(there: Sequence[Mapping[str, Any]]) -> dict[str, set[int]]:
    """The slots of the simulated clips that are there, by split; clips from before slots were kept have the first."""
    found: dict[str, list[int | None]] = defaultdict(list)
    for row in there:
        if row["origin"] == "simulated":
            found[row["split"]].append(row["number"])
    return {
        split: {n for n in numbers if n is not None} | set(range(numbers.count(None)))
        for split, numbers in found.items()
    }
