"""The lake of this process, opened once, with the data sets' tables declared."""

from __future__ import annotations

import threading
from pathlib import Path

from schemas import ALL, lake_spec
from sonolake.lake import Lake
from sonolake.lake.run import Run

_lock = threading.Lock()
_open: dict[Path, Lake] = {}


def lake_at(path: str) -> Lake:
    """The lake at ``path``, made when it is missing; one instance a process."""
    root = Path(path).absolute()
    with _lock:
        lake = _open.get(root)
        if lake is None or not (root / "lake.toml").is_file():
            lake = Lake.create(root)
            lake.declare(*(lake_spec(schema) for schema in ALL))
            _open[root] = lake
        return lake


def run_of(lake: str, flow: str, run_id: str) -> Run:
    """The run that a task works for."""
    return Run(lake_at(lake), flow, run_id)
