"""The lake of this process, opened once, with the data sets' tables declared."""

from __future__ import annotations

import threading

from schemas import ALL, lake_spec
from sonolake.lake import Lake
from sonolake.lake.root import is_lake
from sonolake.lake.run import Run
from sonolake.lake.storages import storage_at

_lock = threading.Lock()
_open: dict[str, Lake] = {}


def lake_at(path: str) -> Lake:
    """The lake at ``path``, made when it is missing; one instance a process."""
    place = storage_at(path).uri
    with _lock:
        lake = _open.get(place)
        if lake is None or not is_lake(place):
            lake = Lake.create(place)
            lake.declare(*(lake_spec(schema) for schema in ALL))
            _open[place] = lake
        return lake


def run_of(lake: str, flow: str, run_id: str) -> Run:
    """The run that a task works for."""
    return Run(lake_at(lake), flow, run_id)
