"""A DuckLake catalog copied, table by table, from one database to another: PostgreSQL to SQLite and back."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sonolake.lake.catalog import attach, connect, quoted

if TYPE_CHECKING:
    import duckdb


@cache
def empty_catalog() -> bytes:
    """A catalog in SQLite as DuckLake makes it; what stands in its tables is a new lake's."""
    with TemporaryDirectory(prefix="sonolake-catalog-") as folder, connect() as con:
        file = Path(folder) / "catalog.sqlite"
        attach(con, f"ducklake:sqlite:{file}", "/")
        con.execute("USE memory; DETACH lake")
        return file.read_bytes()


def mirror(con: duckdb.DuckDBPyConnection, source: str, target: str, filled: set[str] | None = None) -> None:
    """Replace the rows of every catalog table in the attached schema ``target`` by those in ``source``.

    All is read in one transaction, so that the copy is of one moment. Both were made by the same version of DuckLake.

    Args:
        con: where both are attached.
        source: schema of the catalog, as ``database.schema``.
        target: schema of another one.
        filled: the tables of the source that have rows, where that is known; the others are not asked for any.
    """
    con.execute("BEGIN")
    try:
        for name in tables(con, target):
            con.execute(f'DELETE FROM {target}."{name}"')
            if filled is None or name in filled:
                con.execute(f'INSERT INTO {target}."{name}" BY NAME FROM {source}."{name}"')
        con.execute("COMMIT")
    except BaseException:
        con.execute("ROLLBACK")
        raise


def tables(con: duckdb.DuckDBPyConnection, schema: str) -> list[str]:
    """Names of the catalog tables in an attached schema, ``database.schema``."""
    database, _, name = schema.partition(".")
    rows = con.execute(
        "SELECT table_name FROM duckdb_tables() WHERE starts_with(table_name, 'ducklake_') AND "
        f"database_name = {quoted(database)} AND schema_name = {quoted(name)} ORDER BY table_name"
    )
    return [row[0] for row in rows.fetchall()]
