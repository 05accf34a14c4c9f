"""What is exported: the chosen items of a release, one after the other, in memory of a row group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sonolake.errors import InvalidInput, NotFound, Refused
from sonolake.loading.load import records_of
from sonolake.loading.order import Order
from sonolake.loading.records import AUDIO, Record, Records
from sonolake.loading.sound import ENCODED
from sonolake.loading.table import Readable
from sonolake.releases.choosing import choose
from sonolake.releases.exports.items import Item
from sonolake.releases.layout import SPLITS


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


@dataclass(frozen=True)
class Source:
    """Records by split, of one table each, in the order of tables and splits.

    ``withheld`` are ids of chosen items that a retracted version withholds; ``doi`` is the release's, where known.
    """

    table: Readable
    parts: Sequence[tuple[str, Records]]
    where: str | None
    withheld: tuple[str, ...] = ()
    doi: str = ""

    @property
    def about(self) -> About:
        """Which release it is of."""
        return About(*self.table.identity, self.table.manifest_sha256)

    def items(self, sound: bool = True) -> Iterator[Item]:
        """The items, shard by shard, with their sounds when these are asked for."""
        for split, whole in self.parts:
            records = whole if sound else _silent(whole)
            for number, shard in enumerate(records.shards):
                for record in records.read([number], Order()):
                    yield _item(record, records.config, split, shard.file.shard or 0)

    def only(self, *configs: str) -> Source:
        """Those of these tables alone."""
        parts = [(split, records) for split, records in self.parts if records.config in configs]
        return replace(self, parts=parts)


def chosen(table: Readable, configs: Sequence[str], splits: Sequence[str], where: str | None) -> Source:
    """The items of these configs and splits (all when empty) for which the condition holds.

    Raises:
        InvalidInput: for a config, split or condition that there is not.
        NotFound: when nothing is chosen, or shards were not pulled.
        Refused: when all that is chosen is withheld.
    """
    _require("config", configs, table.configs)
    there = {config: [s for s in SPLITS if s in table.splits(config)] for config in table.configs}
    _require("split", splits, sorted({s for found in there.values() for s in found}, key=SPLITS.index))
    asked = [
        (config, split)
        for config in table.configs
        for split in there[config]
        if (not configs or config in configs) and (not splits or split in splits)
    ]
    found = [(split, records_of(table, config, (split,), where, ENCODED)) for config, split in asked]
    parts = [(split, records) for split, records in found if len(records)]
    withheld = _withheld(table, asked, where)
    if not parts and withheld and table.release.notice is not None:
        raise Refused(table.release.notice.told())
    if not parts:
        raise NotFound(f"nothing of {table.name} is chosen by these configs, splits and condition")
    return Source(table, parts, where, withheld)


def _withheld(table: Readable, asked: Sequence[tuple[str, str]], where: str | None) -> tuple[str, ...]:
    rows = table.withheld if where is None or not table.withheld.num_rows else choose(table.withheld, where)
    keys = zip(
        rows["config"].to_pylist(), rows["split"].to_pylist(), rows["item_id"].to_pylist(), strict=True
    )
    return tuple(item for config, split, item in keys if (config, split) in asked)


def _require(what: str, asked: Sequence[str], there: Sequence[str]) -> None:
    if unknown := [one for one in asked if one not in there]:
        raise InvalidInput(what, f"one of {', '.join(there)}", unknown[0])


def _silent(records: Records) -> Records:
    return records.only([name for name in records.schema.names if name != AUDIO])


def _item(record: Record, config: str, split: str, shard: int) -> Item:
    row = {name: value for name, value in record.items() if name not in (AUDIO, "split")}
    return Item(record["item_id"], config, split, shard, row, record.get(AUDIO))
