"""Reading the banks and refusing broken ones with file, line and reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from sonolake.cares.banks.model import Banks, Location, Reaction, Register, Relation, Situation, Sound, Tag
from sonolake.errors import InvalidInput
from sonolake.ids import canonical_json, sha256_hex

NAMES = ("locations", "relations", "reactions", "tags", "events", "forbidden", "situations", "lines")
"""The banks; each is ``NAME.json`` with ``version`` and one list or mapping called ``NAME``."""
VERSION = 1
R = TypeVar("R")


@lru_cache(maxsize=1)
def default_banks() -> Banks:
    """The banks of this package."""
    return load_banks()


def load_banks(folder: Path | None = None) -> Banks:
    """The banks, with those that ``folder`` holds in the place of the package's own.

    Raises:
        InvalidInput: for a broken bank; the message names the file, the line and the reason.
    """
    texts = {name: _text(name, folder) for name in NAMES}
    data = {name: _content(name, text) for name, text in texts.items()}

    def records(name: str, key: str, make: Callable[[dict[str, Any]], R]) -> dict[str, R]:
        return _keyed(name, texts[name], data[name], key, make)

    banks = Banks(
        locations=records("locations", "location_id", lambda d: Location(**d)),
        relations=records(
            "relations", "relation_id", lambda d: Relation(d["relation_id"], _pair(d["roles"]))
        ),
        reactions=records("reactions", "reaction", _reaction),
        tags=records("tags", "tag", lambda d: Tag(**{"gain_db": 0.0, "pause_s": 0.0, **d})),
        sounds=records("events", "event_id", _sound),
        forbidden=frozenset(
            (row["event_id"], place) for row in data["forbidden"] for place in row["locations"]
        ),
        situations=tuple(records("situations", "theme", _situation).values()),
        lines={name: tuple(lines) for name, lines in data["lines"].items()},
        sha256=sha256_hex(canonical_json(data).encode()),
    )
    _check_references(banks)
    return banks


def _text(name: str, folder: Path | None) -> str:
    own = folder / f"{name}.json" if folder else None
    if own and own.is_file():
        return own.read_text(encoding="utf-8")
    return files("sonolake.cares.banks").joinpath(f"{name}.json").read_text(encoding="utf-8")


def _content(name: str, text: str) -> Any:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{name}.json line {error.lineno}", "JSON", error.msg) from None
    if not isinstance(data, dict) or data.get("version") != VERSION or set(data) != {"version", name}:
        raise InvalidInput(f"{name}.json", f"version {VERSION} and {name!r}", str(data)[:80])
    return data[name]


def _keyed(
    name: str, text: str, rows: list[dict[str, Any]], key: str, make: Callable[[dict[str, Any]], R]
) -> dict[str, R]:
    """Records by key, in the file's order."""
    found: dict[str, R] = {}
    for row in rows:
        where = f"{name}.json line {_line_of(text, row.get(key))}"
        if row.get(key) in found:
            raise InvalidInput(where, f"every {key} once", row.get(key))
        try:
            found[row[key]] = make(dict(row))
        except InvalidInput as error:
            raise InvalidInput(f"{where}: {error.what}", error.allowed, error.received, error.cause) from None
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput(where, "the fields of the bank", str(error)) from None
    return found


def _line_of(text: str, key: object) -> int:
    """Line on which a record's key first stands in the file, from 1."""
    return text.count("\n", 0, max(text.find(f'"{key}"'), 0)) + 1


def _pair(roles: list[str]) -> tuple[str, str]:
    first, second = roles
    return first, second


def _reaction(row: dict[str, Any]) -> Reaction:
    registers = tuple(
        Register(r["register"], r["meaning"], tuple(r.get("tags", ()))) for r in row["registers"]
    )
    return Reaction(row["reaction"], row["meaning"], registers)


def _sound(row: dict[str, Any]) -> Sound:
    return Sound(row["event_id"], row["name"], tuple(row["heard"]), tuple(row["guesses"]))


def _situation(row: dict[str, Any]) -> Situation:
    things = tuple((thing, tuple(troubles)) for thing, troubles in row.pop("things"))
    rest: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
    }
    return Situation(things=things, **rest)


def _check_references(banks: Banks) -> None:
    """What one bank says about another must be there."""
    for event_id, place in sorted(banks.forbidden):
        if event_id not in banks.sounds or place not in banks.locations:
            raise InvalidInput("forbidden.json", "known events and locations", (event_id, place))
    for reaction in banks.reactions.values():
        for register in reaction.registers:
            if missing := set(register.tags) - set(banks.tags):
                raise InvalidInput(
                    f"reactions.json register {register.register}", "known tags", sorted(missing)
                )
