"""One commit over several tables, under the lake's one-writer lock.

A SQLite catalog loses inserts of concurrent writers, and keys are ours to check before the write, so one lock stands
around every write transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from sonolake.errors import InvalidInput
from sonolake.lake.spec import TableSpec

if TYPE_CHECKING:
    import duckdb

Rows: TypeAlias = "list[dict[str, object]] | pa.Table"
Params: TypeAlias = "list[object] | dict[str, object] | None"


class Transaction:
    """Writes that become visible together, or not at all; made by :meth:`Lake.transaction`."""

    def __init__(self, con: duckdb.DuckDBPyConnection, specs: Mapping[str, TableSpec]) -> None:
        self._con = con
        self._specs = specs
        self.snapshot: int | None = None

    def sql(self, query: str, params: Params = None) -> pa.Table:
        """The answer to ``query``, everything committed before and written in this transaction included."""
        return self._con.execute(query, params or []).to_arrow_table()

    def append(self, name: str, rows: Rows, *, new: bool = False) -> int:
        """Add ``rows``; returns their number.

        Args:
            name: the table.
            rows: its rows.
            new: their keys are known to be new, so that they need not be looked up.

        Raises:
            InvalidInput: for a key that is there already or comes twice, or rows that do not fit the table.
        """
        spec, table = self._checked(name, rows)
        if not table.num_rows:
            return 0
        with self._registered(table):
            if spec.key and not new:
                self._refuse_known_keys(spec)
            self._con.execute(f"INSERT INTO {name} BY NAME SELECT * FROM incoming")
        return int(table.num_rows)

    def merge(self, name: str, rows: Rows) -> int:
        """Add rows whose key is new, replace those whose key is there; returns the number of rows given."""
        spec, table = self._checked(name, rows)
        if not spec.key:
            raise InvalidInput(f"merge into {name}", "a table with a key", "a table without one")
        if not table.num_rows:
            return 0
        others = [c.name for c in spec.columns if c.name not in spec.key]
        update = ", ".join(f'"{c}" = incoming."{c}"' for c in others)
        names = ", ".join(f'"{c.name}"' for c in spec.columns)
        values = ", ".join(f'incoming."{c.name}"' for c in spec.columns)
        matched = f"WHEN MATCHED THEN UPDATE SET {update} " if others else ""
        with self._registered(table):
            self._con.execute(
                f"MERGE INTO {name} USING incoming ON {_on(spec)} {matched}"
                f"WHEN NOT MATCHED THEN INSERT ({names}) VALUES ({values})"
            )
        return int(table.num_rows)

    def delete(self, name: str, keys: Rows) -> None:
        """Remove the rows whose key is among ``keys``."""
        spec = self._spec(name)
        only = TableSpec(name, tuple(c for c in spec.columns if c.name in spec.key), spec.key, spec.meaning)
        table = only.rows(keys)
        if table.num_rows:
            with self._registered(table):
                self._con.execute(f"DELETE FROM {name} USING incoming WHERE {_on(spec)}")

    def _spec(self, name: str) -> TableSpec:
        if name not in self._specs:
            raise InvalidInput("table", f"a declared table: {', '.join(sorted(self._specs))}", name)
        return self._specs[name]

    def _checked(self, name: str, rows: Rows) -> tuple[TableSpec, pa.Table]:
        spec = self._spec(name)
        table = spec.rows(rows)
        keys = zip(*(table[name].to_pylist() for name in spec.key), strict=True)
        if spec.key and len(set(keys)) != table.num_rows:
            raise InvalidInput(
                f"rows of {name}", f"each key ({', '.join(spec.key)}) once", "a key that comes twice"
            )
        return spec, table

    def _refuse_known_keys(self, spec: TableSpec) -> None:
        query = f"SELECT {', '.join(f'{spec.name}.{_q(k)}' for k in spec.key)} FROM {spec.name}, incoming"
        known = self._con.execute(f"{query} WHERE {_on(spec)} LIMIT 3").fetchall()
        if known:
            raise InvalidInput(f"rows of {spec.name}", "keys that are new", known, "another writer was first")

    @contextmanager
    def _registered(self, table: pa.Table) -> Iterator[None]:
        self._con.register("incoming", table)
        try:
            yield
        finally:
            self._con.unregister("incoming")


def _q(name: str) -> str:
    return f'"{name}"'


def _on(spec: TableSpec) -> str:
    return " AND ".join(f"{spec.name}.{_q(k)} = incoming.{_q(k)}" for k in spec.key)


@contextmanager
def transact(
    con: duckdb.DuckDBPyConnection,
    specs: Mapping[str, TableSpec],
    author: str,
    message: str,
    extra: Mapping[str, Any],
    check: Callable[[], object],
) -> Iterator[Transaction]:
    """Run one DuckDB transaction and name its snapshot; the caller holds the lake's lock, which ``check`` proves."""
    con.execute("BEGIN")
    transaction = Transaction(con, specs)
    try:
        yield transaction
        con.execute(
            "CALL lake.set_commit_message(?, ?, extra_info => ?)",
            [author, message, json.dumps(dict(extra), sort_keys=True)],
        )
        check()
        con.execute("COMMIT")
    except BaseException:
        _roll_back(con)
        raise
    snapshots = con.execute("FROM lake.last_committed_snapshot()").fetchall()
    transaction.snapshot = snapshots[0][0] if snapshots else None


def _roll_back(con: duckdb.DuckDBPyConnection) -> None:
    """Undo what is open; a commit that failed has undone itself, and its error is the one to see."""
    import duckdb

    with suppress(duckdb.TransactionException):
        con.execute("ROLLBACK")
