"""What every format does, and what it is told about the release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sonolake.releases.exports.items import Item


@dataclass(frozen=True)
class About:
    """The release that is exported: name, version, date, and SHA-256 of its manifest."""

    name: str
    version: str
    date: str
    manifest_sha256: str

    @property
    def release(self) -> str:
        """``NAME@VERSION``."""
        return f"{self.name}@{self.version}"


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


@dataclass(frozen=True)
class Format:
    """A format: its name and title, whether it takes sounds, and what makes its writer for a folder."""

    name: str
    title: str
    sound: bool
    open: Callable[[Path, About], Writer]


def described(item: Item) -> dict[str, Any]:
    """The item as JSON beside its sound: config, split, the name that it has in the release, and its columns."""
    names = {} if item.sound is None else {"file": f"{item.key}.{item.suffix}"}
    return {"item_id": item.item_id, "config": item.config, "split": item.split, **names, **item.row}


def require_sound(item: Item) -> None:
    """Let an item with sound pass.

    Raises:
        Unfit: without sound.
    """
    if item.sound is None:
        raise Unfit("no sound")
