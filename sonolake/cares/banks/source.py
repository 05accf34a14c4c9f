"""The text of a bank as entries that know the line they stand on."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from sonolake.errors import InvalidInput

VERSION = 1
"""Version of the banks' format."""
_HEADER = frozenset({"version", "edition", "adds"})
_SKIPPED = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class Entry:
    """One row of a bank.

    Attributes:
        bank: the bank's name.
        data: the row; for the bank of lines, the key and its lines.
        text: the row as it is written.
        line: line of the file on which it begins, from 1.
    """

    bank: str
    data: Any
    text: str
    line: int

    def where(self, field: str = "") -> str:
        """``events.json line 5``; with ``field``, the line on which that field of the row stands."""
        found = re.search(rf'"{re.escape(field)}"\s*:', self.text) if field else None
        at = found.start() if found else 0
        return f"{self.bank}.json line {self.line + self.text.count(chr(10), 0, at)}"


@dataclass(frozen=True)
class BankText:
    """A parsed bank: its content's edition, whether it adds to the package's own, and its entries in order."""

    edition: str
    adds: bool
    entries: tuple[Entry, ...]


def parse(bank: str, text: str) -> BankText:
    """The entries of a bank: ``{"version": 1, "edition"?, "adds"?, BANK: [row, ...]}`` (a mapping for lines).

    Raises:
        InvalidInput: for what is no JSON, another version, unknown keys or a key that comes twice, with the line.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{bank}.json line {error.lineno}", "JSON", error.msg) from None
    if not isinstance(data, dict) or data.get("version") != VERSION or bank not in data:
        raise InvalidInput(f"{bank}.json line 1", f"version {VERSION} and {bank!r}", str(data)[:80])
    if unknown := sorted(set(data) - _HEADER - {bank}):
        raise InvalidInput(f"{bank}.json line 1", f"{sorted(_HEADER)} and {bank!r}", unknown)
    edition, adds = data.get("edition", ""), data.get("adds", False)
    if not isinstance(edition, str) or not isinstance(adds, bool):
        raise InvalidInput(f"{bank}.json line 1", "edition as text, adds as true or false", [edition, adds])
    if not isinstance(data[bank], list | dict):
        raise InvalidInput(f"{bank}.json line 1", f"{bank!r} as a list", str(data[bank])[:80])
    return BankText(edition, adds, tuple(_entries(bank, text)))


def _entries(bank: str, text: str) -> list[Entry]:
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    start = re.search(rf'"{bank}"\s*:\s*[\[{{]', text)
    assert start, "the bank was found before"
    keyed, at = text[start.end() - 1] == "{", start.end()
    found: list[Entry] = []
    while True:
        at = _skip(text, at)
        if text[at] in "]}":
            return found
        line = text.count("\n", 0, at) + 1
        try:
            row, end = decoder.raw_decode(text, at)
            if keyed:
                value, end = decoder.raw_decode(text, _skip(text, text.index(":", end) + 1))
                row = {"key": row, "values": value}
        except InvalidInput as error:
            raise InvalidInput(f"{bank}.json line {line}", error.allowed, error.received) from None
        found.append(Entry(bank, row, text[at:end], line))
        at = end


def _skip(text: str, at: int) -> int:
    match = _SKIPPED.match(text, at)
    return match.end() if match else at


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InvalidInput("fields", "every field once", twice)
    return dict(pairs)
