"""What the report plays: a few items of each data set, with their spectrograms and timelines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from sonolake.datasets.dataset import Shown
from sonolake.datasets.samples import sample_of
from sonolake.ids import seed_of
from sonolake.lake import Lake
from sonolake.releases import Config, Direction, Line, Quiz, ReportSample, Track


def samples_of(lake: Lake, config: Config, per_split: int = 1) -> tuple[ReportSample, ...]:
    """The most telling items of each split, of the data sets that are shown; which depends on their content alone."""
    if config.name not in _DETAILS:
        return ()
    found = []
    for split, table in config.ordered:
        rows = sorted(table.to_pylist(), key=lambda row: (-_weight(row), seed_of(row["item_id"], "sample")))
        found += [_sample(lake, config.name, split, row) for row in rows[:per_split]]
    return tuple(found)


def _weight(row: dict[str, Any]) -> float:
    """How much there is to see: kinds of events, then events; shorter items before longer ones."""
    events = row.get("events") or []
    kinds = {event.get("reaction") or event["event"] for event in events}
    found = [20 / c["rank"] for c in row.get("candidates") or [] if _is_true(row, c["tag"])]
    return 10 * len(kinds) + len(events) + max(found, default=0) - row["duration_s"] / 1000


def _is_true(row: dict[str, Any], tag: str) -> bool:
    """Whether the source itself says that the event is in the utterance."""
    return f"[{tag}]" in (row.get("tagged_text") or "")


def _sample(lake: Lake, config: str, split: str, row: dict[str, Any]) -> ReportSample:
    title, facts, more = _DETAILS[config](row)
    return sample_of(lake, config, split, row, Shown(title, tuple(facts), **more))


def _words(identifier: str) -> str:
    return identifier.rpartition("/")[2].replace("_", " ")


def _cares(row: dict[str, Any]) -> tuple[str, list[tuple[str, str]], dict[str, Any]]:
    events = row["events"]
    tracks = [Track("sounds", _words(e["event"]), e["onset_s"], e["offset_s"], e["reaction"]) for e in events]
    tracks += [
        Track(f"speaker {t['speaker']}", f"speaker {t['speaker']}", t["start_s"], t["end_s"], "speech")
        for t in row["turns"]
    ]
    lines = tuple(Line(t["speaker"], t["text"], t["start_s"]) for t in row["turns"])
    facts = [
        ("Place", _words(row["location"])),
        ("Speakers", f"{_words(row['relation'])} ({row['genders']})"),
        ("Loudness", f"{row['loudness_lufs']:.1f} LUFS"),
        ("Licence", row["licence"]),
    ]
    return row["title"], facts, {"tracks": tuple(tracks), "transcript": lines}


def _spatial(row: dict[str, Any]) -> tuple[str, list[tuple[str, str]], dict[str, Any]]:
    events = row["events"]
    more = {
        "tracks": tuple(Track(e["event"], e["event"], e["onset_s"], e["offset_s"], "event") for e in events),
        "directions": tuple(
            Direction(e["event"], e["azimuth_deg"], e["distance_m"], e["elevation_deg"]) for e in events
        ),
        "quizzes": tuple(_quizzes(row)),
    }
    facts = [("Room", row["room"]), ("Origin", row["origin"]), ("Licence", row["licence"])]
    return f"{len(events)} sounds in a room" if len(events) > 1 else "One sound in a room", facts, more


def _direction(event: dict[str, Any]) -> Direction:
    return Direction(event["event"], event["azimuth_deg"], event["distance_m"], event["elevation_deg"])


def _quizzes(row: dict[str, Any]) -> Iterator[Quiz]:
    for question in row["questions"]:
        options = json.loads(question["options"])
        yield Quiz(
            question["question"], tuple(options.values()), options[question["answer"]], question["dimension"]
        )


def _wesr(row: dict[str, Any]) -> tuple[str, list[tuple[str, str]], dict[str, Any]]:
    best = sorted(row["candidates"], key=lambda c: (not _is_true(row, c["tag"]), c["rank"], c["tag"]))[:4]
    end = row["duration_s"]
    tracks = [
        Track("found", c["tag"], min(c["onset_s"], end), min(c["onset_s"] + 0.96, end), "tag") for c in best
    ]
    text = row["tagged_text"] or row["transcript"] or ""
    lines = (Line(row["speaker"] or "", text),) if text else ()
    facts = [("Language", row["language"] or "unknown"), ("Licence", row["licence"])]
    return (
        f"Found as {', '.join(c['tag'] for c in best[:2])}",
        facts,
        {"tracks": tuple(tracks), "transcript": lines},
    )


_DETAILS: dict[str, Callable[[dict[str, Any]], tuple[str, list[tuple[str, str]], dict[str, Any]]]] = {
    "cares": _cares,
    "rms-aqa": _spatial,
    "wesr": _wesr,
}
