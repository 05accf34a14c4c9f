"""Reading the banks and refusing broken ones with file, line and reason."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from sonolake.cares.banks.fields import SCHEMA, check_fields
from sonolake.cares.banks.line_rules import check_lines
from sonolake.cares.banks.matter import Fix, Matter, Person, Trouble
from sonolake.cares.banks.model import Banks, Location, Reaction, Register, Relation, Sound, Tag
from sonolake.cares.banks.references import check_references
from sonolake.cares.banks.source import BankText, Entry, parse
from sonolake.cares.phrases import with_lists
from sonolake.errors import InvalidInput, NotFound
from sonolake.ids import canonical_json, sha256_hex
from sonolake.textfiles import utf8

NAMES = tuple(SCHEMA)
"""The banks; each is ``NAME.json`` with ``version``, perhaps ``edition`` and ``adds``, and the rows under ``NAME``."""
MAY_BE_EMPTY = "forbidden"
"""The only bank that needs no row: then every sound may occur everywhere."""
R = TypeVar("R")
Entries = Mapping[str, Entry]
"""Rows of a bank by their key, in order."""


VARIABLE = "SONOLAKE_BANKS"
"""Environment variable with the folder of one's own banks."""


def default_banks() -> Banks:
    """The banks of this package, with those of the folder that ``SONOLAKE_BANKS`` names."""
    return _banks_at(os.environ.get(VARIABLE, ""))


@lru_cache(maxsize=4)
def _banks_at(folder: str) -> Banks:
    return load_banks(Path(folder) if folder else None)


def load_banks(folder: Path | None = None) -> Banks:
    """The banks; a file of ``folder`` replaces the package's own, or adds to it when it says ``"adds": true``.

    An added row with a key that the package has takes the place of that row.

    Raises:
        InvalidInput: for a broken bank; the message names the file, the line and the reason.
        NotFound: when there is no such folder.
    """
    banks = {name: _entries(name, folder) for name in NAMES}
    if folder is not None:
        _check_folder(folder)

    def records(name: str, make: Callable[[dict[str, Any]], R]) -> dict[str, R]:
        return {key: _made(entry, make) for key, entry in banks[name].items()}

    content = {name: [entry.data for entry in entries.values()] for name, entries in banks.items()}
    loaded = Banks(
        locations=records("locations", lambda d: Location(**_tupled(d))),
        relations=records("relations", _relation),
        reactions=records("reactions", _reaction),
        tags=records("tags", lambda d: Tag(**{"gain_db": 0.0, "pause_s": 0.0, "vocal": "", **d})),
        sounds=records("events", _sound),
        forbidden=frozenset(
            (row["event_id"], place) for row in content["forbidden"] for place in row["locations"]
        ),
        matters=records("matters", _matter),
        lines=_lines(banks["lines"]),
        sha256=sha256_hex(canonical_json(content).encode()),
    )
    check_references(loaded, banks)
    check_lines(loaded, banks["lines"])
    return loaded


def _entries(name: str, folder: Path | None) -> Entries:
    ours = files("sonolake.cares.banks").joinpath(f"{name}.json").read_text(encoding="utf-8")
    own = folder / f"{name}.json" if folder else None
    if own is None or not own.is_file():
        return _keyed(parse(name, ours))
    theirs = parse(name, utf8(own.name, own.read_bytes()))
    found = {**(_keyed(parse(name, ours)) if theirs.adds else {}), **_keyed(theirs)}
    if not found and name != MAY_BE_EMPTY:
        raise InvalidInput(f"{own.name} line 1", f"at least one row under {name!r}", [])
    return found


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise NotFound(f"no folder of banks at {folder}")
    known = {f"{name}.json" for name in NAMES}
    if strange := sorted(p.name for p in folder.glob("*.json") if p.name not in known):
        raise InvalidInput(f"banks in {folder}", f"some of {sorted(known)}", strange, "a misspelt name")


def _keyed(bank: BankText) -> Entries:
    found: dict[str, Entry] = {}
    for entry in bank.entries:
        key = check_fields(entry)
        if key in found:
            what = SCHEMA[entry.bank].key
            raise InvalidInput(
                entry.where(what), f"every {what} once", key, f"it is on line {found[key].line}"
            )
        found[key] = entry
    return found


def _made(entry: Entry, make: Callable[[dict[str, Any]], R]) -> R:
    try:
        return make(dict(entry.data))
    except InvalidInput as error:
        where = f"{entry.where(error.what)}: {error.what}"
        raise InvalidInput(where, error.allowed, error.received, error.cause) from None


def _lines(entries: Entries) -> dict[str, tuple[str, ...]]:
    try:
        return with_lists({key: tuple(entry.data["values"]) for key, entry in entries.items()})
    except InvalidInput as error:
        name = next(key for key, entry in entries.items() if str(error.received) in entry.text)
        raise InvalidInput(
            f"{entries[name].where(name)}: {error.what}", error.allowed, error.received
        ) from None


def _relation(row: dict[str, Any]) -> Relation:
    first, second = row["roles"]
    why = {role: tuple(clauses) for role, clauses in row.get("why", {}).items()}
    return Relation(row["relation_id"], (first, second), why, tuple(row.get("avoid", ())))


def _reaction(row: dict[str, Any]) -> Reaction:
    registers: Iterable[dict[str, Any]] = row["registers"]
    return Reaction(
        row["reaction"],
        row["meaning"],
        tuple(Register(r["register"], r["meaning"], tuple(r.get("tags", ()))) for r in registers),
    )


def _sound(row: dict[str, Any]) -> Sound:
    return Sound(row["event_id"], row["name"], tuple(row.get("heard", ())), tuple(row.get("guesses", ())))


def _matter(row: dict[str, Any]) -> Matter:
    parts = _tupled(row)
    for name, make in (("troubles", Trouble), ("fixes", Fix), ("people", Person)):
        parts[name] = tuple(make(**_tupled(one)) for one in row[name])
    return Matter(**parts)


def _tupled(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
