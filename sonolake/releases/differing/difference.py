"""What two versions differ in, item by item."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any

from sonolake.releases.differing.versions import Bump


@dataclass(frozen=True, order=True)
class Item:
    """An item, by its config, its split and its id."""

    config: str
    split: str
    item_id: str


@dataclass(frozen=True, order=True)
class Change:
    """An item that is in both: its split now, and what is other: ``sound``, a column, or a part of one."""

    config: str
    split: str
    item_id: str
    what: tuple[str, ...]


@dataclass(frozen=True, order=True)
class Move:
    """An item that is in another split than before."""

    config: str
    split: str
    item_id: str
    came_from: str


@dataclass(frozen=True)
class Difference:
    """What has changed from ``old`` to ``new``; all by content, nothing by names of files or times.

    Attributes:
        old, new: NAME@VERSION, or what else was compared.
        added, removed: items.
        edited: items whose sound or labels are other.
        moved: items in another split; the same item may be edited too.
        described: items of which only what is said about them is other: title, author, licence, page.
        columns_added, columns_removed: ``config.column``, a part of a nested column as ``config.events.onset_s``.
        records_added, records_edited: files of ``benchmark/`` with more lines, and with lines changed or gone.
        about: what is said of the whole: ``sources`` of these ids, fields of ``croissant.json``.
        repackaged: shards whose bytes are other, or that are elsewhere, with the same items in them.
    """

    old: str
    new: str
    added: tuple[Item, ...] = ()
    removed: tuple[Item, ...] = ()
    edited: tuple[Change, ...] = ()
    moved: tuple[Move, ...] = ()
    described: tuple[Change, ...] = ()
    columns_added: tuple[str, ...] = ()
    columns_removed: tuple[str, ...] = ()
    records_added: tuple[str, ...] = ()
    records_edited: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    repackaged: tuple[str, ...] = ()

    @property
    def bump(self) -> Bump:
        """The part of the version that has to rise at least."""
        if self.removed or self.edited or self.moved or self.columns_removed or self.records_edited:
            return Bump.MAJOR
        if self.added or self.columns_added or self.records_added:
            return Bump.MINOR
        return Bump.PATCH if self.described or self.about or self.repackaged else Bump.NONE

    def changed(self) -> set[tuple[str, str]]:
        """Config and id of the items that are not as they were: added, edited or moved."""
        found: tuple[Item | Change | Move, ...] = (*self.added, *self.edited, *self.moved)
        return {(one.config, one.item_id) for one in found}

    def without(self, items: Collection[str]) -> Difference:
        """The same but for the items with these ids, and for records that changed when any of them was removed."""
        gone = any(one.item_id in items for one in self.removed)
        return replace(
            self,
            added=tuple(one for one in self.added if one.item_id not in items),
            removed=tuple(one for one in self.removed if one.item_id not in items),
            edited=tuple(one for one in self.edited if one.item_id not in items),
            moved=tuple(one for one in self.moved if one.item_id not in items),
            described=tuple(one for one in self.described if one.item_id not in items),
            records_edited=() if gone else self.records_edited,
        )

    def counts(self) -> dict[str, int]:
        """How many there are of each kind, by the kind's name; those that there are."""
        found = {one.name: len(getattr(self, one.name)) for one in fields(self)[2:]}
        return {kind: count for kind, count in found.items() if count}

    def why(self) -> str:
        """The same in words."""
        said = [f"{count:,} {KINDS[kind][count != 1]}" for kind, count in self.counts().items()]
        return ", ".join(said) or "nothing differs"

    def rows(self) -> list[dict[str, str]]:
        """A row a thing that differs: ``change``, ``config``, ``split``, ``what`` it is, and a ``detail``."""

        def row(
            change: str, what: str, config: str = "", split: str = "", detail: str = ""
        ) -> dict[str, str]:
            return {"change": change, "config": config, "split": split, "what": what, "detail": detail}

        return [
            *(row("added", one.item_id, one.config, one.split) for one in self.added),
            *(row("removed", one.item_id, one.config, one.split) for one in self.removed),
            *(row("edited", one.item_id, one.config, one.split, ", ".join(one.what)) for one in self.edited),
            *(
                row("moved", one.item_id, one.config, one.split, f"from {one.came_from}")
                for one in self.moved
            ),
            *(
                row("metadata", one.item_id, one.config, one.split, ", ".join(one.what))
                for one in self.described
            ),
            *(row("added", name, detail="column") for name in self.columns_added),
            *(row("removed", name, detail="column") for name in self.columns_removed),
            *(row("added", path, detail="records") for path in self.records_added),
            *(row("edited", path, detail="records") for path in self.records_edited),
            *(row("metadata", name) for name in self.about),
            *(row("repackaged", path) for path in self.repackaged),
        ]

    def as_json(self) -> dict[str, Any]:
        """Everything, for a program to read."""
        lists = {one.name: [_plain(v) for v in getattr(self, one.name)] for one in fields(self)[2:]}
        return {"old": self.old, "new": self.new, "bump": self.bump.name, "counts": self.counts(), **lists}


KINDS = {
    "added": ("item added", "items added"),
    "removed": ("item removed", "items removed"),
    "edited": ("item edited", "items edited"),
    "moved": ("item moved between splits", "items moved between splits"),
    "described": ("item with other metadata", "items with other metadata"),
    "columns_added": ("column added", "columns added"),
    "columns_removed": ("column removed", "columns removed"),
    "records_added": ("benchmark file with more lines", "benchmark files with more lines"),
    "records_edited": ("benchmark file edited", "benchmark files edited"),
    "about": ("change of metadata", "changes of metadata"),
    "repackaged": ("shard repackaged", "shards repackaged"),
}
"""What one and several of a kind are called."""


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else dict(vars(value))
