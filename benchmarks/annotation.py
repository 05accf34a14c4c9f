"""The annotation server: opening a task and keeping an action among 10 tasks and among 1,000 that three people did.

Wanted: the same, at most twice as long. The bare loop appends the same rows to a SQLite file, each on disk.

python benchmarks/annotation.py
"""

from __future__ import annotations

import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from starlette.testclient import TestClient

from sonolake.audio.encode import wav_bytes
from sonolake.wesr.annotation.editing import Marks
from sonolake.wesr.annotation.server import application
from sonolake.wesr.annotation.sounds import Sounds
from sonolake.wesr.annotation.store import Project
from sonolake.wesr.annotation.tasks import Task

SMALL, LARGE = 10, 1000
REPEATS = 40
LIMIT = 2.0


def typical(work: Callable[[], object]) -> float:
    """Median seconds of one call."""
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def filled(path: Path, count: int) -> Project:
    """A project whose tasks three annotators have done."""
    project = Project.create(path, [Task(f"t{n}", "a.wav", "well i think so") for n in range(count)])
    for rater in ("ann", "ben", "cyn"):
        for task in project.tasks:
            project.act(rater, task.name, "done", Marks(((1, "laughs"),)), done=True, base=0)
    return project


def measured(folder: Path, count: int) -> dict[str, float]:
    """Seconds of what the page asks for."""
    with filled(folder / f"{count}.sqlite", count) as project:
        headers = {"x-sonolake-key": project.meta("key")}
        last = count - 1
        app = application(project, Sounds(folder))
        with TestClient(app, base_url="http://127.0.0.1:8450", headers=headers) as client:
            seq = iter(range(10**6))

            def act() -> None:
                state = project.state("ann", f"t{last}")
                marks = {"points": [[next(seq) % 5, "sigh"]], "spans": []}
                body = {"kind": "insert", "done": False, "base": state.seq, **marks}
                assert client.post(f"/api/work/{last}/actions?rater=ann", json=body).status_code == 200

            eva = {"x-sonolake-key": project.meta("adjudication_key")}
            return {
                "begin": typical(lambda: client.get("/api/me?rater=ann")),
                "open a task": typical(lambda: client.get(f"/api/work/{last}?rater=ann")),
                "adjudicate one": typical(lambda: client.get(f"/api/work/{last}?rater=eva", headers=eva)),
                "an action": typical(act),
            }


def bare(folder: Path) -> float:
    """Seconds of a row in a SQLite file that is on disk when it is said to be."""
    db = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
    db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (text TEXT)")
    made = typical(lambda: db.execute("INSERT INTO rows VALUES ('an action')"))
    db.close()
    return made


def main() -> int:
    """Measure and print; status 1 when something takes more than twice as long among many tasks."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.wav").write_bytes(wav_bytes(np.ones(24_000, dtype=np.int16), 24_000))
        few, many = measured(folder, SMALL), measured(folder, LARGE)
        row = bare(folder)
    for what, seconds in many.items():
        ratio = seconds / few[what]
        print(f"{what}: {1000 * seconds:.1f} ms among {LARGE:,} tasks, {ratio:.2f} times that among {SMALL}")
    print(f"an action: {many['an action'] / row:.1f} times a bare row on disk")
    return int(any(seconds > LIMIT * few[what] for what, seconds in many.items() if what != "begin"))


if __name__ == "__main__":
    sys.exit(main())
