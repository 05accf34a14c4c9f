"""Bringing a lake of an earlier format to the one of this version, a step a format; one cut short is repeated."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sonolake.errors import Damaged
from sonolake.lake.root import FORMAT_VERSION, LOCK, Root, read_root, write_root
from sonolake.lake.sqlite_catalog import SqliteCatalog


def migrate(path: Path | str) -> tuple[int, int]:
    """Bring the lake at ``path`` to the format of this version, and say from which to which.

    Raises:
        NotFound: when there is no lake.
        LakeTooNew: when it is of a later format.
        Damaged: when its catalog cannot be read.
    """
    root = read_root(Path(path))
    with closing(SqliteCatalog(root.catalog_path, root.path / LOCK)) as catalog, catalog.lock:
        root = read_root(root.path)
        began = root.version
        while root.version < FORMAT_VERSION:
            STEPS[root.version](root, catalog)
            root = replace(root, version=root.version + 1)
            write_root(root)
        return began, root.version


def _leave_a_copy(root: Root, catalog: SqliteCatalog) -> None:
    """Format 2: each commit leaves a copy of the catalog; this is the first."""
    catalog.require()
    if not catalog.file.stat().st_size:
        raise Damaged(f"the catalog {catalog.file} is empty: put it back")
    catalog.leave_copy(root.copy_path, 0)


STEPS: dict[int, Callable[[Root, SqliteCatalog], None]] = {1: _leave_a_copy}
"""What brings a lake of each earlier format to the next."""
