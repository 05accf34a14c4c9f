"""CSV, TSV and JSON lines as records: a line number and a text value a header, nothing interpreted."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput

Record = tuple[int, dict[str, str]]
"""The line (from 1) on which a record ends, and its values; undecodable bytes are lone surrogates."""


def read_records(path: Path, kind: str = "manifest") -> tuple[tuple[str, ...], list[Record]]:
    """The headers and the records of a table in UTF-8, with or without a byte order mark.

    Blank lines are left out, and values without a header. In JSON lines every object has its own keys; the headers
    are all of them.

    Raises:
        InvalidInput: for another suffix or encoding, a malformed line, a header that is there twice, or more values
            than headers; the message names the line.
    """
    what = f"{kind} {path.name}"
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise InvalidInput(what, f"a suffix among {', '.join(READERS)}", path.suffix)
    data = path.read_bytes()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InvalidInput(what, "UTF-8", "UTF-16", "a spreadsheet saved it as Unicode text")
    return reader(what, data.decode("utf-8-sig", "surrogateescape"))


def _read_delimited(file: str, text: str, delimiter: str) -> tuple[tuple[str, ...], list[Record]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    headers: tuple[str, ...] = ()
    records: list[Record] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not headers:
                headers = _headers(file, reader.line_num, cells)
                continue
            records.append((reader.line_num, _labelled(file, reader.line_num, headers, cells)))
    except csv.Error as error:
        what = f"{file}, line {reader.line_num}"
        raise InvalidInput(what, "well-formed CSV", str(error), "an unbalanced quote") from error
    return headers, records


def _headers(file: str, line: int, cells: list[str]) -> tuple[str, ...]:
    headers = tuple(cell.strip() for cell in cells)
    twice = sorted({header for header in headers if header and headers.count(header) > 1})
    if twice:
        raise InvalidInput(f"{file}, line {line}", "each header once", ", ".join(twice))
    return headers


def _labelled(file: str, line: int, headers: tuple[str, ...], cells: list[str]) -> dict[str, str]:
    if any(cell.strip() for cell in cells[len(headers) :]):
        cause = "a value that holds the delimiter is not quoted"
        raise InvalidInput(f"{file}, line {line}", f"{len(headers)} values", f"{len(cells)} values", cause)
    return {header: cell for header, cell in zip(headers, cells, strict=False) if header}


def _read_csv(file: str, text: str) -> tuple[tuple[str, ...], list[Record]]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return _read_delimited(file, text, max(",;\t", key=first.count))


def _read_tsv(file: str, text: str) -> tuple[tuple[str, ...], list[Record]]:
    return _read_delimited(file, text, "\t")


def _read_json_lines(file: str, text: str) -> tuple[tuple[str, ...], list[Record]]:
    headers: dict[str, None] = {}
    records: list[Record] = []
    for line, content in enumerate(text.split("\n"), 1):
        if content.strip():
            values = _json_record(f"{file}, line {line}", content)
            headers |= dict.fromkeys(values)
            records.append((line, values))
    return tuple(headers), records


def _json_record(what: str, content: str) -> dict[str, str]:
    try:
        pairs = json.loads(content, object_pairs_hook=_Pairs)
        if not isinstance(pairs, _Pairs):
            raise InvalidInput(what, "one JSON object a line", content[:80])
        return _once(what, [(key.strip(), _json_text(value)) for key, value in pairs if key.strip()])
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(what, "one JSON object a line", content[:80], str(error)) from error


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as it is written."""


def _once(what: str, pairs: list[tuple[str, str]]) -> dict[str, str]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise InvalidInput(what, "each key once", ", ".join(key for key, _ in pairs))
    return values


def _json_text(value: Any) -> str:
    """Text as it is, null as blank, a list of texts with commas, all else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and not isinstance(value, _Pairs) and all(isinstance(e, str) for e in value):
        return ",".join(value)
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, _Pairs):
        return {key: _plain(entry) for key, entry in value}
    return [_plain(entry) for entry in value] if isinstance(value, list) else value


READERS: dict[str, Callable[[str, str], tuple[tuple[str, ...], list[Record]]]] = {
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
}
"""How a table is read, by suffix."""
