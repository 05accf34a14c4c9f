"""What an origin offers: a release with its manifest, held against the mark and against what is on record."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sonolake.errors import Damaged, NotFound
from sonolake.releases.checking import require_manifest, require_recorded
from sonolake.releases.identity import Identity, parse_identity
from sonolake.releases.layout import COMPLETE, CROISSANT, MANIFEST
from sonolake.releases.notice import Notice, notice_at
from sonolake.releases.origins import FolderOrigin, Origin, read_whole
from sonolake.releases.selection import Key, key_of
from sonolake.releases.tables import FileRow, parse_manifest

_SHA256 = re.compile(rb"[0-9a-f]{64}\s*")


@dataclass(frozen=True)
class Offered:
    """A whole release at ``origin``: its manifest's bytes and their SHA-256, and the files that it lists.

    ``notice`` is there in a version that was retracted: files that it names are withheld.
    """

    origin: Origin
    manifest: bytes
    manifest_sha256: str
    files: list[FileRow]
    notice: Notice | None = None

    @property
    def splits(self) -> set[str]:
        """All splits of the release."""
        return {f.split for f in self.files if f.split is not None}

    @property
    def withheld(self) -> tuple[str, ...]:
        """The files that its notice names."""
        return () if self.notice is None else self.notice.files

    def withholds(self, item: Mapping[str, Any]) -> bool:
        """Whether an item, known by its row of ``items.parquet``, is withheld, be it with its shard alone."""
        if self.notice is None:
            return False
        ids, shards = self._withheld
        return item["item_id"] in ids or (item["config"], item["split"], item["shard"]) in shards

    @cached_property
    def _withheld(self) -> tuple[frozenset[str], frozenset[Key]]:
        ids = () if self.notice is None else self.notice.items
        paths = set(self.withheld)
        shards = (key_of(file) for file in self.files if file.config is not None and file.path in paths)
        return frozenset(ids), frozenset(shards)

    def identity(self) -> Identity:
        """Name, version and date, as the release says them.

        Raises:
            Damaged: when it does not say them, or its description is not what the manifest lists.
        """
        where = f"{self.origin.name}/{CROISSANT}"
        listed = {f.path: f for f in self.files}.get(CROISSANT)
        if listed is None:
            raise Damaged(f"{where} is not in the manifest, so nothing says which release this is")
        text = read_whole(self.origin, CROISSANT)
        if hashlib.sha256(text).hexdigest() != listed.sha256:
            raise Damaged(f"{where} is not what its manifest says")
        return parse_identity(text, where)

    def require(self, name: str, version: str) -> None:
        """Let it pass when it is release ``name`` ``version``.

        Raises:
            NotFound: when it is another one.
        """
        said = self.identity()
        if (said.name, said.version) != (name, version):
            raise NotFound(
                f"no release {name}@{version} in {self.origin.name}: that is {said.name}@{said.version}"
            )


def offered(origin: Origin, recorded: str | None = None) -> Offered:
    """The release at ``origin``.

    Args:
        origin: its own folder or address.
        recorded: SHA-256 of the manifest that was published, where it is on record, as in a lake.

    Raises:
        NotFound: without manifest or mark: it is no release, or one on its way.
        Damaged: when mark, manifest and record do not agree, or the manifest is not one.
        InvalidInput: when the manifest names a path outside the release.
    """
    if recorded is not None and isinstance(origin, FolderOrigin):
        require_recorded(origin.folder, recorded)
    mark = _read(origin, COMPLETE, 1024)
    if not _SHA256.fullmatch(mark):
        raise Damaged(f"{origin.name}/{COMPLETE} does not name a manifest")
    manifest = _read(origin, MANIFEST)
    marked, actual = mark.decode().strip(), hashlib.sha256(manifest).hexdigest()
    if marked != actual:
        raise Damaged(f"{origin.name}: {COMPLETE} names manifest {marked}, the one there is {actual}")
    if recorded is not None:
        require_manifest(origin.name, actual, recorded)
    files = parse_manifest(manifest, f"{origin.name}/{MANIFEST}")
    return Offered(origin, manifest, actual, files, notice_at(origin))


def _read(origin: Origin, path: str, *most: int) -> bytes:
    try:
        return read_whole(origin, path, *most)
    except NotFound:
        raise NotFound(f"{origin.name} is not a whole release: it lacks {path}") from None
