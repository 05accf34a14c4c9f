"""Sounds of different splits that are alike: a table in the release, and the proof that counts them in it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import pyarrow as pa

from sonolake.audio.fingerprint import NEAR
from sonolake.audio.near_pairs import ALIKE, near_pairs
from sonolake.lake.lake import Lake
from sonolake.releases import Config, OwnProof

PROOF = "near-duplicates"
TABLE = "near-duplicates.csv"
"""Under ``benchmark/``: two sounds by their asset ids, and how alike they are."""
_PRINTS = """SELECT asset_id, fingerprint FROM assets
WHERE fingerprint <> '' AND asset_id IN (SELECT unnest($sounds)) ORDER BY asset_id"""
_HEARD = """WITH RECURSIVE heard AS (
    SELECT item_id AS thing, split FROM items
    UNION SELECT l.parent, h.split FROM heard h JOIN lineage l ON l.child = h.thing)
SELECT thing, list_sort(list(split)) AS splits FROM heard GROUP BY thing"""


def near_duplicates(
    lake: Lake, snapshot: int, configs: Iterable[Config], sources: pa.Table, lineage: pa.Table
) -> tuple[dict[str, bytes], tuple[OwnProof, ...]]:
    """The table by its path under ``benchmark/``, and its proof; nothing where no source has a fingerprint.

    Args:
        lake: whose fingerprints.
        snapshot: at which they are read.
        configs: what is released.
        sources: the sounds that it is made from, in the column ``asset_id``.
        lineage: from its items to these.
    """
    table = lake.sql(_PRINTS, {"sounds": sources["asset_id"].to_pylist()}, at=snapshot)
    prints = dict(zip(table["asset_id"].to_pylist(), table["fingerprint"].to_pylist(), strict=True))
    heard = _splits(configs, lineage)
    prints = {sound: text for sound, text in prints.items() if sound in heard}
    if not prints:
        return {}, ()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("sound", "other", "similarity"))
    writer.writerows((one, other, f"{alike:.3f}") for one, other, alike in near_pairs(prints, heard))
    return {TABLE: out.getvalue().encode()}, (OwnProof(PROOF, "report", _MEANING, _SQL),)


def _splits(configs: Iterable[Config], lineage: pa.Table) -> dict[str, list[str]]:
    """The splits in which each thing of the lineage is heard."""
    import duckdb

    parts = [
        pa.table({"item_id": table["item_id"], "split": pa.repeat(split, table.num_rows)})
        for config in configs
        for split, table in config.splits.items()
    ]
    with duckdb.connect() as link:
        link.register("items", pa.concat_tables(parts))
        link.register("lineage", lineage)
        return dict(link.execute(_HEARD).fetchall())


_MEANING = (
    f"Pairs of sounds of different splits that are alike from {ALIKE:g} on (of 1; from {NEAR:g} on two are one "
    f"recording, which is never in two splits), by the fingerprints of which benchmark/{TABLE} is made."
)
_SQL = f"""WITH RECURSIVE
  heard AS (
    SELECT item_id AS thing, split FROM read_parquet(getvariable('root') || '/items.parquet')
    UNION
    SELECT l.parent, h.split
    FROM heard h JOIN read_parquet(getvariable('root') || '/lineage.parquet') l ON l.child = h.thing
  ),
  pairs AS (
    SELECT DISTINCT sound, other, similarity::DOUBLE AS similarity
    FROM read_csv(getvariable('root') || '/benchmark/{TABLE}', header = true, all_varchar = true) p
    JOIN heard a ON a.thing = p.sound
    JOIN heard b ON b.thing = p.other
    WHERE a.split <> b.split
  )
SELECT printf('%.2f to %.2f', floor(similarity * 20) / 20, floor(similarity * 20) / 20 + 0.05) AS similarity,
  count(*) AS pairs, min([sound, other])[1] AS sound, min([sound, other])[2] AS other
FROM pairs
GROUP BY ALL
ORDER BY ALL DESC"""
