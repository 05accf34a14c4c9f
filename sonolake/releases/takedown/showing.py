"""What the report of a patch plays: an item of each split, with what its row says, whatever the data set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sonolake.ids import seed_of
from sonolake.releases.records import AUDIO_COLUMN, Config, Content
from sonolake.releases.samples import Line, ReportSample, Track


def samples_of(content: Content, media: Callable[[str], bytes]) -> Iterator[ReportSample]:
    """One sample of each split that has sounds; which one depends on the ids alone."""
    for config in content.configs:
        for split, table in config.ordered:
            if AUDIO_COLUMN in table.column_names:
                rows = [row for row in table.to_pylist() if row[AUDIO_COLUMN]]
                if rows:
                    row = min(rows, key=lambda row: seed_of(row["item_id"], "sample"))
                    yield _sample(config, split, row, media(row[AUDIO_COLUMN]))


def _sample(config: Config, split: str, row: Mapping[str, Any], data: bytes) -> ReportSample:
    from sonolake.datasets.samples import heard

    mp3, png, duration_s = heard(data)
    return ReportSample(
        item_id=row["item_id"],
        config=config.name,
        split=split,
        title=str(row.get("title") or row["item_id"]),
        mp3=mp3,
        png=png,
        duration_s=duration_s,
        tracks=tuple(_tracks(row, duration_s)),
        transcript=tuple(_lines(row)),
        facts=(("Licence", row["licence"]),),
    )


def _tracks(row: Mapping[str, Any], duration_s: float) -> Iterator[Track]:
    for event in row.get("events") or ():
        onset, offset = event.get("onset_s"), event.get("offset_s")
        if event.get("event") and onset is not None and onset <= duration_s:
            name = str(event["event"]).rpartition("/")[2].replace("_", " ")
            yield Track(
                "sounds", name, onset, max(onset, min(onset if offset is None else offset, duration_s))
            )


def _lines(row: Mapping[str, Any]) -> Iterator[Line]:
    for turn in row.get("turns") or ():
        if turn.get("text"):
            yield Line(str(turn.get("speaker") or ""), str(turn["text"]), turn.get("start_s"))
    if row.get("transcript"):
        yield Line(str(row.get("speaker") or ""), str(row["transcript"]))
