"""What each bank's rows hold: the schema that files are checked against before records are made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sonolake.cares.banks.source import Entry
from sonolake.errors import InvalidInput


@dataclass(frozen=True)
class Kind:
    """A kind of value: what it is for people, and whether a value is one."""

    what: str
    holds: Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and value == value.strip()


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_text, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_registers(value: Any) -> bool:
    def holds(row: Any) -> bool:
        return (
            isinstance(row, dict)
            and {"register", "meaning"} <= set(row) <= {"register", "meaning", "tags"}
            and _is_text(row["register"])
            and _is_text(row["meaning"])
            and ("tags" not in row or _is_texts(row["tags"]))
        )

    return isinstance(value, list) and all(map(holds, value))


def rows_of(what: str, fields: Mapping[str, Kind]) -> Kind:
    """A list of one or more objects with exactly these fields."""

    def holds(value: Any) -> bool:
        return (
            isinstance(value, list)
            and bool(value)
            and all(
                isinstance(row, dict)
                and set(row) == set(fields)
                and all(kind.holds(row[name]) for name, kind in fields.items())
                for row in value
            )
        )

    return Kind(f"a list of {what}, each with {', '.join(fields)}", holds)


TEXT = Kind("text without blanks around it", _is_text)
TEXTS = Kind("a list of one or more texts", _is_texts)
LINES = Kind(
    "a list of one or more lines", lambda value: isinstance(value, list) and bool(value) and all(value)
)
TWO = Kind("a list of two texts", lambda value: _is_texts(value) and len(value) == 2)
NUMBER = Kind("a number", _is_number)
REGISTERS = Kind("a list of registers, each with register, meaning and perhaps tags", _is_registers)
BY_ROLE = Kind(
    "lists of texts by role", lambda value: isinstance(value, dict) and all(map(_is_texts, value.values()))
)
TROUBLES = rows_of("troubles", {"trouble": TEXT, "since": TEXTS, "signs": TEXTS})
FIXES = rows_of("fixes", {"do": TEXT, "doing": TEXT, "pros": TEXTS, "cons": TEXTS})
PEOPLE = rows_of("people", {"who": TEXT, "says": TEXTS})


@dataclass(frozen=True)
class Fields:
    """The fields of a bank's rows; ``key`` is the one that names a row."""

    key: str
    needed: Mapping[str, Kind]
    optional: Mapping[str, Kind]


_PHRASES = ("slips", "facts", "stories", "worries", "hopes", "whens")
SCHEMA: Mapping[str, Fields] = {
    "locations": Fields(
        "location_id",
        {"location_id": TEXT, "name": TEXT, "setting": TEXT, "wet": NUMBER},
        {"here": TEXTS},
    ),
    "relations": Fields("relation_id", {"relation_id": TEXT, "roles": TWO}, {"why": BY_ROLE, "avoid": TEXTS}),
    "reactions": Fields("reaction", {"reaction": TEXT, "meaning": TEXT, "registers": REGISTERS}, {}),
    "tags": Fields(
        "tag", {"tag": TEXT, "becomes": TEXT}, {"gain_db": NUMBER, "pause_s": NUMBER, "vocal": TEXT}
    ),
    "events": Fields("event_id", {"event_id": TEXT, "name": TEXT}, {"heard": TEXTS, "guesses": TEXTS}),
    "forbidden": Fields("event_id", {"event_id": TEXT, "locations": TEXTS}, {}),
    "matters": Fields(
        "matter",
        {
            **dict.fromkeys(("matter", "category", "theme", "thing"), TEXT),
            **dict.fromkeys(_PHRASES, TEXTS),
            "troubles": TROUBLES,
            "fixes": FIXES,
            "people": PEOPLE,
        },
        {},
    ),
    "lines": Fields("key", {"key": TEXT, "values": LINES}, {}),
}
"""Every bank with the fields of its rows."""


def check_fields(entry: Entry) -> str:
    """The key of a row whose fields are those of its bank.

    Raises:
        InvalidInput: with the line and the field that is missing, unknown or of another kind.
    """
    schema, row = SCHEMA[entry.bank], entry.data
    if not isinstance(row, dict):
        raise InvalidInput(entry.where(), f"a row with {sorted(schema.needed)}", row)
    known = {**schema.needed, **schema.optional}
    if missing := sorted(set(schema.needed) - set(row)):
        raise InvalidInput(entry.where(), f"the fields {sorted(schema.needed)}", sorted(row), f"no {missing}")
    if unknown := sorted(set(row) - set(known)):
        raise InvalidInput(entry.where(unknown[0]), f"the fields {sorted(known)}", unknown)
    for name, value in row.items():
        if not known[name].holds(value):
            raise InvalidInput(f"{entry.where(name)}, {name}", known[name].what, value)
    return str(row[schema.key])
