"""AudioSet with strong labels (Hershey et al. 2021): ``audioset_*_strong.tsv`` and ``mid_to_display_name.tsv``.

The set has no audio of its own and no licences: whoever has files puts them anywhere under the folder, called after the
segment (``VIDEO_START.wav``, START in milliseconds, a leading ``Y`` allowed) and beginning where it begins. What is cut
from them is of unclear licence, so nothing made of it is released.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.licences import UNCLEAR
from sonolake.sources.takes.excerpts import Excerpt, table_rows

_COLUMNS = ("segment_id", "start_time_seconds", "end_time_seconds", "label")


class _Heard(NamedTuple):
    start_s: float
    end_s: float
    label: str


def excerpts(folder: Path) -> Iterator[Excerpt]:
    """The labelled events of segments whose audio is there; an event under which another one sounds is in doubt.

    Raises:
        NotFound: when there are no tables.
        InvalidInput: for a table of another form, naming the line.
    """
    tables = sorted(folder.glob("audioset_*_strong.tsv"))
    if not tables:
        raise NotFound(f"{folder}: no audioset_*_strong.tsv")
    names = _names(folder / "mid_to_display_name.tsv")
    files = _files(folder)
    segments: dict[str, list[_Heard]] = defaultdict(list)
    for table in tables:
        for line, row in table_rows(table, _COLUMNS, "\t"):
            if row["segment_id"] in files:
                segments[row["segment_id"]].append(_heard(table, line, row, names))
    for segment, heard in sorted(segments.items()):
        for number, one in enumerate(sorted(heard), start=1):
            yield _excerpt(segment, number, one, heard, files[segment])


def _excerpt(segment: str, number: int, one: _Heard, heard: Sequence[_Heard], path: Path) -> Excerpt:
    others = sorted(
        {o.label for o in _without(heard, one) if o.start_s < one.end_s and one.start_s < o.end_s}
    )
    video, _, start = segment.rpartition("_")
    return Excerpt(
        f"audioset-{segment}-{number:02d}",
        path,
        (one.label,),
        one.start_s,
        one.end_s,
        ("several_sources", f"at the same time: {', '.join(others)}") if others else None,
        {
            "source_id": f"youtube:{video}",
            "title": f"AudioSet {segment}, {one.label}",
            "url": f"https://www.youtube.com/watch?v={video}&t={int(start) // 1000 if start.isdigit() else 0}",
            "licence": UNCLEAR,
        },
    )


def _without(heard: Sequence[_Heard], one: _Heard) -> list[_Heard]:
    rest = list(heard)
    rest.remove(one)
    return rest


def _heard(table: Path, line: int, row: dict[str, str], names: dict[str, str]) -> _Heard:
    try:
        start, end = float(row["start_time_seconds"]), float(row["end_time_seconds"])
    except ValueError:
        raise InvalidInput(f"{table.name}, line {line}", "times in seconds", row) from None
    return _Heard(start, end, names.get(row["label"], row["label"]))


def _names(path: Path) -> dict[str, str]:
    """Names by machine identifier; the table has no header."""
    if not path.is_file():
        raise NotFound(f"{path}: the layout has this table, and it is not there")
    with path.open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1] for row in csv.reader(file, delimiter="\t") if len(row) > 1}


def _files(folder: Path) -> dict[str, Path]:
    """Audio by segment, whatever its suffix."""
    found: dict[str, Path] = {}
    for path in sorted(
        p for p in folder.rglob("*") if p.is_file() and p.suffix not in (".tsv", ".csv", ".json")
    ):
        found.setdefault(path.stem, path)
        if path.stem.startswith("Y"):
            found.setdefault(path.stem[1:], path)
    return found
