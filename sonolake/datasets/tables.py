"""Configs from SQL: one query a data set, split by its column ``split``."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from sonolake.lake.lake import Lake
from sonolake.releases import Config
from sonolake.splits import SPLITS

COMMON = {
    "item_id": "name of the item: a hash of what it is made from",
    "licence": "licence (SPDX) that follows from all layers",
    "duration_s": "length in seconds",
    "sample_rate": "sampling rate in Hz",
    "channels": "number of channels",
}


def config_of(
    lake: Lake,
    snapshot: int,
    query: str,
    *,
    name: str,
    title: str,
    description: str,
    meanings: Mapping[str, str],
    tasks: tuple[str, ...],
) -> Config | None:
    """The config of a query whose rows have ``item_id``, ``split``, ``licence``; None when it has no rows.

    All rows are in it: :func:`~sonolake.datasets.allowing.allowed_configs` leaves out what may not be released.
    """
    filled = splits_of(lake, snapshot, query)
    if not filled:
        return None
    return Config(name, title, description, filled, {**meanings, **COMMON}, tasks)


def splits_of(lake: Lake, snapshot: int, query: str) -> dict[str, pa.Table]:
    """The rows of such a query by split; splits without rows are left out."""
    rows: pa.Table = lake.sql(query, at=snapshot)
    parts = {split: rows.filter(pc.equal(rows["split"], split)).drop_columns(["split"]) for split in SPLITS}
    return {split: part for split, part in parts.items() if part.num_rows}


def items_of(config: Config) -> list[str]:
    """The ids of all items."""
    return [item for table in config.splits.values() for item in table["item_id"].to_pylist()]
