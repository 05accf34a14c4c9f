"""A whole release made again in an empty folder.

Its sounds, and what is measured on them, are made from the items' records and the lake's sources; what was written
beside them (texts, tables, documents) is the release's own, held against its manifest. It is all done in a hidden
folder beside the destination, which gets its name when every byte is as published. A rebuild that was stopped leaves
the hidden folder, and the next one goes on with what is right in it.

Of a version that was retracted the shards are made that it does not withhold, and the folder is as if it was pulled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from sonolake.audio.heap import keep_memory
from sonolake.errors import InvalidInput, Refused
from sonolake.releases.checking import check_file
from sonolake.releases.destination import put, seal, writable
from sonolake.releases.disk import fresh_folder, publish_folder, remove
from sonolake.releases.fetching import fetch
from sonolake.releases.layout import MANIFEST, NOTICE
from sonolake.releases.offered import Offered
from sonolake.releases.pace import MOST_WORKERS, Gate, Pace
from sonolake.releases.rebuilding.comparing import Difference, differences
from sonolake.releases.rebuilding.makers import Maker, Remade
from sonolake.releases.rebuilding.published import Written
from sonolake.releases.rebuilding.remaking import (
    Bench,
    Otherwise,
    Published,
    read_shard,
    remade,
    remake_shard,
)
from sonolake.releases.selection import key_of
from sonolake.releases.tables import FileRow

SOUNDS = ".sounds"
"""In the hidden folder: sounds whose shard is not written yet."""


@dataclass(frozen=True)
class Rebuilt:
    """What a rebuild came to: items that were made, and those (and files) that came out otherwise than published.

    ``withheld`` are the ids of items that a retracted version withholds: these were not made.
    """

    manifest_sha256: str
    items: int
    otherwise: tuple[Otherwise, ...]
    withheld: tuple[str, ...] = ()


class Rebuild:
    """A rebuild that is begun: what is written is there, and :attr:`differences` can be told before anything is made.

    Args:
        release: what was published.
        dest: a new or empty folder, which holds the release when every byte of it came out.
        data_sets: a team's own whose items are among them.
        pace: of fetching what is written.

    Raises:
        Refused: when ``dest`` holds something or is made by another rebuild, the release is of an older form, or was
            retracted and nothing is left of it.
        Damaged: when what is written of the release is not what its manifest says.
        Unwritable: when ``dest`` cannot be made.
    """

    def __init__(
        self, release: Offered, dest: Path, data_sets: Sequence[Any] = (), pace: Pace | None = None
    ) -> None:
        self.release, self.dest = release, dest
        require_empty(dest)
        self._work = dest.absolute().parent / f".{dest.absolute().name}.rebuilding"
        self._lock = FileLock(f"{self._work}.lock", timeout=0)
        self._shards = [f for f in release.files if f.config is not None and f.path not in release.withheld]
        try:
            with writable(dest):
                self._begin()
                bring(release, self._work, pace or Pace())
            self.written = Written(self._work)
            self._items = [row for row in self.written.items if not release.withholds(row)]
            if release.notice is not None and not self._items:
                raise Refused(release.notice.told())
            items = dict.fromkeys(row["item_id"] for row in self._items)
            self.differences: list[Difference] = differences(items, self.written.lineage, data_sets)
        except BaseException:
            self._let_go()
            raise

    def _begin(self) -> None:
        """The hidden folder, with what an earlier rebuild of this release left; another one's is thrown away."""
        self._work.parent.mkdir(parents=True, exist_ok=True)
        Path(self._lock.lock_file).touch()  # where no file can be made, a lock looks like one that is held
        try:
            self._lock.acquire()
        except Timeout:
            raise Refused(f"another rebuild into {self.dest} is under way") from None
        manifest = self._work / MANIFEST
        if not manifest.is_file() or manifest.read_bytes() != self.release.manifest:
            fresh_folder(self._work)
            put(manifest, self.release.manifest)
        for path in self.release.withheld:
            (self._work / path).unlink(missing_ok=True)
        if self.release.notice is not None:
            put(self._work / NOTICE, self.release.notice.text().encode())
        (self._work / SOUNDS).mkdir(exist_ok=True)

    def run(self, makers: Mapping[str, Maker], workers: int = 1) -> Rebuilt:
        """Make everything, and give the folder its name when all of it is as published.

        Args:
            makers: who makes the items of each config, by its name.
            workers: items at once; what comes out does not depend on it.

        Raises:
            InvalidInput: for less than one worker, or more than 64; for a config that nobody makes.
            Damaged: when a shard of the release cannot be read.
            Unwritable: when the disk is full.
        """
        try:
            if not 1 <= workers <= MOST_WORKERS:
                raise InvalidInput("workers", f"1 to {MOST_WORKERS}", workers)
            require_makers(self._items, makers)
            otherwise = self._make(makers, workers)
        finally:
            self._let_go()
        withheld = (row["item_id"] for row in self.written.items if self.release.withholds(row))
        return Rebuilt(
            self.release.manifest_sha256, len(self._items), tuple(otherwise), tuple(sorted(set(withheld)))
        )

    def _make(self, makers: Mapping[str, Maker], workers: int) -> list[Otherwise]:
        otherwise: list[Otherwise] = []
        keep_memory()
        with writable(self.dest), ThreadPoolExecutor(workers) as pool:
            for file in self._shards:
                if check_file(self._work, file) is not None:
                    otherwise += self._shard(file, makers, pool)
            if not otherwise:
                self._finish()
        if otherwise:
            remove(self._work)
        return otherwise

    def _let_go(self) -> None:
        if self._lock.is_locked:
            Path(self._lock.lock_file).unlink(missing_ok=True)
            self._lock.release()

    def _shard(self, file: FileRow, makers: Mapping[str, Maker], pool: ThreadPoolExecutor) -> list[Otherwise]:
        shard = read_shard(self.release.origin, file, self.written.by_shard.get(key_of(file), ()))
        bench = Bench(self._work, self._work / SOUNDS)
        remake = partial(self._remade, makers.get(file.config or ""), shard.schema)
        return remake_shard(shard, bench, remake, pool)

    def _remade(self, maker: Maker | None, schema: Any, item: Published) -> tuple[Remade | None, str]:
        assert maker is not None, "a config whose items have sound has a maker"
        return remade(item, maker, self.written.models.get(item.row["item_id"], {}), schema)

    def _finish(self) -> None:
        """Sums and mark, then the name; whatever else is in the hidden folder is thrown away first."""
        remove(self._work / SOUNDS)
        seal(self._work, self.release.files, self.release.manifest_sha256)
        if self.dest.is_dir():
            self.dest.rmdir()
        publish_folder(self._work, self.dest.absolute())


