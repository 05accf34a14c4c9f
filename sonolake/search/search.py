"""The search itself."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from sonolake.errors import InvalidInput, NotFound
from sonolake.models.base import Vectors
from sonolake.search.embedding import EMBEDDED
from sonolake.search.encoders import Encoder, Encoders, Query, Sound, of_lake, sound_of
from sonolake.search.filters import FACTS, Searchable, chosen
from sonolake.search.fusion import Fused, fuse
from sonolake.search.ranking import Scope, rank_assets

_FINDING = pa.struct(
    [
        ("query", pa.string()),
        ("rank", pa.int32()),
        ("distance", pa.float64()),
        ("start_s", pa.float64()),
        ("end_s", pa.float64()),
    ]
)

SCHEMA = pa.schema(
    [
        ("rank", pa.int32()),
        ("asset_id", pa.string()),
        *((name, pa.string()) for name in FACTS),
        ("score", pa.float64()),
        ("found_by", pa.list_(_FINDING)),
        ("start_s", pa.float64()),
        ("end_s", pa.float64()),
    ]
)
"""A row an asset: its rank from 1, facts, fused score (higher is better), each query's rank and distance (smaller
is nearer) with its window, and the start and end in seconds of the best window."""

_DEPTH = 100
"""How many assets of each list are fused, at least: five times as many as are asked for, or this."""


def search(
    lake: Searchable,
    text: str | None = None,
    like: Path | bytes | Sound | None = None,
    where: str | None = None,
    k: int = 20,
    encoders: Encoders | None = None,
) -> pa.Table:
    """The ``k`` assets that fit best, best first.

    Args:
        lake: a lake, or what stands for one.
        text: words for a sound, such as ``a dog barking``.
        like: a sound: a file, its bytes, or a signal. With ``text``, an asset should fit both.
        where: an SQL condition over the columns of ``assets``, applied before the search.
        k: at most how many.
        encoders: those that the lake uses when left out: the packaged ones, or what it was switched to.

    Returns:
        Rows of :data:`SCHEMA`; the schema's metadata say under ``searched``, a line a space, how: exactly, or by which
        index, how many rows are not in it yet, and its recall against exact search.

    Raises:
        InvalidInput: neither text nor sound, ``k`` below 1, or a bad condition.
        NotFound: no vectors to compare with, or no such file.
        ItemRefused: a file that is no audio.
        MissingPackage: a packaged model is not installed.
    """
    if text is not None and not text.strip():
        raise InvalidInput("text", "words", text)
    if text is None and like is None:
        raise InvalidInput("query", "text, a sound to be like, or both", None)
    if isinstance(like, Path) and not like.is_file():
        raise NotFound(f"no file {like} to search with")
    if k < 1:
        raise InvalidInput("k", "a whole number from 1", k)
    assets = chosen(lake, where)
    allowed = assets.among if assets.ids is None else assets.ids
    used = encoders or of_lake(lake, words=text is not None, sounds=like is not None)
    asked = _asked(lake, text, like, used)
    lists = {
        encoder.name: rank_assets(
            lake.vectors,
            Scope(encoder.space, allowed, assets.ids is not None, encoder.weights_sha256),
            queries,
            max(_DEPTH, 5 * k),
        )
        for encoder, queries in asked
    }
    best = fuse(lists)[:k]
    assets.among([one.asset_id for one in best])
    rows = [_row(rank, one, assets.facts(one.asset_id)) for rank, one in enumerate(best, start=1)]
    how = "\n".join(lake.vectors.searched(encoder.space).said for encoder, _ in asked)
    return pa.Table.from_pylist(rows, schema=SCHEMA.with_metadata({"searched": how}))


def _asked(
    lake: Searchable, text: str | None, like: Path | bytes | Sound | None, encoders: Encoders
) -> list[tuple[Encoder[str] | Encoder[Sound], Vectors]]:
    """The encoders that have something to compare with, each with the query's vectors."""
    asked: list[tuple[Encoder[str] | Encoder[Sound], Vectors]] = []
    if text is not None:
        asked += [(encoder, encoder.encode(text.strip())) for encoder in _filled(lake, encoders.words)]
    if like is not None:
        sound = like if isinstance(like, Sound) else sound_of(like)
        asked += [(encoder, encoder.encode(sound)) for encoder in _filled(lake, encoders.sounds)]
    return asked


def _filled(lake: Searchable, encoders: tuple[Encoder[Query], ...]) -> list[Encoder[Query]]:
    usable = [one for one in encoders if lake.vectors.count(one.space, one.weights_sha256)]
    if not usable:
        if not lake.sql(f"SELECT 1 FROM assets WHERE kind IN {EMBEDDED} LIMIT 1").num_rows:
            raise NotFound(
                "there is no sound to search: the lake has none of the kinds that are searched "
                f"({', '.join(EMBEDDED)}); bring some in first (docs/ingest.md)"
            )
        wanted = " or ".join(f"{one.space!r}" for one in encoders)
        there = ", ".join(lake.vectors.spaces()) or "none"
        raise NotFound(
            f"nothing to compare with: no vectors of {wanted} made by these models (spaces there: {there}); "
            "python -m flows embed makes them"
        )
    return usable


def _row(rank: int, one: Fused, facts: dict[str, object]) -> dict[str, object]:
    found_by = [
        {
            "query": finding.query,
            "rank": finding.rank,
            "distance": finding.window.distance,
            "start_s": finding.window.start_s,
            "end_s": finding.window.end_s,
        }
        for finding in one.findings
    ]
    window = one.window
    times = {"start_s": window.start_s if window else None, "end_s": window.end_s if window else None}
    return {
        "rank": rank,
        "asset_id": one.asset_id,
        **facts,
        "score": one.score,
        "found_by": found_by,
        **times,
    }
