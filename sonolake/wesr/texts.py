"""Texts by utterance on disk, so that a set of any size is scored in the same memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from types import TracebackType


class Texts(Mapping[str, str]):
    """A mapping from utterance to text in a temporary SQLite file that goes when it is closed.

    Used as a context manager.
    """

    def __init__(self) -> None:
        self._rows = sqlite3.connect("", isolation_level=None)
        self._rows.execute("PRAGMA journal_mode = OFF")
        self._rows.execute("CREATE TABLE texts (name TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID")
        self._rows.execute("BEGIN")

    def add(self, utterance_id: str, text: str) -> str | None:
        """Keep a text; when there is one for that utterance it is replaced and given back."""
        before = self._find(utterance_id)
        self._rows.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", (utterance_id, text))
        return before

    def _find(self, utterance_id: object) -> str | None:
        row = self._rows.execute("SELECT text FROM texts WHERE name = ?", (utterance_id,)).fetchone()
        return row[0] if row else None

    def __getitem__(self, utterance_id: str) -> str:
        found = self._find(utterance_id)
        if found is None:
            raise KeyError(utterance_id)
        return found

    def __iter__(self) -> Iterator[str]:
        return (row[0] for row in self._rows.execute("SELECT name FROM texts ORDER BY name"))

    def __len__(self) -> int:
        return int(self._rows.execute("SELECT count(*) FROM texts").fetchone()[0])

    def __enter__(self) -> Texts:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._rows.close()
