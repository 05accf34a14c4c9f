"""The lake: catalog and tables, media, vectors and releases under one root."""

from __future__ import annotations

import getpass
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from sonolake.errors import InvalidInput, Refused
from sonolake.lake import catalog, declaring
from sonolake.lake.catalogs import Catalog, catalog_of, entry_of, require_reachable
from sonolake.lake.cursors import Cursors
from sonolake.lake.locks import FileWriterLock, WriterLock
from sonolake.lake.media import media_in
from sonolake.lake.root import LOCK, Root, create_root, is_lake, read_root, require_room
from sonolake.lake.spec import TableSpec
from sonolake.lake.sqlite_catalog import SqliteCatalog
from sonolake.lake.sqlite_copy import take_away_statistics
from sonolake.lake.statements import explained, require_reading
from sonolake.lake.storage import LocalStorage
from sonolake.lake.storages import storage_at
from sonolake.lake.tables import OWN_TABLES
from sonolake.lake.transaction import Params, Rows, Transaction, transact

if TYPE_CHECKING:
    from sonolake.lake.vectors import VectorStore

_CANNOT_NARROW = "Failed to cast value"


class Lake:
    """A lake in a folder or in S3; make it with :meth:`create` or :meth:`open`.

    Several processes may hold the same lake open and write to it; each write waits for the catalog's lock. One
    instance may be used by several threads.
    """

    def __init__(self, root: Root, *, create: bool = False, read_only: bool = False) -> None:
        if not read_only:
            root.require_current()
        self._root = root
        self.storage = root.storage
        self.lake_id = root.lake_id
        self.read_only = read_only
        self.media = media_in(root.storage.room("media"))
        self._catalog = catalog_of(root, read_only=read_only)
        self._writing, self._pinning = threading.RLock(), threading.Lock()
        self._pinned: tuple[int, Cursors] | None = None
        self._cursors = Cursors(self._connected())
        try:
            with nullcontext() if read_only else self._catalog.lock:
                self._catalog.attach(self._cursors.con, root.tables, create=create, read_only=read_only)
        except BaseException:
            self.close()
            raise
        self._specs: dict[str, TableSpec] = {spec.name: spec for spec in OWN_TABLES}

    @classmethod
    def create(cls, place: Path | str) -> Lake:
        """Make a lake at ``place``, a folder or ``s3://bucket/prefix``, or open the one that is there.

        Raises:
            Refused: when the place holds something else.
            InvalidInput: in S3, when nothing says where the catalog that is written to will be.
        """
        require_room(place)
        storage = storage_at(place)
        entry = entry_of(isinstance(storage, LocalStorage))
        if not is_lake(place):
            require_reachable(Root(storage, str(uuid.uuid4()), entry))
        if isinstance(storage, LocalStorage):
            storage.root.mkdir(parents=True, exist_ok=True)
            with FileWriterLock(storage.root / LOCK):
                root = create_root(place, entry)
        else:
            root = create_root(place, entry)
        new = not any(entry.path.endswith(".parquet") for entry in root.storage.entries("tables"))
        lake = cls(root, create=new)
        lake.declare(*OWN_TABLES)
        return lake

    @classmethod
    def open(cls, place: Path | str, *, read_only: bool = False) -> Lake:
        """Open the lake at ``place``, a folder or ``s3://bucket/prefix``.

        A lake of an earlier version that is opened for writing gets the tables and columns that it lacks. In S3, a
        reader without the catalog reads the copy that the last commit before left.

        Raises:
            NotFound: when there is none, or nothing says where the catalog is that is to be written to.
            LakeTooNew: when its format is later than this version of sonolake knows.
            LakeTooOld: when it has to be migrated before it is written to.
            InvalidInput: when its ``lake.toml`` is not what it should be.
            Damaged: when its catalog cannot be read.
        """
        lake = cls(read_root(place), read_only=read_only)
        if not read_only:
            lake.declare(*OWN_TABLES)
        return lake

    @property
    def place(self) -> str:
        """The lake's folder or address."""
        return self.storage.uri

    @property
    def root(self) -> Path:
        """The lake's folder.

        Raises:
            Refused: when it is not in one.
        """
        if not isinstance(self.storage, LocalStorage):
            raise Refused(f"{self.place} is no folder on this machine")
        return self.storage.root

    def plain_lines(self) -> tuple[str, ...]:
        """The lines with which any DuckDB attaches the lake, to read; none where it reads the lake's copy alone."""
        if self._root.catalog_file is not None:
            return catalog.plain_lines(self.root, self._root.catalog)
        if self._root.on_postgres:
            return catalog.plain_postgres_lines(self._root.catalog, self.lake_id, self._root.tables)
        return ()

    @property
    def metadata(self) -> str:
        """Where SQL finds DuckLake's own tables, such as ``ducklake_data_file``."""
        return self._catalog.metadata

    @property
    def releases_root(self) -> Path:
        """The folder of releases; raises as :attr:`root` does."""
        return self.root / "releases"

    def close(self) -> None:
        """Let go of the catalog; what was committed stays."""
        self._unpin()
        self._cursors.close()
        self._catalog.close()

    def __enter__(self) -> Lake:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def sql(self, query: str, params: Params = None, at: int | None = None) -> pa.Table:
        """The answer to ``query``; tables go by their plain names.

        Args:
            query: one SQL statement in DuckDB's dialect.
            params: values for its ``?`` (a list) or ``$name`` (a dict).
            at: a snapshot to read at; the newest when left out.

        Raises:
            NotFound: when there is no such snapshot.
            InvalidInput: when the query is wrong, or would write: writes go through :meth:`transaction`.
            Damaged: when the files of a table cannot be read.
        """
        with self._cursor() if at is None else self._at(at) as con:
            require_reading(con, query)
            try:
                return con.execute(query, params or []).to_arrow_table()
            except duckdb.Error as error:
                if at is None or _CANNOT_NARROW not in str(error):
                    raise explained(error) from None
        return self._sql_before_widening(query, params, at)

    def _sql_before_widening(self, query: str, params: Params, at: int) -> pa.Table:
        """At a snapshot DuckLake reads today's minima and maxima in the types of then: ask a copy without them."""
        with TemporaryDirectory(prefix="sonolake-catalog-") as folder:
            copy = Path(folder) / "catalog.sqlite"
            copy.write_bytes(self.storage.read(self._root.copy))
            take_away_statistics(copy)
            with closing(SqliteCatalog(copy, copy)) as old, closing(self._attached(at, old)) as con:
                try:
                    return con.execute(query, params or []).to_arrow_table()
                except duckdb.Error as error:
                    raise explained(error) from None

    def rows(self, query: str, params: Params = None) -> list[dict[str, Any]]:
        """The answer to ``query`` as a list of dicts, for small answers."""
        rows: list[dict[str, Any]] = self.sql(query, params).to_pylist()
        return rows

    def table(self, name: str) -> Table:
        """The table ``name``, to append to, merge into or scan.

        Raises:
            InvalidInput: when no such table was declared.
        """
        if name not in self._specs:
            raise InvalidInput("table", f"a declared table: {', '.join(sorted(self._specs))}", name)
        return Table(self, self._specs[name])

    def declare(self, *specs: TableSpec) -> None:
        """Make the tables and columns that are missing, with units and meanings as comments in the catalog.

        A column declared with a wider type than it has is widened; no file is rewritten.

        Raises:
            InvalidInput: when a column is there with a type that is neither narrower nor wider.
        """
        self._specs.update({spec.name: spec for spec in specs})
        found = declaring.changes(self.rows(declaring.THERE), specs)
        if not found:
            return
        with self.writing():
            with self._locked("declare " + ", ".join(change.spec.name for change in found)) as tx:
                for change in declaring.changes(self.rows(declaring.THERE), specs):
                    declaring.make(tx, change)
            with self._cursor() as con:
                declaring.count_from_nothing(con, self.metadata)
            self._leave_copy(tx.snapshot)

    @contextmanager
    def transaction(
        self, message: str, *, author: str = "", run_id: str = "", **extra: object
    ) -> Iterator[Transaction]:
        """One commit over several tables; rolled back when the block raises.

        Args:
            message: what the commit does; shown by ``sonolake snapshots``.
            author: who does it; the user's login when left out.
            run_id: the run it belongs to; kept in the snapshot's extra info with ``extra``.
        """
        with self._locked(message, author=author, run=run_id, **extra) as transaction:
            yield transaction

    def snapshots(self) -> pa.Table:
        """Every snapshot: number, time, author, message and extra info, oldest first."""
        return self.sql(
            "SELECT snapshot_id, snapshot_time, author, commit_message AS message, commit_extra_info AS extra_info "
            "FROM ducklake_snapshots('lake') ORDER BY snapshot_id"
        )

    @property
    def snapshot(self) -> int:
        """The newest snapshot's number."""
        return int(self.rows("SELECT max(snapshot_id) AS n FROM ducklake_snapshots('lake')")[0]["n"])

    @cached_property
    def vectors(self) -> VectorStore:
        """The lake's vector spaces; writers hold :meth:`writing`."""
        from sonolake.lake.vectors import VectorStore

        return VectorStore(self.storage.room("vectors"))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lake's one-writer lock without a transaction, for vectors and releases."""
        self._require_writable()
        with self._writing, self._catalog.lock:
            try:
                yield
            finally:
                self._unpin()

    def columns(self) -> pa.Table:
        """Every column as the catalog describes it: table_name, about, column_name, type, meaning (unit first)."""
        return self.sql(
            "SELECT c.table_name, t.comment AS about, c.column_name, c.data_type AS type, c.comment AS meaning "
            "FROM duckdb_columns() c JOIN duckdb_tables() t USING (database_name, schema_name, table_name) "
            "WHERE c.database_name = 'lake' ORDER BY c.table_name, c.column_index"
        )

    def lock_of(self, name: str) -> WriterLock:
        """A lock of this lake for what takes longer than a commit, such as publishing; one writer of all holds it."""
        self._require_writable()
        return self._catalog.lock_of(name)

    @contextmanager
    def _locked(self, message: str, *, author: str = "", **extra: object) -> Iterator[Transaction]:
        with self.writing(), self._cursor() as cursor:
            self._catalog.require()
            check = self._catalog.lock.check
            with transact(cursor, self._specs, author or _login(), message, extra, check) as transaction:
                yield transaction
            self._leave_copy(transaction.snapshot)

    def _leave_copy(self, snapshot: int | None) -> None:
        """Leave a copy of the catalog beside the data, before anyone is told that the commit is done."""
        if snapshot is not None:
            with self.storage.staging(self._root.copy) as part:
                self._catalog.write_copy(part, snapshot)

    def _require_writable(self) -> None:
        if self.read_only:
            raise InvalidInput("lake", "a lake opened for writing", "a lake opened read-only")

    def _connected(self) -> duckdb.DuckDBPyConnection:
        return catalog.connect(*self.storage.extensions, *self._catalog.extensions)

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        self.storage.authorise(self._cursors.con)
        with self._cursors.one() as cursor:
            yield cursor

    @contextmanager
    def _at(self, snapshot: int) -> Iterator[Any]:
        """A cursor at a snapshot, which stays attached until something is written or another one is asked: whoever
        makes a release asks one many things."""
        with self._pinning:
            if self._pinned is None or self._pinned[0] != snapshot:
                self._let_go()
                self._pinned = snapshot, Cursors(self._attached(snapshot, self._catalog))
            cursors = self._pinned[1]
            self.storage.authorise(cursors.con)
        with cursors.one() as cursor:
            yield cursor

    def _attached(self, at: int, kept: Catalog) -> duckdb.DuckDBPyConnection:
        con = self._connected()
        try:
            self.storage.authorise(con)
            kept.attach(con, self._root.tables, snapshot=at)
        except BaseException:
            con.close()
            raise
        return con

    def _unpin(self) -> None:
        with self._pinning:
            self._let_go()

    def _let_go(self) -> None:
        if self._pinned is not None:
            self._pinned[1].close()
            self._pinned = None


@dataclass(frozen=True)
class Table:
    """One table of a lake."""

    lake: Lake
    spec: TableSpec

    def append(self, rows: Rows, message: str = "") -> int:
        """Add ``rows`` in a commit of their own; see :meth:`Transaction.append`."""
        with self.lake.transaction(message or f"append to {self.spec.name}") as tx:
            return tx.append(self.spec.name, rows)

    def merge(self, rows: Rows, message: str = "") -> int:
        """Add or replace ``rows`` by key in a commit of their own; see :meth:`Transaction.merge`."""
        with self.lake.transaction(message or f"merge into {self.spec.name}") as tx:
            return tx.merge(self.spec.name, rows)

    def scan(self, where: str = "", columns: tuple[str, ...] = (), at: int | None = None) -> pa.Table:
        """The rows that match ``where`` (SQL), all columns unless named, at a snapshot when given; ordered by key."""
        chosen = ", ".join(f'"{c}"' for c in columns) or "*"
        condition = f" WHERE {where}" if where else ""
        order = " ORDER BY " + ", ".join(f'"{k}"' for k in self.spec.key) if self.spec.key else ""
        return self.lake.sql(f"SELECT {chosen} FROM {self.spec.name}{condition}{order}", at=at)


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
