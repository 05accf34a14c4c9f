"""A DuckLake catalog in PostgreSQL: a schema a lake, named by the lake's id, so that several share a database.

Writers on any host wait for one advisory lock, which PostgreSQL holds for a transaction: it goes with the connection of
the process that held it, however that ended.
"""

from __future__ import annotations

import re
import tempfile
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit, urlunsplit

from sonolake.errors import Damaged, LakeBusy, NotFound, Unreachable
from sonolake.lake.catalog import attach, connect, quoted, schema_of
from sonolake.lake.locks import WAIT_S
from sonolake.lake.mirror import empty_catalog, mirror, tables
from sonolake.lake.sqlite_catalog import newest_snapshot

if TYPE_CHECKING:
    import duckdb

_EXTENSIONS = ("postgres_scanner",)
_SETTINGS = "statement_timeout = 0", "idle_in_transaction_session_timeout = 0", "tcp_keepalives_idle = 60"
"""Of the transaction that holds a lock: it may wait, and ends when its host is gone."""


def without_password(address: str) -> str:
    """``postgresql://…`` without the password in it."""
    parts = urlsplit(address)
    user, _, host = parts.netloc.rpartition("@")
    user = user.partition(":")[0]
    query = re.sub(r"(^|&)password=[^&]*", "", parts.query).lstrip("&")
    return urlunsplit(parts._replace(netloc=f"{user}@{host}" if user else host, query=query))


class AdvisoryLock:
    """PostgreSQL's advisory lock ``name``, of one writer on all hosts."""

    def __init__(self, address: str, name: str, timeout: float = WAIT_S) -> None:
        self.timeout = timeout
        self.name = name
        self._address = address
        self._key = int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
        self._con: duckdb.DuckDBPyConnection | None = None
        self._held = 0

    def __enter__(self) -> AdvisoryLock:
        if not self._held:
            self._take()
        self._held += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._held -= 1
        if not self._held and self._con is not None:
            with suppress(_engine_error()):
                self._con.execute("ROLLBACK")

    def check(self) -> None:
        """Let a lock pass that is held.

        Raises:
            LakeBusy: when it was lost with the connection, and another writer may hold it.
        """
        try:
            assert self._con is not None
            self._con.execute("FROM postgres_query('locks', 'SELECT 1')")
        except _engine_error() as error:
            raise LakeBusy(f"the lock {self.name} was lost: {_said(error, self._address)}") from None

    def close(self) -> None:
        """End the connection, and the lock with it."""
        if self._con is not None:
            self._con.close()
            self._con = None

    def _take(self) -> None:
        settings = [*_SETTINGS, f"lock_timeout = {max(1, round(self.timeout * 1000))}"]
        wait = "; ".join(
            [*(f"SET LOCAL {one}" for one in settings), f"SELECT pg_advisory_xact_lock({self._key})"]
        )
        try:
            if self._con is None:
                self._con = connect(*_EXTENSIONS)
                self._con.execute(f"ATTACH {quoted(self._address)} AS locks (TYPE postgres)")
            self._con.execute("BEGIN")
            self._con.execute(f"CALL postgres_execute('locks', {quoted(wait)})")
        except _engine_error() as error:
            self.close()
            if "lock timeout" in str(error):
                raise LakeBusy(
                    f"another writer has held the lock {self.name} for over {self.timeout:g} s"
                ) from None
            raise Unreachable(_said(error, self._address)) from None


