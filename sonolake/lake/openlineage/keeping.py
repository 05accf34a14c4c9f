"""Events in the lake: a file of lines of JSON a run, in ``openlineage/open/`` until the run has its end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sonolake.errors import NotFound
from sonolake.ids import canonical_json
from sonolake.lake.openlineage.events import Event

if TYPE_CHECKING:
    from sonolake.lake.storage import Storage

ROOM, OPEN = "openlineage", "openlineage/open"


class Kept:
    """The events of a lake's runs."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def begin(self, event: Event) -> None:
        """Keep a START."""
        self._storage.write(_file(OPEN, event["run"]["runId"]), _line(event))

    def finish(self, event: Event) -> bool:
        """Keep an end beside its START; False when the run has one already, and nothing is kept."""
        run_id = event["run"]["runId"]
        done = _file(ROOM, run_id)
        first = self._storage.stat(done) is None
        if first:
            self._storage.write(done, self._storage.read(_file(OPEN, run_id)) + _line(event))
        self._storage.delete(_file(OPEN, run_id))
        return first

    def open_runs(self) -> list[str]:
        """The runs that have no end, at work or killed."""
        paths = [entry.path for entry in self._storage.entries(OPEN)]
        return [path.rpartition("/")[2].removesuffix(".ndjson") for path in paths if path.endswith(".ndjson")]

    def began(self, run_id: str) -> Event | None:
        """The START of a run without an end; None when it has one meanwhile."""
        try:
            event: Event = json.loads(self._storage.read(_file(OPEN, run_id)))
        except (NotFound, ValueError):
            return None
        return event


def _file(folder: str, run_id: str) -> str:
    return f"{folder}/{run_id}.ndjson"


def _line(event: Event) -> bytes:
    return f"{canonical_json(event)}\n".encode()
