"""The items as the files of a release: ``benchmark/TASK.parquet``, a row an item."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sonolake.cares.benchmark.questions import question, question_set
from sonolake.cares.benchmark.records import TASKS, HeardSound, Item, SceneFacts
from sonolake.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = "benchmark/cares"
"""Where the files lie in a release."""


def scenes_of(table: pa.Table, names: Mapping[str, str]) -> tuple[SceneFacts, ...]:
    """The scenes of a release's config ``cares``.

    Args:
        table: with ``item_id``, ``location`` and ``events`` (a list of structs with event, reaction and onset_s).
        names: what the benchmark calls each sound.

    Raises:
        InvalidInput: for a sound without a name.
    """
    found = []
    for row in table.select(["item_id", "location", "events"]).to_pylist():
        events = sorted(row["events"] or (), key=lambda e: (e["onset_s"], e["event"]))
        if unknown := [e["event"] for e in events if e["event"] not in names]:
            raise InvalidInput(f"sounds of {row['item_id']}", "sounds of the bank", unknown, "another bank")
        sounds = (HeardSound(e["event"], names[e["event"]], e["reaction"], e["onset_s"]) for e in events)
        found.append(SceneFacts(row["item_id"], row["location"], tuple(sounds)))
    return tuple(found)


def files_of(items: Iterable[Item]) -> dict[str, bytes]:
    """The files of a benchmark by their name; equal items give equal bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    by_task: dict[str, list[dict[str, Any]]] = {task: [] for task in TASKS}
    for item in items:
        by_task[item.task].append(row_of(item))
    files = {}
    for task, rows in by_task.items():
        table = pa.Table.from_pylist(sorted(rows, key=lambda row: row["item_id"]), _schema())
        sink = io.BytesIO()
        pq.write_table(table, sink, compression="zstd", store_schema=True)
        files[f"{task}.parquet"] = sink.getvalue()
    return files


def read_items(folder: Path) -> tuple[Item, ...]:
    """The items under a folder: a release, its ``benchmark/cares``, or one that holds the files of :func:`files_of`.

    Raises:
        NotFound: when there is no item.
    """
    import pyarrow.parquet as pq

    places = (folder / FOLDER, folder)
    place = next((p for p in places if any((p / f"{task}.parquet").is_file() for task in TASKS)), None)
    if place is None:
        tried = ", ".join(str(p / "reactions.parquet") for p in places)
        raise NotFound(f"no benchmark of CARES here: neither {tried} nor its neighbours are there")
    paths = [place / f"{task}.parquet" for task in TASKS]
    return tuple(item_of(row) for path in paths if path.is_file() for row in pq.read_table(path).to_pylist())


def row_of(item: Item) -> dict[str, Any]:
    """The row of an item in the files, with its question."""
    sounds = [
        {"event": s.event, "name": s.name, "reaction": s.reaction, "onset_s": s.onset_s} for s in item.sounds
    ]
    return {
        "item_id": item.item_id,
        "task": item.task,
        "scene_id": item.scene_id,
        "event": item.event,
        "at_s": item.at_s,
        "question": question(item, budget=200) if item.task == "summary" else question(item),
        "options": list(item.options),
        "answer": item.answer,
        "sounds": sounds,
        "of": item.of,
    }


def item_of(row: Mapping[str, Any]) -> Item:
    """The item in a row of the files."""
    return Item(
        row["item_id"],
        row["task"],
        row["scene_id"],
        row["event"],
        row["at_s"],
        tuple(row["options"]),
        row["answer"],
        tuple(HeardSound(**sound) for sound in row["sounds"]),
        row["of"],
    )


def _schema() -> pa.Schema:
    import pyarrow as pa

    sound = pa.struct(
        [("event", pa.string()), ("name", pa.string()), ("reaction", pa.string()), ("onset_s", pa.float64())]
    )
    fields = [
        ("item_id", pa.string()),
        ("task", pa.string()),
        ("scene_id", pa.string()),
        ("event", pa.string()),
        ("at_s", pa.float64()),
        ("question", pa.string()),
        ("options", pa.list_(pa.string())),
        ("answer", pa.string()),
        ("sounds", pa.list_(sound)),
        ("of", pa.string()),
    ]
    meta = {"sonolake": json.dumps({"question_set": question_set()}, sort_keys=True)}
    return pa.schema(fields, metadata=meta)
