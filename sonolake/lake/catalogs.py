"""Which catalog a lake has: a SQLite file or PostgreSQL. One protocol; nothing else asks which."""

from __future__ import annotations

import os
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sonolake.errors import Damaged, InvalidInput, NotFound
from sonolake.lake.locks import WriterLock
from sonolake.lake.root import CATALOG, LOCK, POSTGRES, Root
from sonolake.lake.sqlite_catalog import SqliteCatalog
from sonolake.lake.storage import LocalStorage

if TYPE_CHECKING:
    import duckdb

VARIABLE = "SONOLAKE_CATALOG"
"""Where the catalog that is written to lies, for lakes that do not hold it: ``postgresql://…`` or a file."""


class Catalog(Protocol):
    """The catalog of one lake, in its database."""

    @property
    def extensions(self) -> tuple[str, ...]:
        """Of DuckDB, without which it cannot be attached."""

    @property
    def metadata(self) -> str:
        """Where SQL finds DuckLake's own tables while it is attached."""

    @property
    def lock(self) -> WriterLock:
        """Held around every write to the lake, by one writer of all."""

    def require(self) -> None:
        """Let a catalog pass that is there.

        Raises:
            NotFound: when it is missing: a lost catalog is never taken for a new one.
        """

    def attach(
        self,
        con: duckdb.DuckDBPyConnection,
        tables: str,
        *,
        create: bool = False,
        read_only: bool = False,
        snapshot: int | None = None,
    ) -> None:
        """Attach it as ``lake``; see :func:`sonolake.lake.catalog.attach`."""

    def lock_of(self, name: str) -> WriterLock:
        """Another lock, for what takes longer than a commit, such as publishing the release ``name``."""

    def write_copy(self, file: Path, snapshot: int) -> None:
        """Write a copy of it to ``file``, a catalog in SQLite; the caller holds the lock.

        Raises:
            Damaged: when ``snapshot`` is not in it.
        """

    def newest(self) -> int | None:
        """The number of its newest snapshot, all of it checked; None when it is gone, emptied or damaged."""

    def put_back(self, copy: Path) -> list[str]:
        """Make it anew from ``copy``; the caller holds the lock. Names what was there, which is set aside."""

    def close(self) -> None:
        """Let go of it."""


def catalog_named() -> str | None:
    """What the environment says of the catalog; None when it says nothing.

    Raises:
        InvalidInput: when it is neither an address of PostgreSQL nor a file.
    """
    named = os.environ.get(VARIABLE) or None
    if named is not None and "://" in named and not named.startswith(POSTGRES):
        raise InvalidInput(
            VARIABLE, "postgresql://… or a file on this machine", named.partition("://")[0] + "://…"
        )
    return named


def catalog_of(root: Root, *, read_only: bool = False) -> Catalog:
    """The catalog of ``root``: in the lake, in PostgreSQL, where the environment says, or to read the lake's copy.

    Raises:
        NotFound: when a lake in S3 is to be written to and nothing says where its catalog is, or it has no copy yet.
    """
    if root.catalog_file is not None and isinstance(root.storage, LocalStorage):
        return SqliteCatalog(root.catalog_file, root.storage.root / LOCK)
    named = catalog_named()
    if named is not None and named.startswith(POSTGRES):
        return _postgres(named, root)
    if root.on_postgres and (isinstance(root.storage, LocalStorage) or not read_only):
        return _postgres(root.catalog, root)
    if named is not None and not root.on_postgres:
        return SqliteCatalog(Path(named).absolute(), Path(f"{named}.lock").absolute(), root.lake_id)
    if read_only:
        return _copy_of(root)
    raise NotFound(
        f"{root.place} is written to with its catalog, which is not there: set {VARIABLE} to postgresql://… or to "
        "the file on this machine"
    )


def require_reachable(root: Root) -> None:
    """Let a lake that is to be made pass, when its catalog can be: ``lake.toml`` names it from then on.

    Raises:
        Unreachable: when PostgreSQL does not answer.
        Refused: when nothing can be written where the catalog's file will be.
    """
    if root.catalog_file is None:
        with closing(catalog_of(root)) as catalog, catalog.lock:
            pass


def entry_of(place_is_local: bool) -> str:
    """What ``lake.toml`` of a new lake says of the catalog: an address without its password, or the file or copy.

    Raises:
        InvalidInput: when a lake in S3 is to be made and nothing says where its catalog will be.
    """
    from sonolake.lake.postgres_catalog import without_password

    named = catalog_named()
    if named is not None and named.startswith(POSTGRES):
        return without_password(named)
    if named is None and not place_is_local:
        raise InvalidInput(VARIABLE, "postgresql://… or a file on this machine, for a lake in S3", None)
    return CATALOG


def _postgres(address: str, root: Root) -> Catalog:
    from sonolake.lake.postgres_catalog import PostgresCatalog

    if not root.lake_id:
        raise Damaged(f"{root.place}: lake.toml has no id, by which its catalog is known in PostgreSQL")
    return PostgresCatalog(address, root.lake_id)


def _copy_of(root: Root) -> SqliteCatalog:
    """The published copy of the catalog, fetched: it shows the lake as it was when it was opened."""
    if root.storage.stat(root.copy) is None:
        raise NotFound(
            f"{root.place}/{root.copy} is missing, the copy of the catalog that each commit leaves"
        )
    folder = tempfile.TemporaryDirectory(prefix="sonolake-catalog-")
    file = Path(folder.name) / "catalog.sqlite"
    file.write_bytes(root.storage.read(root.copy))
    return SqliteCatalog(file, file.with_name(LOCK), aside=folder)
