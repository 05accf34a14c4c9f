"""Bringing a lake of an earlier format to the one of this version, a step a format; one cut short is repeated."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sonolake.errors import Damaged
from sonolake.lake.catalogs import Catalog, catalog_of
from sonolake.lake.root import FORMAT_VERSION, Root, read_root, write_root


def migrate(place: Path | str) -> tuple[int, int]:
    """Bring the lake at ``place`` to the format of this version, and say from which to which.

    Raises:
        NotFound: when there is no lake, or its catalog is gone.
        LakeTooNew: when it is of a later format.
        Damaged: when its catalog cannot be read.
    """
    root = read_root(place)
    with closing(catalog_of(root)) as catalog, catalog.lock:
        root = read_root(place)
        began = root.version
        while root.version < FORMAT_VERSION:
            STEPS[root.version](root, catalog)
            root = replace(root, version=root.version + 1)
            write_root(root)
        return began, root.version


def _leave_a_copy(root: Root, catalog: Catalog) -> None:
    """Format 2: each commit leaves a copy of the catalog; this is the first."""
    catalog.require()
    if catalog.newest() is None:
        raise Damaged(f"the catalog of {root.place} is empty or damaged: put it back")
    with root.storage.staging(root.copy) as part:
        catalog.write_copy(part, 0)


STEPS: dict[int, Callable[[Root, Catalog], None]] = {1: _leave_a_copy}
"""What brings a lake of each earlier format to the next."""
