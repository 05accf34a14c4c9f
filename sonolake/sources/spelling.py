"""How the names of files are spelt on disk, and what their items are called: a name is a name in NFC."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from sonolake.ids import sha256_hex
from sonolake.sources.manifest import item_name, printable


class Spelling:
    """How files are spelt on disk, in Unicode normalisation; every folder is listed once at most."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: dict[str, dict[str, str]] = {}

    def on_disk(self, path: str) -> str | None:
        """``path`` if it is there, else the file that differs from it in normalisation only, else None."""
        if os.path.lexists(self._root / path):
            return path
        spelt = ""
        for part in path.split("/"):
            name = self._names(spelt).get(item_name(part))
            if name is None:
                return None
            spelt = f"{spelt}/{name}" if spelt else name
        return spelt

    def _names(self, folder: str) -> dict[str, str]:
        if folder not in self._folders:
            try:
                names = sorted((entry.name for entry in os.scandir(self._root / folder)), reverse=True)
            except OSError:
                names = []
            self._folders[folder] = {item_name(name): name for name in names}
        return self._folders[folder]


def unique_items(names: Iterable[str]) -> dict[str, str]:
    """Item of each name; where two names are one in NFC, those not in NFC get a mark made of their bytes."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        groups[item_name(name)].append(name)
    return {
        name: item if len(group) == 1 or name == item else f"{item}#{_mark(name)}"
        for item, group in groups.items()
        for name in group
    }


def _mark(name: str) -> str:
    try:
        return sha256_hex(os.fsencode(name))[:8]
    except UnicodeEncodeError:
        return sha256_hex(printable(name).encode())[:8]
