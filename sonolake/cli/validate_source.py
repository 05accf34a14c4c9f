"""CARES scenes of a lake or a release as judges and raters need them, and what raters said into a lake."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sonolake.cares.banks import default_banks
from sonolake.cares.records import Template
from sonolake.cares.templates import write_templates
from sonolake.cares.validation import RatedScene, Ratings, of_row
from sonolake.errors import NotFound
from sonolake.serial import read

if TYPE_CHECKING:
    from sonolake.lake import Lake

QUESTION = "cares:reaction"
"""What a rating answers; its item is the scene and the sound, ``scene_ab/dog_bark``."""
CALIBRATING = 50
"""Templates whose topics the threshold is calibrated on."""
ENOUGH = 25
"""Templates of a lake that are enough for that; with fewer the bank's are taken."""
MOST_LINEAGE = 1 << 30
"""Bytes of a release's lineage that is read."""
Sound = Callable[[], tuple[Any, int]]
"""Samples ``(frames,)`` and rate."""


@dataclass(frozen=True)
class Scenes:
    """Scenes in the order of their ids, which says nothing of what is in them.

    Attributes:
        rows: as a release has them, with ``writer`` and ``before``: the number of turns before each event.
        templates: whose topics are calibrated on: the lake's own, or the bank's.
    """

    rows: tuple[dict[str, Any], ...]
    templates: tuple[Template, ...]

    def rated(self) -> list[RatedScene]:
        """For judges and raters."""
        banks = default_banks()
        return [of_row(row, banks) for row in self.rows]

    def scripts(self) -> dict[str, str]:
        """What is to be said, by scene id."""
        return {row["item_id"]: " ".join(turn["text"] for turn in row["turns"]) for row in self.rows}


def of_lake(
    lake: Lake, split: str | None = None, first: int | None = None, ids: Sequence[str] = ()
) -> Scenes:
    """Scenes of a lake.

    Args:
        lake: with scenes.
        split: of the scenes; None for all.
        first: how many.
        ids: only these; without any, all.

    Raises:
        NotFound: when there is none, or not all of ``ids``.
    """
    there = set(lake.columns()["table_name"].to_pylist())
    found = (
        lake.rows(
            "SELECT s.scene_id AS item_id, s.split, s.template_id, s.asset_id, s.duration_s, s.record,"
            " c.record::JSON ->> 'topic' AS topic"
            " FROM scenes s LEFT JOIN scenarios c USING (scenario_id) ORDER BY item_id"
        )
        if "scenes" in there
        else []
    )
    found = [r for r in found if split in (None, r["split"]) and (not ids or r["item_id"] in ids)][:first]
    if lacking := set(ids) - {row["item_id"] for row in found}:
        raise NotFound(f"{len(lacking)} of the rated scenes are not in this lake, such as {min(lacking)}")
    if not found:
        raise NotFound(f"no scenes of CARES in this lake{f', split {split}' if split else ''}")
    parts = {
        name: _by_scene(lake, f"SELECT * FROM {table} ORDER BY scene_id, {order}")
        for name, table, order in (("turns", "turns", "turn"), ("events", "scene_events", "onset_s"))
    }
    written = lake.rows("SELECT child, parent FROM lineage WHERE role = 'writer'")
    writers = {row["child"]: row["parent"].removeprefix("writer:") for row in written}
    rows = tuple(
        _row({**row, **{name: part[row["item_id"]] for name, part in parts.items()}}, writers)
        for row in found
    )
    used = {row["template_id"] for row in rows}
    templates = lake.rows("SELECT template_id, record FROM templates ORDER BY template_id")
    own = [read(Template, json.loads(one["record"])) for one in templates if one["template_id"] in used]
    return Scenes(rows, tuple(own[:CALIBRATING]) if len(own) >= ENOUGH or _others(own) else _of_the_bank())


def _others(templates: Sequence[Template]) -> bool:
    """Whether there are templates that the embedded writer did not make: the bank's are not like them."""
    return any("matter" not in dict(template.details) for template in templates)


def _of_the_bank() -> tuple[Template, ...]:
    return write_templates(CALIBRATING, default_banks())


def _by_scene(lake: Lake, query: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in lake.rows(query):
        found[row["scene_id"]].append(row)
    return found


def _row(row: dict[str, Any], writers: dict[str, str]) -> dict[str, Any]:
    planned = json.loads(row["record"])["events"]
    before = {event["event_id"]: event["before"] for event in planned}
    return {"topic": "", **row, "before": before, "writer": writers.get(row["item_id"], "")}


def of_release(which: str, split: str | None = None, first: int | None = None) -> Scenes:
    """Scenes of a release: ``NAME@VERSION``, its folder or what was pulled of one, or its address.

    Raises:
        NotFound: when there is no such release, or no scenes in it.
    """
    from sonolake import load

    records = load(which, split, "cares")
    wanted = [name for name in records.schema.names if name != "audio"]
    found = sorted(records.only(wanted), key=lambda row: str(row["item_id"]))
    writers = _writers(records.place)
    return Scenes(tuple(_row(row, writers) for row in found[:first]), _of_the_bank())


def _writers(place: str | Path) -> dict[str, str]:
    """Who wrote each scene, from the lineage of a release; where that was not pulled nobody says."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from sonolake.releases.layout import LINEAGE
    from sonolake.releases.origins import open_origin, read_whole

    try:
        lineage = read_whole(open_origin(place), LINEAGE, MOST_LINEAGE)
    except NotFound:
        return {}
    edges = pq.read_table(pa.BufferReader(lineage), filters=[("role", "=", "writer")]).to_pylist()
    return {edge["child"]: edge["parent"].removeprefix("writer:") for edge in edges}


def sounds_in_lake(lake: Lake, scenes: Scenes) -> Iterator[tuple[str, Sound]]:
    """The scenes' sound, decoded when it is asked for."""
    from sonolake.audio.decode import decode

    def of(asset_id: str) -> Sound:
        def sound() -> tuple[Any, int]:
            decoded = decode(lake.media.read(asset_id))
            return decoded.samples.mean(axis=1), decoded.sample_rate

        return sound

    for row in scenes.rows:
        yield row["item_id"], of(row["asset_id"])


def sounds_in_release(which: str, scenes: Scenes) -> Iterator[tuple[str, Sound]]:
    """The scenes' sound, in the order of the release."""
    from sonolake import load

    wanted = {row["item_id"] for row in scenes.rows}
    records = load(which, None, "cares", columns=["item_id", "audio", "sample_rate"], dtype="float64")

    def of(record: dict[str, Any]) -> Sound:
        return lambda: (record["audio"].mean(axis=1), record["sample_rate"])

    for record in records:
        if record["item_id"] in wanted:
            yield record["item_id"], of(record)


def keep(lake: Lake, ratings: Sequence[Ratings]) -> tuple[int, int]:
    """Append ratings to ``judgements``; how many were new, and how many there already."""
    now = datetime.now(UTC)
    rows = [
        {"item": "/".join(place), "question": QUESTION, "answer": answer, "rater": one.rater}
        for one in ratings
        for place, answer in sorted(one.reactions.items())
    ]
    there = {tuple(r.values()) for r in lake.rows("SELECT item, question, answer, rater FROM judgements")}
    new = [{**row, "decided_at": now} for row in rows if tuple(row.values()) not in there]
    if new:
        lake.table("judgements").append(new, "ratings of reactions")
    return len(new), len(rows) - len(new)
