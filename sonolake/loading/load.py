"""``sonolake.load``: from a release's name to its records."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sonolake.errors import InvalidInput, NotFound
from sonolake.loading.records import Records, Shard
from sonolake.loading.sound import DTYPES, ENCODED
from sonolake.loading.table import Readable, readable
from sonolake.releases.choosing import choose
from sonolake.releases.finding import find_release
from sonolake.releases.layout import SPLITS

LAKE = "SONOLAKE_LAKE"


def load(
    which: str | Path,
    split: str | None = None,
    config: str | None = None,
    *,
    source: str | Path | None = None,
    where: str | None = None,
    columns: Sequence[str] | None = None,
    dtype: str = "float32",
) -> Records:
    """The records of one table of a release, in the order of its shards; nothing is copied, and only what is
    iterated over is read.

    Args:
        which: ``NAME@VERSION``, a release's folder (or what was pulled of one), or its ``https://`` or ``s3://``
            address.
        split: ``train``, ``validation`` or ``test``; all of them, in this order, when left out.
        config: which table, such as ``rms-aqa``; may be left out where a release has one, or one of its own name.
        source: where a name is looked for: a lake, a folder of releases, or an address; when left out the lake in
            ``SONOLAKE_LAKE``, or the one we are in.
        where: condition on the columns of ``items.parquet`` in SQL, such as ``licence = 'CC0-1.0' AND duration_s < 5``.
        columns: only these columns; all when left out.
        dtype: of the samples: ``float32`` or ``float64`` in -1 to 1, or ``int16``, ``int32`` as full scale;
            ``encoded`` gives the bytes of the sound's file as they are instead.

    Raises:
        NotFound: when there is no such release, or not these splits of it.
        InvalidInput: for a config, split, column, condition or dtype that there is not.
        Refused: for a retracted version, with its notice.
        Damaged: when the release is not what its manifest says.
        Unreachable: when its place does not answer.
    """
    if dtype not in (*DTYPES, ENCODED):
        raise InvalidInput("dtype", f"one of {', '.join((*DTYPES, ENCODED))}", dtype)
    found = find_release(str(which), _lake, source)
    table = readable(found)
    name = _config(table, config)
    records = records_of(table, name, _splits(table, name, split), where, dtype)
    if not len(records):
        raise NotFound(f"no item of {table.name} fits: {where}")
    return records if columns is None else records.only(columns)


def records_of(table: Readable, config: str, splits: Sequence[str], where: str | None, dtype: str) -> Records:
    """The records of these splits of a config, perhaps none; see :func:`load`."""
    rows = table.rows(config, splits)
    chosen = rows if where is None else choose(rows, where)
    shards = tuple(Shard(file, rows) for file, rows in table.by_shard(chosen))
    return Records(table.place, table.manifest_sha256, config, shards, where or "", None, dtype)


def _lake() -> str:
    named = os.environ.get(LAKE)
    if named:
        return named
    if Path("lake.toml").is_file():
        return "."
    raise NotFound(f"no lake was named: give source=…, set {LAKE}, or name the release's folder or address")


def _config(table: Readable, config: str | None) -> str:
    there = table.configs
    if config is None:
        own = table.release_name
        config = there[0] if len(there) == 1 else own if own in there else None
    if config not in there:
        raise InvalidInput("config", f"one of {', '.join(there)}", config)
    return config


def _splits(table: Readable, config: str, split: str | None) -> tuple[str, ...]:
    there = [s for s in SPLITS if s in table.splits(config)]
    if split is None:
        return tuple(there)
    if split not in there:
        raise InvalidInput(f"split of {config}", f"one of {', '.join(there)}", split)
    return (split,)
