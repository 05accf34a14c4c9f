"""Cursors of a connection that stand in the lake, kept for the next that asks: to go there reads the catalog."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb


class Cursors:
    """Cursors of ``con``, where the lake is attached; any number of threads may each have one at a time."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con
        self._idle: list[duckdb.DuckDBPyConnection] = []

    @contextmanager
    def one(self) -> Iterator[Any]:
        """A cursor; it is not used again when what it was for went wrong."""
        try:
            cursor = self._idle.pop()
        except IndexError:
            cursor = self._new()
        try:
            yield cursor
        except BaseException:
            cursor.close()
            raise
        self._idle.append(cursor)

    def close(self) -> None:
        """Close the connection, and with it all cursors that nobody uses."""
        for cursor in self._idle:
            cursor.close()
        self._idle.clear()
        self.con.close()

    def _new(self) -> duckdb.DuckDBPyConnection:
        cursor = self.con.cursor()
        try:
            cursor.execute("USE lake")
        except BaseException:
            cursor.close()
            raise
        return cursor
