"""Which items a release may have: by their licence, by what it is for, by the wishes of those who made sounds, and by
who speaks: each speaker in one split."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

import pyarrow as pa

from sonolake.lake.declaring import has_table
from sonolake.lake.lake import Lake
from sonolake.releases import Config
from sonolake.releases.attribution import descendants
from sonolake.releases.licences import WISHES, Profile, why_not
from sonolake.releases.records import SPEAKER_COLUMN, LeftOut
from sonolake.splits import TEST, TRAIN, VALIDATION, known_speaker

_WISHED = """
SELECT asset_id, source_id, json_extract_string(tags, '$.gen_ai_preference') AS wish FROM assets
WHERE tags IS NOT NULL AND json_extract_string(tags, '$.gen_ai_preference') IS NOT NULL
"""
_TOLD = """
SELECT a.asset_id, c.source_id, c.wish FROM source_checks c JOIN assets a USING (source_id)
WHERE c.wish IS NOT NULL QUALIFY row_number() OVER (PARTITION BY a.asset_id ORDER BY c.checked_at DESC) = 1
"""

STRADDLES = "the speaker is in another split, too"
_KEEPS = (TEST, VALIDATION, TRAIN)
"""Of several splits with one speaker, the one that keeps what they say: what is trained on can do without it."""

Splits = Mapping[str, pa.Table]
Kept = dict[str, dict[str, pa.Table]]


def allowed(
    lake: Lake, snapshot: int, tables: Mapping[str, Splits], profile: Profile = "research"
) -> tuple[Kept, tuple[LeftOut, ...]]:
    """Rows by config and split, without those that may not be in a release for ``profile``, and how many those are.

    Splits and configs without rows are left out. A speaker who is in several splits, as in ledgers from before speakers
    were looked at, stays in the test split, or else in that for validation.

    Args:
        lake: where their lineage is.
        snapshot: that they were read at.
        tables: tables with ``item_id`` and ``licence``.
        profile: what the release is for.
    """
    wishes = _refusing(
        lake, snapshot, profile, (i for s in tables.values() for t in s.values() for i in _ids(t))
    )
    reasons: Counter[tuple[str, str]] = Counter()

    def licensed(split: str, table: pa.Table) -> list[str | None]:
        rows = zip(_ids(table), table["licence"].to_pylist(), strict=True)
        return [why_not(profile, licence, wishes.get(item, ())) for item, licence in rows]

    kept = _without(tables, licensed, reasons)
    heard_in = _splits_of_speakers(kept)

    def apart(split: str, table: pa.Table) -> list[str | None]:
        return [None if heard_in.get(name, split) == split else STRADDLES for name in _speakers(table)]

    kept = _without(kept, apart, reasons)
    return kept, tuple(sorted(LeftOut(config, why, items) for (config, why), items in reasons.items()))


def _without(
    tables: Mapping[str, Splits],
    why_of: Callable[[str, pa.Table], list[str | None]],
    reasons: Counter[tuple[str, str]],
) -> Kept:
    """The rows without those for which there is a reason, which is counted."""
    kept: Kept = {}
    for config, splits in tables.items():
        for split, table in splits.items():
            found = why_of(split, table)
            reasons.update((config, why) for why in found if why is not None)
            left = table.filter(pa.array([why is None for why in found], pa.bool_()))
            if left.num_rows:
                kept.setdefault(config, {})[split] = left
    return kept


def _splits_of_speakers(tables: Mapping[str, Splits]) -> dict[str | None, str]:
    """The split that each speaker stays in."""
    found: dict[str | None, str] = {}
    for split in reversed(_KEEPS):
        for splits in tables.values():
            if split in splits:
                found |= {name: split for name in _speakers(splits[split]) if name is not None}
    return found


def _speakers(table: pa.Table) -> list[str | None]:
    if SPEAKER_COLUMN not in table.column_names:
        return [None] * table.num_rows
    return [known_speaker(name) for name in table[SPEAKER_COLUMN].to_pylist()]


def allowed_configs(
    lake: Lake, snapshot: int, configs: Iterable[Config], profile: Profile = "research"
) -> tuple[tuple[Config, ...], tuple[LeftOut, ...]]:
    """The same for configs."""
    configs = tuple(configs)
    kept, left_out = allowed(lake, snapshot, {config.name: config.splits for config in configs}, profile)
    return tuple(replace(c, splits=kept[c.name]) for c in configs if c.name in kept), left_out


def told_of(left_out: Iterable[LeftOut]) -> str:
    """What was left out and why, in brackets after a blank; nothing where nothing was."""
    told = "; ".join(f"{one.items:,} of {one.config}: {one.why}" for one in left_out)
    return f" (left out: {told})" if told else ""


def _refusing(lake: Lake, snapshot: int, profile: Profile, items: Iterable[str]) -> dict[str, set[str]]:
    """The wishes that do not go with ``profile``, of those who made what ``items`` are made from, as last known."""
    known = {row["asset_id"]: row["wish"] for row in lake.sql(_WISHED, at=snapshot).to_pylist()}
    known |= {row["asset_id"]: row["wish"] for row in _checked(lake, snapshot)}
    by_wish: dict[str, set[str]] = defaultdict(set)
    for asset, wish in known.items():
        if wish not in WISHES[profile]:
            by_wish[wish].add(asset)
    if not by_wish:
        return {}
    wanted, found = set(items), defaultdict(set)
    edges = lake.sql("SELECT child, parent, role FROM lineage WHERE role <> 'source'", at=snapshot)
    for wish, assets in by_wish.items():
        for item in descendants(edges, assets) & wanted:
            found[item].add(wish)
    return found


def _checked(lake: Lake, snapshot: int) -> list[dict[str, str]]:
    there = partial(lake.sql, at=snapshot)
    rows: list[dict[str, str]] = there(_TOLD).to_pylist() if has_table(there, "source_checks") else []
    return rows


def _ids(table: pa.Table) -> list[str]:
    ids: list[str] = table["item_id"].to_pylist()
    return ids
