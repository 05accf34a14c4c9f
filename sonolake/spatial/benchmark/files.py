"""Where the records come from: a release's config ``rms-aqa``, or files in the published layout."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput, NotFound
from sonolake.spatial.benchmark.published import read_published
from sonolake.spatial.benchmark.records import Query, Record, farthest, most_at_once
from sonolake.spatial.records import ClipEvent

CONFIG = "data/rms-aqa"
SPLITS = ("train", "validation", "test")
_COLUMNS = ["item_id", "origin", "events", "questions"]


def read_records(place: Path, split: str = "test") -> tuple[Record, ...]:
    """The records of a benchmark.

    Args:
        place: a release, or a file or folder in the published layout.
        split: of the release: ``train``, ``validation`` or ``test``.

    Raises:
        NotFound: when there is no such split, or nothing.
        InvalidInput: for another split, or a clip without exactly one question of each stage.
    """
    if split not in SPLITS:
        raise InvalidInput("split", f"one of {', '.join(SPLITS)}", split)
    if not (place / CONFIG).is_dir():
        return read_published(place)
    import pyarrow.dataset as ds

    table = ds.dataset(shards(place, split), format="parquet").to_table(columns=_COLUMNS)
    return tuple(record_of(row) for row in table.to_pylist())


def shards(release: Path, split: str) -> list[Path]:
    """The files of a split of a release's clips.

    Raises:
        NotFound: when there is none.
    """
    found = sorted((release / CONFIG).glob(f"{split}-*.parquet"))
    if not found:
        there = sorted({p.name.partition("-")[0] for p in (release / CONFIG).glob("*.parquet")})
        raise NotFound(f"no split {split} under {release / CONFIG}; there: {', '.join(there) or 'nothing'}")
    return found


def record_of(row: Mapping[str, Any]) -> Record:
    """The record in a row of the config.

    Raises:
        InvalidInput: for a clip without exactly one question of each stage.
    """
    by_stage = {question["stage"]: question for question in row["questions"]}
    if sorted(question["stage"] for question in row["questions"]) != [1, 2]:
        stages = [question["stage"] for question in row["questions"]]
        raise InvalidInput(f"questions of {row['item_id']}", "one of each stage", stages)
    events = [ClipEvent.from_record(event) for event in row["events"] or ()]
    return Record(
        row["item_id"],
        row["item_id"],
        by_stage[2]["dimension"],
        _query(by_stage[1]),
        _query(by_stage[2]),
        row["origin"],
        most_at_once(events),
        farthest(events),
    )


def _query(question: Mapping[str, Any]) -> Query:
    options = json.loads(question["options"])
    return Query(
        question["question_id"], question["question"], dict(sorted(options.items())), question["answer"]
    )
