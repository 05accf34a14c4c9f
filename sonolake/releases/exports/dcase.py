"""DCASE CSV: a row a frame of 100 ms and active source, distances in whole centimetres as STARSS23 has them.

``CONFIG/SPLIT/KEY.csv`` without header, and ``classes.txt``, whose n-th line is class n - 1 of all files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.packing import Lines
from sonolake.releases.exports.source import About
from sonolake.releases.exports.writer import Unfit
from sonolake.spatial.dcase import frames_of, write
from sonolake.spatial.records import ClipEvent

_NEEDED = ("event", "onset_s", "offset_s", "azimuth_deg", "elevation_deg", "distance_m")


class Dcase:
    """See this module; events wait in a file until all classes are known."""

    def __init__(self, folder: Path, about: About) -> None:
        self._folder = folder
        self._spool = folder / ".events.jsonl"
        self._lines = Lines(self._spool)
        self._classes: set[str] = set()

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        events = item.row.get("events")
        if events is None:
            raise Unfit("no column of events")
        if lacking := [name for name in _NEEDED for event in events if event.get(name) is None]:
            raise Unfit(f"events without {lacking[0]}")
        self._classes |= {event["event"] for event in events}
        self._lines.write([f"{item.config}/{item.split}/{item.key}.csv", events])

    def close(self) -> None:
        """Write the tables and the list of classes."""
        self._lines.close()
        classes = sorted(self._classes)
        with self._spool.open(encoding="utf-8") as lines:
            for line in lines:
                path, events = json.loads(line)
                target = self._folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                text = write(frames_of([_event(e) for e in events], classes), "cm")
                target.write_text(text, encoding="utf-8")
        self._spool.unlink()
        names = "".join(f"{name}\n" for name in classes)
        (self._folder / "classes.txt").write_text(names, encoding="utf-8")


def _event(event: Mapping[str, Any]) -> ClipEvent:
    return ClipEvent.from_record(event)
