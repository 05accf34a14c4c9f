"""Labels as the CSV of DCASE and STARSS23: no header, one row a 100 ms frame and active source.

Columns: frame (from 0), class index, source index, azimuth and elevation in whole degrees, distance. STARSS23 writes
distance in whole centimetres, simulators write metres with three decimals: the unit is always stated by the caller.
The source index restarts for every class. Five columns (2019 to 2023) have no distance.
"""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from sonolake.errors import InvalidInput
from sonolake.spatial.motion import Place, TrackPoint
from sonolake.spatial.records import ClipEvent
from sonolake.spatial.sectors import wrap

FRAME_S = 0.1
"""Length of a label frame in seconds."""
STILL_DEG = 5.0
"""A source whose direction changes by more than this is moving."""

Unit = Literal["m", "cm"]
"""Unit of the distance column."""


class FrameLabel(NamedTuple):
    """One active source in one frame; ``class_index`` and ``source`` count from 0, distance is in metres or None."""

    frame: int
    class_index: int
    source: int
    azimuth_deg: int
    elevation_deg: int
    distance_m: float | None = None


def read(text: str, unit: Unit) -> list[FrameLabel]:
    """The rows of a label file, in order of frame, class and source.

    Args:
        text: the file's content; blank lines are skipped.
        unit: of the distance column.

    Raises:
        InvalidInput: for a row of other than five or six numbers, naming the line; for directions out of range.
    """
    rows = []
    for number, row in enumerate(csv.reader(io.StringIO(text)), start=1):
        if any(cell.strip() for cell in row):
            rows.append(_row(row, number, _scale(unit)))
    return sorted(rows)


def write(rows: Iterable[FrameLabel], unit: Unit) -> str:
    """The rows as a file, sorted, lines ended by ``\\n``; metres with three decimals, centimetres whole."""
    _scale(unit)
    return "".join(_line(row, unit) for row in sorted(rows))


def _scale(unit: str) -> float:
    if unit not in ("m", "cm"):
        raise InvalidInput("unit", "'m' or 'cm'", unit)
    return 1.0 if unit == "m" else 0.01


def _row(cells: Sequence[str], number: int, scale: float) -> FrameLabel:
    try:
        frame, kind, source = (int(cell) for cell in cells[:3])
        azimuth, elevation, *rest = (float(cell) for cell in cells[3:])
    except ValueError:
        cause = "a header, or another layout" if number == 1 else ""
        raise InvalidInput(f"line {number}", "five or six numbers", list(cells), cause) from None
    inside = frame >= 0 and -360 <= azimuth <= 360 and -90 <= elevation <= 90
    if not inside or len(rest) > 1 or not all(math.isfinite(value) and value >= 0 for value in rest):
        raise InvalidInput(
            f"line {number}", "frame >= 0, degrees, distance >= 0, at most six columns", list(cells)
        )
    distance = rest[0] * scale if rest else None
    return FrameLabel(frame, kind, source, round(wrap(azimuth)), round(elevation), distance)


def _line(row: FrameLabel, unit: Unit) -> str:
    cells = [row.frame, row.class_index, row.source, row.azimuth_deg, row.elevation_deg]
    distance = ""
    if row.distance_m is not None:
        distance = f",{row.distance_m:.3f}" if unit == "m" else f",{round(row.distance_m * 100)}"
    return ",".join(str(cell) for cell in cells) + distance + "\n"


def frames_of(events: Iterable[ClipEvent], classes: Sequence[str]) -> list[FrameLabel]:
    """Frame labels of events: a frame is active when the event fills at least half of it, and one frame always is.

    Sources of one class are numbered by their starts, a number being free again once its event has ended.

    Raises:
        InvalidInput: for an event whose class is not in ``classes``.
    """
    rows = []
    busy: dict[str, list[int]] = defaultdict(list)
    for event in sorted(events, key=lambda e: (e.onset_s, e.offset_s, e.event)):
        if event.event not in classes:
            raise InvalidInput("event", f"one of {len(classes)} classes", event.event)
        first = math.ceil(round(event.onset_s / FRAME_S - 0.5, 6))
        stop = max(math.floor(round(event.offset_s / FRAME_S + 0.5, 6)), first + 1)
        ends = busy[event.event]
        source = next((i for i, end in enumerate(ends) if end <= first), len(ends))
        ends[source : source + 1] = [stop]
        kind = classes.index(event.event)
        rows += [FrameLabel(frame, kind, source, *_place(event, frame)) for frame in range(first, stop)]
    return sorted(rows)


def _place(event: ClipEvent, frame: int) -> tuple[int, int, float]:
    """Where an event is in the middle of a frame."""
    azimuth, elevation, distance = event.position((frame + 0.5) * FRAME_S)
    return round(wrap(round(azimuth))), round(elevation), distance


def events_of(rows: Iterable[FrameLabel], classes: Sequence[str]) -> list[ClipEvent]:
    """Events of frame labels: unbroken runs of one class and source, at the place where they start.

    A run whose direction leaves its start by more than :data:`STILL_DEG` is moving, and its track has a point in the
    middle of each frame. Without a distance column distances are NaN.

    Raises:
        InvalidInput: for a class index outside ``classes``.
    """
    tracks: dict[tuple[int, int], list[FrameLabel]] = defaultdict(list)
    for row in sorted(rows):
        if not 0 <= row.class_index < len(classes):
            raise InvalidInput("class index", f"0 to {len(classes) - 1}", row.class_index)
        tracks[row.class_index, row.source].append(row)
    runs = [run for track in tracks.values() for run in _runs(track)]
    events = [_event(run, classes[run[0].class_index]) for run in runs]
    return sorted(events, key=lambda e: (e.onset_s, e.offset_s, e.event))


def _runs(track: Sequence[FrameLabel]) -> list[list[FrameLabel]]:
    runs: list[list[FrameLabel]] = []
    for row in track:
        if runs and row.frame == runs[-1][-1].frame + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _event(run: Sequence[FrameLabel], name: str) -> ClipEvent:
    start = run[0]
    turns = (abs(wrap(row.azimuth_deg - start.azimuth_deg)) for row in run)
    climbs = (abs(row.elevation_deg - start.elevation_deg) for row in run)
    moving = max(turns) > STILL_DEG or max(climbs) > STILL_DEG
    track = tuple(TrackPoint(round((row.frame + 0.5) * FRAME_S, 2), *_measured(row)) for row in run)
    return ClipEvent(
        name,
        round(start.frame * FRAME_S, 1),
        round((run[-1].frame + 1) * FRAME_S, 1),
        *_measured(start),
        moving=moving,
        track=track if moving else (),
    )


def _measured(row: FrameLabel) -> Place:
    distance = math.nan if row.distance_m is None else row.distance_m
    return float(row.azimuth_deg), float(row.elevation_deg), distance
