"""The version before the one that is built: what is other is told by it, and what is equal need not be stored again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from sonolake.releases.differing import Difference, Side, require_bump, side_of_release
from sonolake.releases.disk import sha256_of
from sonolake.releases.identity import Identity
from sonolake.releases.layout import CHANGELOG
from sonolake.releases.offered import Offered
from sonolake.releases.origins import FolderOrigin, read_whole
from sonolake.releases.records import Content
from sonolake.releases.tables import FileRow

Key = tuple[str, str]
"""Config and id of an item."""


@dataclass(frozen=True)
class Earlier:
    """A release that another version follows.

    Attributes:
        release: where it lies.
        withdrawn: ids of items whose change asks for no higher version: what was taken down, and what came for it.
    """

    release: Offered
    withdrawn: Collection[str] = ()

    @cached_property
    def identity(self) -> Identity:
        """What it says that it is."""
        return self.release.identity()

    @cached_property
    def side(self) -> Side:
        """It, to be compared."""
        return side_of_release(self.release)

    @property
    def changelog(self) -> str:
        """Its ``CHANGELOG.md``."""
        return read_whole(self.release.origin, CHANGELOG).decode()

    def require_follows(self, content: Content, difference: Difference) -> None:
        """Let ``content`` pass when its version is as high as the difference asks.

        Raises:
            Refused: when it is lower.
        """
        counted = difference.without(self.withdrawn)
        require_bump(content.name, self.identity.version, content.version, counted.bump, counted.why())

    def dated(self, items: pa.Table, difference: Difference, version: str) -> pa.Table:
        """``items`` that say since which version each is as it is."""
        known, keys = self.side.items, _keys(items)
        stated = pc.if_else(pc.equal(known["since"], ""), None, known["since"])
        before = pc.fill_null(stated, self.identity.version)
        changed = pc.is_in(keys, pa.array(["/".join(key) for key in difference.changed()], pa.string()))
        since = pc.if_else(changed, version, before.take(pc.index_in(keys, _keys(known))))
        return items.set_column(items.column_names.index("since"), "since", since.combine_chunks())

    def has(self, file: FileRow) -> Path | None:
        """Where it has a file with the same bytes on this machine, undamaged."""
        origin, path = self.release.origin, self.named(file)
        if path is None or not isinstance(origin, FolderOrigin):
            return None
        there = origin.folder / path
        right = there.is_file() and not there.is_symlink() and sha256_of(there) == file.sha256
        return there if right else None

    def named(self, file: FileRow) -> str | None:
        """The path of a file of it with the same bytes, if there is one."""
        return self._paths.get((file.sha256, file.bytes))

    @cached_property
    def _paths(self) -> dict[tuple[str, int], str]:
        return {(file.sha256, file.bytes): file.path for file in self.release.files}


def _keys(items: pa.Table) -> pa.ChunkedArray:
    """Config and id of each item as one text; no config has a slash in its name."""
    return pc.binary_join_element_wise(items["config"], items["item_id"], "/")
