"""RMS-AQA: which clips there are to be, from what the lake holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sonolake.audition import takes_of
from sonolake.datasets.layers import usable_assets
from sonolake.errors import NotFound
from sonolake.lake import Lake
from sonolake.rendering.clips import labels_of
from sonolake.spatial.allocate import allocate
from sonolake.spatial.limits import USUAL, Limits
from sonolake.spatial.plan import free_slots, in_sixes
from sonolake.spatial.pool import Pool, Response, Take, split_pools
from sonolake.spatial.recorded import LeftOut, Window, windows
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
        source: what it is made from, or why it is not; None for a clip that is there.
        number: of its slot in the split's sequence of simulated clips, None for one that is cut.
        at_once: the most sounds that a simulated clip may have at one time.
    """

    clip_id: str
    source: ClipRecipe | Window | LeftOut | None = None
    number: int | None = None
    at_once: int | None = None


def pools(lake: Lake) -> dict[str, Pool]:
    """What the simulated clips of each split may be made of."""
    dry = {row["take_id"]: row for row in lake.rows("FROM dry_events")}
    takes = [
        Take(take.asset_id, dry[take.asset_id]["event"], dry[take.asset_id]["duration_s"])
        for take in takes_of(lake)
        if take.asset_id in dry and take.event == take.asset["event"]
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


def recording_windows(lake: Lake, keep_empty: bool = False) -> tuple[list[Window], list[LeftOut]]:
    """The 10 s windows of every recording whose room is one to validate or test in, and those that are left out.

    What trains is simulated (RMS-AQA, section 2.1). Recordings that were simulated stand in where a split has no window
    of a real one, and are passed over where it has.

    Args:
        lake: with recordings.
        keep_empty: use windows of labelled recordings in which no sound is labelled, too.
    """
    rooms = _splits(lake)
    kept: list[Window] = []
    out: list[LeftOut] = []
    for asset in usable_assets(lake, "foa"):
        if rooms.get(asset["room"]) in RECORDED:
            found = windows(
                asset["asset_id"],
                asset["room"],
                rooms[asset["room"]],
                asset["duration_s"],
                labels_of(asset),
                stand_in=bool(asset["synthetic"]),
                keep_empty=keep_empty and bool(asset["labels"]),
            )
            kept += found[0]
            out += found[1]
    real = {window.split for window in kept if window.origin == "recorded"}
    return (
        sorted((one for one in kept if _stands(one, real)), key=lambda window: window.clip_id),
        sorted((one for one in out if _stands(one.window, real)), key=lambda one: one.window.clip_id),
    )


def _stands(window: Window, real: Collection[str]) -> bool:
    """Whether a window is of a real recording, or stands in where its split has none."""
    return window.origin == "recorded" or window.split not in real


def plan_clips(lake: str, clips: int, limits: Limits = USUAL, keep_empty: bool = False) -> list[Planned]:
    """The ``clips`` clips that there are to be in all: first those that are there, whatever the lake holds by now.

    Up to a quarter are windows of recordings, the rest is simulated. Behind them come the windows that were looked at
    and are left out.

    Args:
        lake: where it lies.
        clips: how many.
        limits: the most sources of a simulated clip, and the most of them at once.
        keep_empty: use windows of recordings in which no sound is labelled, too.

    Raises:
        NotFound: when more are asked for than there are and none can be made.
    """
    root = lake_at(lake)
    there = root.rows("SELECT clip_id, split, origin, number FROM clips ORDER BY clip_id")
    planned = [Planned(row["clip_id"]) for row in there[:clips]]
    if len(there) >= clips:
        return planned
    kept, out = recording_windows(root, keep_empty)
    cut_out = _new_windows(kept, there, clips)
    simulated = _new_recipes(root, there, clips - len(cut_out), limits)
    return [*planned, *simulated, *cut_out, *(Planned(one.window.clip_id, one) for one in out)]


def _new_windows(found: Sequence[Window], there: Sequence[Mapping[str, Any]], clips: int) -> list[Planned]:
    known = {row["clip_id"] for row in there}
    share = clips // CUT_SHARE - sum(row["origin"] != "simulated" for row in there)
    new = [window for window in found if window.clip_id not in known]
    cut_out = Counter(row["split"] for row in there if row["origin"] != "simulated")
    kept = in_sixes(new[: max(0, min(share, clips - len(there)))], cut_out)
    return [Planned(window.clip_id, window) for window in kept]


def _new_recipes(lake: Lake, there: Sequence[Mapping[str, Any]], clips: int, limits: Limits) -> list[Planned]:
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
        for number, recipe in zip(numbers, allocate(split, numbers, usable[split], limits), strict=True)
    ]
    return [Planned(recipe.clip_id, recipe, number, limits.at_once) for number, recipe in recipes]


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
