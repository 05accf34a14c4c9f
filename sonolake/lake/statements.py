"""Which SQL a reader may run, and what its errors mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonolake.errors import Damaged, InvalidInput, SonolakeError

if TYPE_CHECKING:
    import duckdb

_READING = ("SELECT", "EXPLAIN")
"""Kinds of statement that only read; FROM, WITH, VALUES, DESCRIBE, SHOW and SUMMARIZE are parsed to SELECT."""


def require_reading(con: duckdb.DuckDBPyConnection, query: str) -> None:
    """Let one statement that only reads pass.

    Raises:
        InvalidInput: for a syntax error, no statement or several, or one that would write or change settings.
    """
    import duckdb

    if not query.isascii() and query.encode("utf-8", "replace").decode("utf-8") != query:
        raise InvalidInput("query", "text in UTF-8", query, "bytes of another encoding on the command line")
    try:
        statements = con.extract_statements(query)
    except duckdb.Error as error:
        raise explained(error) from None
    kinds = [s.type.name for s in statements if not _opens_pivot(s)]
    if len(kinds) != 1:
        raise InvalidInput("query", "one SQL statement", f"{len(kinds)} statements")
    if kinds[0] not in _READING or (kinds[0] == "EXPLAIN" and "analyze" in query.lower()):
        raise InvalidInput("query", "a statement that only reads, such as SELECT", kinds[0])


def _opens_pivot(statement: duckdb.Statement) -> bool:
    """PIVOT is parsed to a temporary type, which has no text of its own, and a SELECT."""
    return statement.type.name == "CREATE" and not statement.query.strip()


def explained(error: duckdb.Error) -> SonolakeError:
    """DuckDB's error as ours: files that cannot be read are damage, all else is a mistake in the query."""
    import duckdb

    message = str(error).split("\n\nLINE ")[0].replace("\n", " ").strip()
    if isinstance(error, duckdb.IOException | duckdb.InternalException | duckdb.FatalException):
        return Damaged(f"the lake cannot be read: {message}")
    return InvalidInput("query", "SQL that DuckDB can run on this lake", message)
