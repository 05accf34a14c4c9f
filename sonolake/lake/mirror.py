"""A DuckLake catalog copied, table by table, from one database to another: PostgreSQL to SQLite and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonolake.lake.catalog import quoted

if TYPE_CHECKING:
    import duckdb


def mirror(con: duckdb.DuckDBPyConnection, source: str, target: str) -> None:
    """Replace the rows of every catalog table in the attached schema ``target`` by those in ``source``.

    All is read in one transaction, so that the copy is of one moment. Both were made by the same version of DuckLake.

    Args:
        con: where both are attached.
        source: schema of the catalog, as ``database.schema``.
        target: schema of another one.
    """
    names = _tables(con, source)
    con.execute("BEGIN")
    try:
        for name in names:
            con.execute(f'DELETE FROM {target}."{name}"')
            con.execute(f'INSERT INTO {target}."{name}" BY NAME FROM {source}."{name}"')
        con.execute("COMMIT")
    except BaseException:
        con.execute("ROLLBACK")
        raise


def _tables(con: duckdb.DuckDBPyConnection, schema: str) -> list[str]:
    database, _, name = schema.partition(".")
    rows = con.execute(
        "SELECT table_name FROM duckdb_tables() WHERE starts_with(table_name, 'ducklake_') AND "
        f"database_name = {quoted(database)} AND schema_name = {quoted(name)} ORDER BY table_name"
    )
    return [row[0] for row in rows.fetchall()]