class PostgresCatalog:
    """The catalog of the lake ``lake_id`` at ``address``, ``postgresql://…``."""

    extensions: tuple[str, ...] = _EXTENSIONS

    def __init__(self, address: str, lake_id: str) -> None:
        self.address = address
        self.schema = schema_of(lake_id)
        self.metadata = f"__ducklake_metadata_lake.{self.schema}"
        self.lock = AdvisoryLock(address, self.schema)
        self._locks = [self.lock]
        self._copying: duckdb.DuckDBPyConnection | None = None

    def require(self) -> None:
        """PostgreSQL says itself when the schema is gone."""

    def attach(
        self,
        con: duckdb.DuckDBPyConnection,
        tables: str,
        *,
        create: bool = False,
        read_only: bool = False,
        snapshot: int | None = None,
    ) -> None:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        self._attach(con, tables, self.schema, create, read_only, snapshot)

    def lock_of(self, name: str) -> AdvisoryLock:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        self._locks.append(AdvisoryLock(self.address, f"{self.schema} {name}"))
        return self._locks[-1]

    def write_copy(self, file: Path, snapshot: int) -> None:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        file.write_bytes(empty_catalog())
        try:
            con = self._source()
            con.execute(f"ATTACH {quoted(str(file))} AS copy (TYPE sqlite)")
            mirror(con, f"source.{self.schema}", "copy.main", self._filled(con))
            con.execute("DETACH copy")
        except _engine_error() as error:
            self._close_source()
            raise Unreachable(_said(error, self.address)) from None
        if newest_snapshot(file) < snapshot:
            raise Damaged(f"{self} was replaced during a commit: what was committed is not in it")

    def _source(self) -> duckdb.DuckDBPyConnection:
        """A connection with the catalog attached as ``source``, kept for the next copy."""
        if self._copying is None:
            self._copying = connect(*_EXTENSIONS)
            mode = f"TYPE postgres, SCHEMA {quoted(self.schema)}, READ_ONLY"
            self._copying.execute(f"ATTACH {quoted(self.address)} AS source ({mode})")
        return self._copying

    def _filled(self, con: duckdb.DuckDBPyConnection) -> set[str]:
        """The tables that have rows, by one question: most have none, and each costs a journey."""
        names = tables(con, f"source.{self.schema}")
        asked = " UNION ALL ".join(
            f"SELECT '{name}' AS name WHERE EXISTS (SELECT FROM {self.schema}.{name})" for name in names
        )
        return {row[0] for row in con.execute(f"FROM postgres_query('source', {quoted(asked)})").fetchall()}

    def _close_source(self) -> None:
        if self._copying is not None:
            self._copying.close()
            self._copying = None

    def newest(self) -> int | None:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        with tempfile.TemporaryDirectory(prefix="sonolake-catalog-") as folder:
            file = Path(folder) / "catalog.sqlite"
            try:
                self.write_copy(file, 0)
                return newest_snapshot(file, whole=True)
            except (Damaged, Unreachable):
                return None

    def put_back(self, copy: Path) -> list[str]:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        fresh = f"{self.schema}_restored"
        with closing(connect(*_EXTENSIONS)) as con:
            con.execute(f"ATTACH {quoted(self.address)} AS source (TYPE postgres)")
            aside = self._set_aside(con, fresh)
            self._attach(con, "/", fresh, True, False, None)
            con.execute("USE memory; DETACH lake; CALL pg_clear_cache()")
            con.execute(f"ATTACH {quoted(str(copy))} AS copy (TYPE sqlite, READ_ONLY)")
            mirror(con, "copy.main", f"source.{fresh}")
            _command(con, f"ALTER SCHEMA {fresh} RENAME TO {self.schema}")
        return aside

    def close(self) -> None:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        self._close_source()
        for lock in self._locks:
            lock.close()

    def __str__(self) -> str:
        return f"{without_password(self.address)} (schema {self.schema})"

    def _attach(
        self,
        con: duckdb.DuckDBPyConnection,
        tables: str,
        schema: str,
        create: bool,
        read_only: bool,
        snapshot: int | None,
    ) -> None:
        options = [f"METADATA_SCHEMA {quoted(schema)}"]
        if not create:
            options.append("CREATE_IF_NOT_EXISTS false")
        place = f"ducklake:postgres:{self.address}"
        try:
            attach(con, place, tables, options, name=str(self), read_only=read_only, snapshot=snapshot)
        except (Damaged, NotFound) as error:
            kind = Unreachable if "Unable to connect" in str(error) else type(error)
            raise kind(_said(error, self.address)) from None

    def _set_aside(self, con: duckdb.DuckDBPyConnection, fresh: str) -> list[str]:
        """Rename the schema that is there; what a restoration that was cut short left is dropped."""
        rows = con.execute("FROM postgres_query('source', 'SELECT nspname FROM pg_namespace')").fetchall()
        there = {row[0] for row in rows}
        if fresh in there:
            _command(con, f"DROP SCHEMA {fresh} CASCADE")
        if self.schema not in there:
            return []
        names = (f"{self.schema}_lost_{number}" for number in range(1, 10_000))
        free = next(name for name in names if name not in there)
        _command(con, f"ALTER SCHEMA {self.schema} RENAME TO {free}")
        return [free]


def _command(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    con.execute(f"CALL postgres_execute('source', {quoted(sql)})")


def _engine_error() -> type[Exception]:
    import duckdb

    return duckdb.Error


def _said(error: Exception, address: str) -> str:
    """What went wrong, without the password of the address."""
    text = str(error).replace(address, without_password(address))
    for secret in filter(None, (urlsplit(address).password,)):
        text = text.replace(secret, "…").replace(quote(secret), "…")
    return " ".join(text.split())
