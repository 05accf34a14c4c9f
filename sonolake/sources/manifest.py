"""Manifests: tables that say what the files of a folder are.

Headers of the contract are read as fields, all others are kept as tags; ``mapping`` renames a foreign layout's
headers (theirs to ours). Text becomes Unicode NFC; the path keeps the spelling that it has in the file, so that it
opens the file it names, and has its item's name in NFC beside it. Angles are degrees, distances metres.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.records import Refusal
from sonolake.sources.tabular import READERS, Record, read_records

HEADERS: tuple[str, ...] = (
    "path",
    "source_id",
    "title",
    "author",
    "licence",
    "url",
    "tags",
    "event",
    "location",
    "room",
    "convention",
    "azimuth_deg",
    "elevation_deg",
    "distance_m",
    "speaker",
    "language",
    "transcript",
)
"""The contract's headers."""
SUFFIXES: tuple[str, ...] = tuple(READERS)
CONVENTIONS: tuple[str, ...] = ("ambix", "n3d", "fuma")
_RANGES = {"azimuth_deg": (-360.0, 360.0), "elevation_deg": (-90.0, 90.0), "distance_m": (0.0, 10_000.0)}


@dataclass(frozen=True)
class Row:
    """What a manifest says of one path.

    Attributes:
        path: the path as it is written in the manifest, ``./`` taken off.
        line: the line (from 1) on which its first row ends.
        fields: values under the contract's headers, ``path`` apart; blank ones left out.
        tags: values under other headers; blank ones left out.
    """

    path: str
    line: int
    fields: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Manifest:
    """A manifest that was read, by path as written (``./`` taken off).

    Attributes:
        rows: what it says of each path.
        refusals: the paths whose rows cannot be used; they are in ``rows`` too.
    """

    rows: Mapping[str, Row] = field(default_factory=dict)
    refusals: Mapping[str, Refusal] = field(default_factory=dict)


def item_name(path: str) -> str:
    """The item that a relative path names: POSIX, no ``./``, NFC, undecodable bytes written as ``\\xNN``."""
    readable = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return unicodedata.normalize("NFC", PurePosixPath(readable).as_posix())


def read_manifest(path: Path | None, mapping: Mapping[str, str] | None = None) -> Manifest:
    """Read a manifest; None gives an empty one.

    Rows of one path that agree are merged, and those that do not become one refusal, ``conflicting_labels``.

    Args:
        path: a ``.csv`` (comma, semicolon or tab), ``.tsv``, ``.jsonl`` or ``.ndjson`` file in UTF-8.
        mapping: their header to ours.

    Raises:
        NotFound: there is no such file.
        InvalidInput: the file is not what its suffix says, lacks a header that is needed, or has a value out of
            range; the message names line, field, what was allowed and what came.
    """
    if path is None:
        return Manifest()
    if not path.is_file():
        raise NotFound(f"manifest {path}: there is no such file")
    headers, records = read_records(path)
    names = _names(path.name, headers, dict(mapping or {})) if headers else {}
    rows: dict[str, Row] = {}
    refused: dict[str, Refusal] = {}
    for record in records:
        row = _row(path.name, names, record)
        known = rows.get(row.path, row)
        rows[row.path] = merged(known, row)
        problem = conflict(known, row) or _unknown_convention(row)
        if problem:
            refused.setdefault(row.path, Refusal(item_name(row.path), *problem))
    return Manifest(rows, refused)


def merged(known: Row, row: Row) -> Row:
    """What two rows say together; where they differ, ``known`` prevails (see :func:`conflict`)."""
    return Row(known.path, known.line, {**row.fields, **known.fields}, {**row.tags, **known.tags})


def conflict(known: Row, row: Row) -> tuple[str, str] | None:
    """Reason and detail when two rows of one file contradict each other, None when they agree."""
    ours = {**known.tags, **known.fields}
    for name, theirs in {**row.tags, **row.fields}.items():
        if ours.get(name, theirs) != theirs:
            said = f"{name} is {ours[name]!r} on line {known.line} and {theirs!r} on line {row.line}"
            return "conflicting_labels", f"of the manifest: {said}"
    return None


def _names(file: str, headers: tuple[str, ...], mapping: dict[str, str]) -> dict[str, str]:
    """What each header of the file is called here."""
    for theirs, ours in mapping.items():
        if ours not in HEADERS:
            raise InvalidInput(f"--map {theirs}", f"a header among {', '.join(HEADERS)}", ours)
        if theirs not in headers:
            raise InvalidInput(f"--map of manifest {file}", f"a header among {', '.join(headers)}", theirs)
    known = {header.lower(): header.lower() for header in HEADERS}
    names = {header: mapping.get(header) or known.get(header.lower(), header) for header in headers if header}
    for ours in HEADERS:
        claimants = [header for header, name in names.items() if name == ours]
        if len(claimants) > 1:
            raise InvalidInput(f"manifest {file}, field {ours}", "one header", " and ".join(claimants))
    if "path" not in names.values():
        cause = "another layout: name its header with --map theirs=path"
        raise InvalidInput(f"manifest {file}", "a header 'path'", ", ".join(headers), cause)
    return names


def _row(file: str, names: Mapping[str, str], record: Record) -> Row:
    line, raw = record
    path, fields, tags = "", {}, {}
    for header, value in raw.items():
        name = names[header]
        if name == "path":
            path = _checked_path(f"manifest {file}, line {line}, field path", value)
            continue
        text = _clean(f"manifest {file}, line {line}, field {header}", value)
        if text and name in HEADERS:
            fields[name] = _number(f"manifest {file}, line {line}, field {header}", name, text)
        elif text:
            tags[unicodedata.normalize("NFC", name)] = text
    if not path:
        raise InvalidInput(f"manifest {file}, line {line}, field path", "a relative path", "")
    return Row(path, line, fields, tags)


def _checked_path(what: str, value: str) -> str:
    path = value.strip("\r\n")
    parts = PurePosixPath(path).parts
    if path.strip() and (path.startswith("/") or ".." in parts or not parts or "\0" in path):
        raise InvalidInput(
            what, "a path under the manifest's folder", path, "an absolute path of another machine"
        )
    return PurePosixPath(path).as_posix() if path.strip() else ""


def _clean(what: str, value: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput(what, "UTF-8 text", value, "a file in Latin-1 or another old encoding") from error
    return unicodedata.normalize("NFC", value.strip())


def _number(what: str, name: str, text: str) -> str:
    """``text``, checked to be a number in range when ``name`` is numeric."""
    if name not in _RANGES:
        return text
    low, high = _RANGES[name]
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        cause = "a decimal comma" if "," in text else ""
        raise InvalidInput(what, f"a number from {low:g} to {high:g}", text, cause)
    return text


def _unknown_convention(row: Row) -> tuple[str, str] | None:
    convention = row.fields.get("convention")
    if convention is None or convention.lower() in CONVENTIONS:
        return None
    return (
        "unknown_convention",
        f"line {row.line} of the manifest says {convention!r}, known are {', '.join(CONVENTIONS)}",
    )
