"""Manifests: tables that say what the files of a folder are.

Headers of the contract are read as fields, all others are kept as tags; ``mapping`` renames a foreign layout's
headers (theirs to ours). Text becomes Unicode NFC; the path keeps the spelling that it has in the file, so that it
opens the file it names, and has its item's name in NFC beside it. Angles are degrees, distances metres.

A row that cannot be used refuses its item alone. A line of which nobody can say what file it means refuses the
whole manifest, before that file is taken without what was said of it.
"""

from __future__ import annotations

import math
import re
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
_NO_CHARACTER = re.compile("[\0\ud800-\udc7f\udd00-\udfff]")
"""What no file name holds: NUL, and halves of a character that stand for no undecodable byte either."""


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
        refusals: the paths whose rows cannot be used; they are in ``rows`` too where a file could have such a path.
    """

    rows: Mapping[str, Row] = field(default_factory=dict)
    refusals: Mapping[str, Refusal] = field(default_factory=dict)


def printable(path: str) -> str:
    """``path`` with what is no character written as ``\\xNN`` (undecodable bytes, NUL) or ``\\uNNNN``."""
    escaped = _NO_CHARACTER.sub(lambda match: ascii(match[0])[1:-1], path)
    return escaped.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def item_name(path: str) -> str:
    """The item that a relative path names: POSIX, no ``./``, NFC, printable."""
    return unicodedata.normalize("NFC", PurePosixPath(printable(path)).as_posix())


def read_manifest(path: Path | None, mapping: Mapping[str, str] | None = None) -> Manifest:
    """Read a manifest; None gives an empty one.

    Rows of one path that agree are merged, and those that do not become one refusal, ``conflicting_labels``. A row
    with a value out of range, text that is not UTF-8 or a path outside the folder is one, ``malformed_row``.

    Args:
        path: a ``.csv`` (comma, semicolon or tab), ``.tsv``, ``.jsonl`` or ``.ndjson`` file in UTF-8.
        mapping: their header to ours.

    Raises:
        NotFound: there is no such file.
        InvalidInput: the file is not what its suffix says, lacks a header that is needed, or has a row without a
            path; the message names the line, what was allowed and what came. Or there is a mapping and no manifest.
    """
    if path is None:
        if mapping:
            raise InvalidInput("--map", "a manifest whose headers it renames", "a folder without one")
        return Manifest()
    if not path.is_file():
        raise NotFound(f"manifest {path}: there is no such file")
    headers, records = read_records(path)
    names = _names(path.name, headers, dict(mapping or {})) if headers else {}
    rows: dict[str, Row] = {}
    refused: dict[str, Refusal] = {}
    for record in records:
        row, problems = _row(path.name, names, record)
        if _usable(row.path):
            known = rows.get(row.path, row)
            rows[row.path] = merged(known, row)
            problems += [problem for problem in (conflict(known, row), _unknown_convention(row)) if problem]
        if problems:
            refused.setdefault(row.path, Refusal(item_name(row.path), *problems[0]))
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


def _row(file: str, names: Mapping[str, str], record: Record) -> tuple[Row, list[Problem]]:
    """One row, with what is wrong with it: such values are left out."""
    line, raw = record
    path = ""
    fields: dict[str, str] = {}
    tags: dict[str, str] = {}
    problems: list[Problem] = []
    for header, value in raw.items():
        name = unicodedata.normalize("NFC", names[header])
        if name == "path":
            path = _cleaned_path(value)
            wrong = "" if _usable(path) else _OUTSIDE
        else:
            text = unicodedata.normalize("NFC", value.strip())
            wrong = _not_text(name) or _not_text(text) or _out_of_range(name, text)
            if text and not wrong:
                (fields if name in HEADERS else tags)[name] = text
        if wrong:
            detail = f"line {line} of the manifest, field {printable(header)}: {wrong}, and is {value[:80]!r}"
            problems.append(("malformed_row", detail))
    if not path:
        raise InvalidInput(f"manifest {file}, line {line}, field path", "a relative path", "")
    return Row(path, line, fields, tags), problems


Problem = tuple[str, str]
"""Reason and detail of a refusal."""
_OUTSIDE = "must be a path under the manifest's folder (one of another machine is not)"


def _cleaned_path(value: str) -> str:
    path = value.strip("\r\n")
    return PurePosixPath(path).as_posix() if path.strip() else ""


def _usable(path: str) -> bool:
    """Whether a file under the manifest's folder could have this path."""
    parts = PurePosixPath(path).parts
    return bool(parts) and parts[0] != "/" and ".." not in parts and not _NO_CHARACTER.search(path)


def _not_text(text: str) -> str:
    """What is wrong with text that holds NUL or bytes that are no UTF-8."""
    return "" if printable(text) == text else "must be UTF-8 text (Latin-1 and other old encodings are not)"


def _out_of_range(name: str, text: str) -> str:
    """What is wrong with the text of a numeric field that is no number, or not in its range."""
    if name not in _RANGES or not text:
        return ""
    low, high = _RANGES[name]
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if low <= value <= high:
        return ""
    return f"must be a number from {low:g} to {high:g}{' (with a decimal point)' if ',' in text else ''}"


def _unknown_convention(row: Row) -> tuple[str, str] | None:
    convention = row.fields.get("convention")
    if convention is None or convention.lower() in CONVENTIONS:
        return None
    return (
        "unknown_convention",
        f"line {row.line} of the manifest says {convention!r}, known are {', '.join(CONVENTIONS)}",
    )
