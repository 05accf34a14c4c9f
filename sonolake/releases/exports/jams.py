"""JAMS: a file an item, with annotations of the namespace ``segment_open`` for sounds, turns and words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.packing import json_text
from sonolake.releases.exports.source import About
from sonolake.releases.exports.writer import Unfit, place_of

VERSION = "0.3.4"
"""Of the layout."""
Datum = tuple[float, float, str, float | None]
"""Start and length in seconds, text, and how sure that is."""


class Jams:
    """See this module: ``CONFIG/SPLIT/KEY.jams``."""

    def __init__(self, folder: Path, about: About) -> None:
        self._folder, self._about = folder, about

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        labels = item.labels
        events = [(e.onset_s, (e.offset_s or e.onset_s) - e.onset_s, e.label, None) for e in labels.events]
        turns = [(t.start_s, t.end_s - t.start_s, t.text, None) for t in labels.turns]
        words = [(w.start_s, w.end_s - w.start_s, w.text, w.confidence) for w in labels.words]
        kinds: dict[str, list[Datum]] = {"events": [*events], "turns": [*turns], "words": [*words]}
        found = [self._annotation(item, kind, data) for kind, data in kinds.items() if data]
        if not found:
            raise Unfit("no labels in time")
        whole = {
            "annotations": found,
            "file_metadata": {
                "title": item.item_id,
                "artist": "",
                "release": self._about.release,
                "duration": item.duration_s,
                "identifiers": {"sonolake": item.item_id},
                "jams_version": VERSION,
            },
            "sandbox": {"config": item.config, "split": item.split, "licence": item.row.get("licence")},
        }
        place_of(self._folder, item, "jams").write_text(json_text(whole) + "\n", encoding="utf-8")

    def close(self) -> None:
        """Nothing comes last."""

    def _annotation(self, item: Item, kind: str, data: Iterable[Datum]) -> dict[str, Any]:
        rows = [
            {"time": start, "duration": length, "value": text, "confidence": sure}
            for start, length, text, sure in sorted(data, key=lambda d: (d[0], d[1], d[2]))
        ]
        meta = {
            "curator": {"name": "", "email": ""},
            "annotator": {},
            "version": self._about.version,
            "corpus": self._about.name,
            "annotation_tools": "sonolake",
            "annotation_rules": "",
            "validation": "",
            "data_source": kind,
        }
        return {
            "annotation_metadata": meta,
            "namespace": "segment_open",
            "data": rows,
            "sandbox": {"kind": kind},
            "time": 0.0,
            "duration": item.duration_s,
        }
