"""Files of a release into a folder, with whatever versions beside it have: only the rest is fetched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from sonolake.errors import Damaged
from sonolake.releases.beside.joining import Joined, is_right
from sonolake.releases.beside.pieces import Piece, Place, pieces_of
from sonolake.releases.beside.stock import Stock
from sonolake.releases.disk import link
from sonolake.releases.fetching import fetch, place_for
from sonolake.releases.layout import ITEMS
from sonolake.releases.offered import Offered
from sonolake.releases.pace import Gate, Rate
from sonolake.releases.ranged import Sound
from sonolake.releases.selection import Key, key_of
from sonolake.releases.tables import FileRow, read_items


class Bringer:
    """Brings files of ``release`` into ``dest``; ``stock`` is what lies beside it."""

    def __init__(self, release: Offered, dest: Path, stock: Stock) -> None:
        self._release, self._dest, self._stock = release, dest, stock
        self._sounds: dict[Key, list[Sound]] = {}
        self._there: dict[str, Place] = {}

    def prepare(self, files: Sequence[FileRow], bring: Callable[[FileRow], None]) -> None:
        """Find which sounds of ``files`` lie beside; ``bring`` brings ``items.parquet``, which says it, first."""
        listed = next((file for file in self._release.files if file.path == ITEMS), None)
        changed = {
            key_of(file) for file in files if file.config is not None and self._stock.file(file) is None
        }
        if not self._stock.folders or not changed or listed is None:
            return
        bring(listed)
        sounds: dict[Key, list[Sound]] = defaultdict(list)
        for batch in read_items(self._dest / ITEMS).to_batches():
            for row in batch.to_pylist():
                key = (row["config"], row["split"], row["shard"])
                if key in changed and row["sha256"] and row["offset"] is not None:
                    sounds[key].append(Sound(row["item_id"], row["offset"], row["bytes"], row["sha256"]))
        self._sounds = sounds
        self._there = self._stock.sounds({sound.sha256 for some in sounds.values() for sound in some})

    def bring(self, file: FileRow, gate: Gate) -> int:
        """Have the destination hold ``file``; what comes from the release's origin goes through ``gate``.

        Returns the bytes that came from beside.

        Raises:
            Damaged, Refused: see :func:`~sonolake.releases.fetching.fetch`.
        """
        origin = self._release.origin
        whole = self._stock.file(file)
        if whole is not None and file.config is not None and self._link(whole, file):
            return file.bytes
        pieces = (
            [Piece(0, file.bytes, Place(whole, 0, file.sha256))]
            if whole is not None
            else pieces_of(file.bytes, self._sounds.get(key_of(file), ()), self._there)
        )
        if any(isinstance(piece.source, Place) for piece in pieces):
            for careful in (False, True):
                joined = Joined(origin, pieces, gate, careful)
                try:
                    fetch(joined, self._dest, file, Gate(Rate()))
                except Damaged:
                    continue
                return joined.local
        fetch(origin, self._dest, file, gate)
        return 0

    def _link(self, whole: Path, file: FileRow) -> bool:
        """Have the destination's file be the one beside it, where that is right and the disk can do it."""
        if not is_right(Place(whole, 0, file.sha256), file.bytes):
            return False
        return link(whole, place_for(self._dest, file))
