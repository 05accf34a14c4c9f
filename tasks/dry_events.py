"""RMS-AQA: takes of the lake, mapped to the list of sounds of a home and checked before clips are made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from prefect import task

from schemas import DryEvents, valid_rows
from sonolake.datasets.layers import usable_assets
from sonolake.datasets.making import make
from sonolake.datasets.sounds import Sounds
from sonolake.lake.step import Counts, Done, Outcome
from sonolake.spatial.dry import dry_sound
from tasks.opening import lake_at, run_of
from tasks.sounds import sounds_of

CHECK = "check-takes"
CODE_VERSION = "1"
"""Raised whenever a take could be judged otherwise, as by another list; what was refused is then tried again."""

Asset = Mapping[str, Any]


def takes_to_check(lake: str) -> list[dict[str, Any]]:
    """The takes that may be used and say what they are."""
    return [take for take in usable_assets(lake_at(lake), "take") if take["event"]]


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def check_takes(lake: str, run_id: str, takes: Sequence[Asset], workers: int = 1) -> Counts:
    """Map takes to the list and check them; what is no clear sound of a home is set aside, with the reason."""
    run = run_of(lake, CHECK, run_id)
    return make(
        run,
        CHECK,
        {take["asset_id"]: take for take in takes},
        "dry_events",
        "take_id",
        lambda take: _checked(take, sounds_of(lake)),
        code_version=CODE_VERSION,
        inputs=lambda take: [take["event"], _heard(take)],
        workers=workers,
    )


def _checked(take: Asset, sounds: Sounds) -> Outcome:
    found = dry_sound(take["event"], _heard(take), take["flags"] or (), *sounds.channel(take["asset_id"]))
    return Done({"dry_events": valid_rows(DryEvents, [{"take_id": take["asset_id"], **asdict(found)}])})


def _heard(take: Asset) -> list[str]:
    """What the manifest says is heard in a take: its header ``classes``, names with ``;`` between them."""
    said = json.loads(take["tags"] or "{}").get("classes", "")
    return [name.strip() for name in said.split(";") if name.strip()]
