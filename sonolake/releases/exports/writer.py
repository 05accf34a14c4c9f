"""What every format does, and what it is told about the release."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.source import About, Source


@dataclass(frozen=True)
class RefusedItem:
    """An item that the format cannot hold, and why."""

    item_id: str
    reason: str


Made = tuple[int, list[RefusedItem]]
"""How many items were written, and those that were not."""


@dataclass(frozen=True)
class Format:
    """A format: its name, its title, and what writes a source into an empty folder."""

    name: str
    title: str
    make: Callable[[Source, Path], Made]


class Unfit(Exception):
    """A format cannot hold this item; says why, in a few words."""


class Writer(Protocol):
    """Writes items into a folder of its own."""

    def write(self, item: Item) -> None:
        """Write one item.

        Raises:
            Unfit: when the format cannot hold it; nothing of it is written then.
        """

    def close(self) -> None:
        """Write what comes last."""


def by_items(name: str, title: str, writer: Callable[[Path, About], Writer], sound: bool = True) -> Format:
    """A format that takes items one after the other; without ``sound`` no sound is read for it."""

    def make(source: Source, folder: Path) -> Made:
        with closing(writer(folder, source.about)) as out:
            done, refused = 0, list[RefusedItem]()
            for item in source.items(sound):
                try:
                    out.write(item)
                except Unfit as why:
                    refused.append(RefusedItem(item.item_id, str(why)))
                else:
                    done += 1
        return done, refused

    return Format(name, title, make)


def described(item: Item) -> dict[str, Any]:
    """The item as JSON beside its sound: config, split, the name that it has in the release, and its columns."""
    names = {} if item.sound is None else {"file": f"{item.key}.{item.suffix}"}
    return {"item_id": item.item_id, "config": item.config, "split": item.split, **names, **item.row}


def place_of(folder: Path, item: Item, suffix: str) -> Path:
    """``CONFIG/SPLIT/KEY.SUFFIX`` in ``folder``; its folders are made."""
    home = folder / item.config / item.split
    home.mkdir(parents=True, exist_ok=True)
    return home / f"{item.key}.{suffix}"


def require_sound(item: Item) -> None:
    """Let an item with sound pass.

    Raises:
        Unfit: without sound.
    """
    if item.sound is None:
        raise Unfit("no sound")
