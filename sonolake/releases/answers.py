"""What a proof answers where it states figures: a small table of texts, kept in the head of its SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sonolake.errors import Damaged

EVERY = "*"
"""Stands in an answer for all configs, or all splits, together: no config or split can be called so."""


@dataclass(frozen=True)
class Answer:
    """Column names, and rows of as many texts; nothing is an empty text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @staticmethod
    def of(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> Answer:
        """The answer that a query gave."""
        texts = (tuple("" if value is None else str(value) for value in row) for row in rows)
        return Answer(tuple(columns), tuple(texts))

    @property
    def records(self) -> list[dict[str, str]]:
        """Rows by the names of their columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def find(self, **values: str) -> tuple[int, dict[str, str]] | None:
        """The first row with these values, and its number from 0; None where there is none."""
        for number, record in enumerate(self.records):
            if values.items() <= record.items():
                return number, record
        return None

    def differences(self, stated: Answer) -> list[str]:
        """Rows that are not as ``stated``, then rows that are stated and are not there."""
        there, said = set(self.rows), set(stated.rows)
        found = [f"{_told(self.columns, row)} (not as stated)" for row in self.rows if row not in said]
        return found + [
            f"{_told(stated.columns, row)} (stated, not there)" for row in stated.rows if row not in there
        ]

    def head(self) -> str:
        """The lines that say it in the head of a proof."""
        lines = [_line("columns", self.columns), *(_line("row", row) for row in self.rows)]
        return "\n".join(lines)


def parse_answer(lines: Sequence[tuple[str, str]], said: Mapping[str, str], where: str) -> Answer:
    """The answer that the ``-- key: value`` lines of a head say.

    Raises:
        Damaged: when it is not one, naming ``where``.
    """
    try:
        columns = json.loads(said["columns"])
        rows = [json.loads(value) for key, value in lines if key == "row"]
    except (KeyError, ValueError) as error:
        raise Damaged(f"{where}: its stated answer cannot be read ({error})") from error
    tables = [columns, *rows]
    if not all(isinstance(t, list) and len(t) == len(columns) for t in tables) or not all(
        isinstance(text, str) for t in tables for text in t
    ):
        raise Damaged(f"{where}: its stated answer is no table of texts")
    return Answer(tuple(columns), tuple(map(tuple, rows)))


def _line(key: str, texts: Sequence[str]) -> str:
    return f"-- {key}: {json.dumps(list(texts), ensure_ascii=False)}"


def _told(columns: Sequence[str], row: Sequence[str]) -> str:
    return ", ".join(f"{column} {value}" for column, value in zip(columns, row, strict=True))
