"""One item of a release made again."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from sonolake.errors import Damaged, Refused
from sonolake.releases.destination import put, writable
from sonolake.releases.fetching import fetch
from sonolake.releases.layout import ITEMS, LINEAGE
from sonolake.releases.offered import Offered
from sonolake.releases.pace import Gate, Rate
from sonolake.releases.rebuilding.comparing import Difference, differences
from sonolake.releases.rebuilding.makers import Maker
from sonolake.releases.rebuilding.published import Written
from sonolake.releases.rebuilding.remaking import Published, read_shard, remade
from sonolake.releases.rebuilding.whole import require_makers
from sonolake.releases.selection import key_of
from sonolake.releases.shards import audio_name
from sonolake.releases.tables import FileRow


@dataclass(frozen=True)
class RebuiltItem:
    """An item made again: what is otherwise in a sentence, empty when nothing is; its file, where one was asked for."""

    item_id: str
    config: str
    sha256: str
    otherwise: str
    file: Path | None = None


class RebuildItem:
    """A rebuild of one item that is begun; :attr:`differences` can be told before it is made.

    Raises:
        NotFound: when no item has such an id.
        InvalidInput: when several ids begin so.
        Refused: when it has no sound or is withheld, or the release is of an older form.
        Damaged: when the release's tables are not what its manifest says.
    """

    def __init__(self, release: Offered, item: str, data_sets: Sequence[Any] = ()) -> None:
        self.release = release
        with tempfile.TemporaryDirectory(prefix="sonolake-rebuild-") as folder:
            for file in release.files:
                if file.path in (ITEMS, LINEAGE):
                    fetch(release.origin, Path(folder), file, Gate(Rate()))
            self.written = Written(Path(folder))
            self.item = self.written.item(item)
            if release.notice is not None and release.withholds(self.item):
                item_id = self.item["item_id"]
                raise Refused(f"{item_id}: {release.notice.why(item_id)}\n{release.notice.told()}")
            self.differences: list[Difference] = differences(
                [self.item["item_id"]], self.written.lineage, data_sets
            )
        if self.item["sha256"] is None:
            raise Refused(f"{self.item['item_id']} has no sound: there is nothing to make again")

    def run(self, makers: Mapping[str, Maker], dest: Path | None = None) -> RebuiltItem:
        """Make the item, keep its file in the folder ``dest`` if one is named, and hold it against what was published.

        Raises:
            InvalidInput: when nobody makes items of its config.
            Damaged: when its shard cannot be read.
            Unwritable: when ``dest`` cannot be written to.
        """
        require_makers([self.item], makers)
        file = self._file()
        shard = read_shard(self.release.origin, file, self.written.by_shard[key_of(file)])
        rows = shard.rows.filter(pc.equal(shard.rows["item_id"], self.item["item_id"])).to_pylist()
        if len(rows) != 1:
            raise Damaged(
                f"{self.release.origin.name}/{file.path} has {len(rows)} rows of {self.item['item_id']}"
            )
        row = rows[0]
        models = self.written.models.get(row["item_id"], {})
        maker = makers[self.item["config"]]
        made, why = remade(Published(row, self.item["sha256"]), maker, models, shard.schema)
        kept = None
        if made is not None and dest is not None:
            with writable(dest):
                dest.mkdir(parents=True, exist_ok=True)
                kept = dest / audio_name(row["item_id"], made.sound)
                put(kept, made.sound)
        return RebuiltItem(row["item_id"], self.item["config"], self.item["sha256"], why, kept)

    def _file(self) -> FileRow:
        key = tuple(self.item[name] for name in ("config", "split", "shard"))
        for file in self.release.files:
            if file.config is not None and key_of(file) == key:
                return file
        raise Damaged(f"{self.release.origin.name}: {ITEMS} lists shard {key}, the manifest does not")


def rebuild_item(
    release: Offered,
    item: str,
    makers: Mapping[str, Maker],
    dest: Path | None = None,
    data_sets: Sequence[Any] = (),
) -> RebuiltItem:
    """:class:`RebuildItem`, begun and run."""
    return RebuildItem(release, item, data_sets).run(makers, dest)
