"""Folders whose file names say where a response was measured: a declared mapping turns names into a manifest.

A layout is a TOML file. ``pattern`` is a regular expression for the path under the folder, with named groups; a group
called like a header of the manifest is its value, other groups are kept as tags, and groups ``x``, ``y``, ``z`` are
coordinates of the source, from the microphone, in front, to the left and upwards, turned into metres by ``[axes]``.
``[always]`` holds headers that are the same for all files. Where the files are not Ambisonics of four channels as they
are, ``[channels]`` says how they become so (:mod:`~sonolake.sources.channels`).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.channels import ChannelMap, channel_map
from sonolake.sources.layout import write_manifest

AXES = ("x", "y", "z")
_KEYS = {"pattern", "axes", "always", "clockwise", "distance_unit", "channels"}
_METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}


@dataclass(frozen=True)
class Axis:
    """A coordinate in metres: ``scale * number + offset``."""

    scale: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class NamedLayout:
    """How names are read.

    Attributes:
        pattern: for the whole POSIX path under the folder.
        axes: of the groups ``x``, ``y``, ``z``; a missing axis is 0 m.
        always: headers and their values for every file, such as convention, room and licence.
        clockwise: whether azimuths in names grow to the right.
        distance_unit: ``m``, ``cm`` or ``mm``, of distances in names.
        channels: how files become four channels; None where they are.
    """

    pattern: re.Pattern[str]
    axes: Mapping[str, Axis] = field(default_factory=dict)
    always: Mapping[str, str] = field(default_factory=dict)
    clockwise: bool = False
    distance_unit: str = "m"
    channels: ChannelMap | None = None


def read_layout(path: Path) -> NamedLayout:
    """The layout of a TOML file.

    Raises:
        NotFound: when it is not there.
        InvalidInput: for what is none, naming the key.
    """
    if not path.is_file():
        raise NotFound(f"no layout {path}")
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(path.name, "TOML", str(error)) from None
    if unknown := set(raw) - _KEYS:
        raise InvalidInput(path.name, f"keys {', '.join(sorted(_KEYS))}", sorted(unknown))
    unit = raw.get("distance_unit", "m")
    if unit not in _METRES:
        raise InvalidInput(f"{path.name}: distance_unit", f"one of {', '.join(_METRES)}", unit)
    axes = {name: _axis(path, name, value) for name, value in raw.get("axes", {}).items()}
    always = {str(k): str(v) for k, v in raw.get("always", {}).items()}
    pattern, clockwise = _pattern(path, raw.get("pattern")), bool(raw.get("clockwise", False))
    channels = channel_map(path.name, raw["channels"]) if "channels" in raw else None
    if channels and channels.files and "channel" not in pattern.groupindex:
        raise InvalidInput(
            f"{path.name}: pattern", "a group called channel, as [channels] has files", pattern.pattern
        )
    return NamedLayout(pattern, axes, always, clockwise, unit, channels)


def write_named_manifest(folder: Path, layout: NamedLayout) -> tuple[int, tuple[str, ...]]:
    """Write ``manifest.csv`` of a folder from its files' names.

    Returns:
        How many files have a row, and the paths that the pattern does not match, which have none.

    Raises:
        NotFound: when there is no such folder.
        InvalidInput: for a value that should be a number and is none, naming the file.
    """
    rows, others = named_rows(names_in(folder), layout)
    write_manifest(folder, rows)
    return len(rows), others


def names_in(folder: Path) -> list[str]:
    """The paths of a folder's files, hidden ones and its manifest left out.

    Raises:
        NotFound: when there is no such folder.
    """
    if not folder.is_dir():
        raise NotFound(f"no folder {folder}")
    paths = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    return [
        p for p in paths if p != "manifest.csv" and not any(part.startswith(".") for part in p.split("/"))
    ]


def named_rows(paths: Iterable[str], layout: NamedLayout) -> tuple[list[Mapping[str, str]], tuple[str, ...]]:
    """Rows of the manifest for the paths that the pattern matches, and the other paths.

    Raises:
        InvalidInput: for a value that should be a number and is none, naming the path.
    """
    rows: list[Mapping[str, str]] = []
    others = []
    for path in paths:
        match = layout.pattern.fullmatch(path)
        if match is None:
            others.append(path)
            continue
        said = {name: value for name, value in match.groupdict().items() if value is not None}
        rows.append({**layout.always, **_placed(path, said, layout), "path": path})
    return rows, tuple(others)


def _placed(path: str, said: Mapping[str, str], layout: NamedLayout) -> dict[str, str]:
    """The groups of a name as headers: a place by its coordinates, azimuths to the left, distances in metres."""
    row = {name: value for name, value in said.items() if name not in AXES}
    if any(name in said for name in AXES):
        x, y, z = (_coordinate(path, name, said, layout) for name in AXES)
        row["azimuth_deg"] = f"{math.degrees(math.atan2(y, x)):.3f}"
        row["elevation_deg"] = f"{math.degrees(math.atan2(z, math.hypot(x, y))):.3f}"
        row["distance_m"] = f"{math.hypot(x, y, z):.4f}"
        return row
    if "azimuth_deg" in row and layout.clockwise:
        row["azimuth_deg"] = f"{-_number(path, 'azimuth_deg', row['azimuth_deg']):g}"
    if "distance_m" in row:
        metres = _number(path, "distance_m", row["distance_m"]) * _METRES[layout.distance_unit]
        row["distance_m"] = f"{metres:g}"
    return row


def _coordinate(path: str, name: str, said: Mapping[str, str], layout: NamedLayout) -> float:
    if name not in said:
        return 0.0
    axis = layout.axes.get(name, Axis())
    return axis.scale * _number(path, name, said[name]) + axis.offset


def _number(path: str, name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(f"{path}: {name}", "a number", text, "another pattern fits") from None


def _axis(path: Path, name: str, value: Any) -> Axis:
    allowed = "tables x, y, z with scale and offset"
    if name not in AXES or not isinstance(value, dict) or set(value) - {"scale", "offset"}:
        raise InvalidInput(f"{path.name}: axes", allowed, {name: value})
    try:
        return Axis(float(value.get("scale", 1.0)), float(value.get("offset", 0.0)))
    except (TypeError, ValueError):
        raise InvalidInput(f"{path.name}: axes", allowed, {name: value}) from None


def _pattern(path: Path, text: Any) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, TypeError) as error:
        raise InvalidInput(f"{path.name}: pattern", "a regular expression", text, str(error)) from None
