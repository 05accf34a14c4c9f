"""What a release's benchmarks ask: items of CARES, records of RMS-AQA, references of WESR, as far as they are there."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from sonolake.cares.benchmark.audio import MUTED, SCENES
from sonolake.cares.benchmark.files import FOLDER, read_items
from sonolake.cares.benchmark.records import Item as Question
from sonolake.errors import Refused
from sonolake.releases.exports.source import Source
from sonolake.releases.fetching import fetch
from sonolake.releases.layout import SPLITS
from sonolake.releases.pace import Gate, Rate
from sonolake.spatial.benchmark.files import record_of
from sonolake.spatial.benchmark.records import Record

CLIPS = "rms-aqa"
UTTERANCES = "wesr-bench"
TEST = "test"


@dataclass(frozen=True)
class Benchmarks:
    """The benchmarks over the chosen items of a release."""

    source: Source

    @cached_property
    def cares(self) -> tuple[Question, ...]:
        """The questions about chosen scenes; those of the muted control whose own sound is chosen.

        Raises:
            Refused: when the questions are withheld.
        """
        release = self.source.table.release
        files = [f for f in release.files if f.path.startswith(f"{FOLDER}/")]
        scenes = self._ids(SCENES)
        if not files or not scenes:
            return ()
        if release.notice is not None and any(f.path in release.withheld for f in files):
            raise Refused(f"the questions about scenes are withheld: {release.notice.told()}")
        muted = self._ids(MUTED)
        with tempfile.TemporaryDirectory(prefix="sonolake-") as apart:
            for file in files:
                fetch(release.origin, Path(apart), file, Gate(Rate()))
            asked = read_items(Path(apart))
        return tuple(q for q in asked if (q.item_id in muted if q.task == "muted" else q.scene_id in scenes))

    @property
    def clips(self) -> Source:
        """Clips with questions: of the test split, or of the last one that is chosen."""
        parts = self.source.only(CLIPS).parts
        last = max((split for split, _ in parts), key=SPLITS.index, default=TEST)
        return replace(self.source, parts=[part for part in parts if part[0] == last])

    def records(self) -> Iterator[Record]:
        """Both questions about each of :attr:`clips`."""
        for item in self.clips.items(sound=False):
            if item.row.get("questions"):
                yield record_of(item.row)

    @property
    def utterances(self) -> Source:
        """Utterances whose vocal events are known."""
        return self.source.only(UTTERANCES)

    def references(self) -> Iterator[dict[str, str]]:
        """The tagged text of each of :attr:`utterances`."""
        for item in self.utterances.items(sound=False):
            yield {"id": item.item_id, "sentence": item.row["tagged_text"]}

    def _ids(self, config: str) -> set[str]:
        shards = [shard for _, records in self.source.only(config).parts for shard in records.shards]
        return {item for shard in shards for item in shard.rows["item_id"].to_pylist()}


def lines(rows: Iterator[dict[str, Any]], path: Path) -> int:
    """Write rows as JSON lines, and count them; without rows there is no file."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    if not count:
        path.unlink()
    return count