def rebuild(
    release: Offered, dest: Path, makers: Mapping[str, Maker], workers: int = 1, data_sets: Sequence[Any] = ()
) -> Rebuilt:
    """:class:`Rebuild`, begun and run."""
    return Rebuild(release, dest, data_sets).run(makers, workers)


def bring(release: Offered, work: Path, pace: Pace) -> None:
    """Have what is written of a release, beside its data, in ``work``; not what it withholds."""

    def one(file: FileRow, gate: Gate) -> None:
        if check_file(work, file) is not None:
            fetch(release.origin, work, file, gate)

    written = [file for file in release.files if file.config is None and file.path not in release.withheld]
    pace.each(one, written, lambda file: file.bytes)


def require_empty(dest: Path) -> None:
    """Let an absent or empty folder pass.

    Raises:
        Refused: for anything else.
    """
    if dest.is_symlink() or (dest.exists() and not (dest.is_dir() and not any(dest.iterdir()))):
        raise Refused(f"{dest} is no empty folder: a rebuild begins in one")


def require_makers(items: Iterable[Mapping[str, Any]], makers: Mapping[str, Maker]) -> None:
    """Let rows of ``items.parquet`` pass whose sounds all have who makes them.

    Raises:
        InvalidInput: when nobody makes the items of a config.
    """
    configs = {row["config"] for row in items if row["sha256"] is not None}
    if unknown := sorted(configs - set(makers)):
        cause = "its items are made by a data set of somebody's own: name it with --data-set MODULE:NAME"
        raise InvalidInput("config", f"one of {', '.join(sorted(makers))}", ", ".join(unknown), cause)
