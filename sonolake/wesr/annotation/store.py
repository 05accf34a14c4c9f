"""A project: one SQLite file with the tasks and every action of every annotator, append-only.

An action holds all marks of a task as they are after it, so that the last one is the state and nothing has to be
replayed; it is on disk when :meth:`Project.act` returns.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Literal

from sonolake.errors import InvalidInput, NotFound, Refused
from sonolake.pages.refusals import Conflict
from sonolake.wesr.annotation.editing import NO_MARKS, Marks, marks_of
from sonolake.wesr.annotation.tasks import Task

Role = Literal["annotator", "adjudicator"]
FORMAT = "1"

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE tasks (
    place INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, audio TEXT NOT NULL, text TEXT NOT NULL,
    language TEXT NOT NULL, times TEXT NOT NULL, gold TEXT NOT NULL
);
CREATE TABLE actions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, role TEXT NOT NULL, rater TEXT NOT NULL,
    task TEXT NOT NULL, kind TEXT NOT NULL, marks TEXT NOT NULL, done INTEGER NOT NULL
);
CREATE INDEX latest ON actions (role, rater, task, seq);
CREATE INDEX answers ON actions (role, task, rater, seq);
CREATE TABLE verdicts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, rater TEXT NOT NULL, f1 REAL NOT NULL,
    passed INTEGER NOT NULL
);
CREATE TRIGGER actions_stay BEFORE UPDATE ON actions BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER actions_remain BEFORE DELETE ON actions BEGIN SELECT RAISE(ABORT, 'append-only'); END;
"""


@dataclass(frozen=True)
class State:
    """Where a task stands for one person: number of the last action (0 for none), marks, and whether it is done."""

    seq: int = 0
    marks: Marks = NO_MARKS
    done: bool = False


@dataclass(frozen=True)
class Verdict:
    """How a qualification went."""

    f1: float
    passed: bool


class Project:
    """A project file, used as a context manager; may be shared by threads.

    Attributes:
        tasks: all of them; ``gold`` are the items of the qualification, ``work`` the others.

    Args:
        path: the file.

    Raises:
        NotFound: when there is none.
        InvalidInput: when it is another file.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise NotFound(f"no annotation project at {path}: make one with sonolake annotate new")
        self.path = path
        self._lock = RLock()
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=20.0)
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            version = self.meta("format")
        except sqlite3.DatabaseError:
            self._db.close()
            raise InvalidInput(str(path), "an annotation project", "another file") from None
        if version != FORMAT:
            self._db.close()
            raise InvalidInput(str(path), f"an annotation project of format {FORMAT}", version)
        self.tasks = [_task(row) for row in self._rows("SELECT * FROM tasks ORDER BY place")]
        self.gold = [task for task in self.tasks if task.gold]
        self.work = [task for task in self.tasks if not task.gold]
        self._places = {task.name: task for task in self.tasks}

    @classmethod
    def create(cls, path: Path, tasks: Iterable[Task], threshold: float = 0.7, **meta: str) -> Project:
        """Make a project; its gold items come first.

        Args:
            path: a file that is not there.
            tasks: gold items and others.
            threshold: micro F1 on the gold items that qualifies.
            meta: what else to keep, such as the audio folder.

        Raises:
            Refused: when there is a file.
            InvalidInput: for no tasks, two of one name, or a threshold outside 0 to 1.
        """
        ordered = sorted(tasks, key=lambda task: not task.gold)
        if not ordered or len({task.name for task in ordered}) != len(ordered):
            raise InvalidInput("tasks", "at least one, each name once", len(ordered))
        if not 0.0 <= threshold <= 1.0:
            raise InvalidInput("threshold", "0 to 1", threshold)
        if path.exists():
            raise Refused(f"{path} is there already")
        kept = {"format": FORMAT, "key": secrets.token_urlsafe(24), "threshold": str(threshold), **meta}
        kept["adjudication_key"] = secrets.token_urlsafe(24)
        db = sqlite3.connect(path, isolation_level=None)
        db.executescript(f"BEGIN; {_TABLES}")
        db.executemany("INSERT INTO meta VALUES (?, ?)", kept.items())
        db.executemany("INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?)", map(_task_row, enumerate(ordered)))
        db.execute("COMMIT")
        db.close()
        return cls(path)

    def meta(self, key: str) -> str:
        """A setting, empty when there is none."""
        rows = self._rows("SELECT value FROM meta WHERE key = ?", key)
        return str(rows[0]["value"]) if rows else ""

    def task(self, name: str) -> Task:
        """The task of a name.

        Raises:
            NotFound: for another one.
        """
        if name not in self._places:
            raise NotFound(f"no task {name!r}")
        return self._places[name]

    def act(
        self,
        rater: str,
        task: str,
        kind: str,
        marks: Marks,
        *,
        done: bool,
        base: int,
        role: Role = "annotator",
    ) -> State:
        """Keep an action; it is on disk when this returns.

        Args:
            rater: whose.
            task: on which task.
            kind: what was done: ``insert``, ``wrap``, ``remove``, ``undo``, ``redo``, ``done``, ``reopen``.
            marks: all marks after it.
            done: whether the task is done after it.
            base: ``seq`` of the state that it changes.
            role: as what.

        Raises:
            NotFound: for another task.
            InvalidInput: for marks that the transcript cannot have, or no name.
            Conflict: when ``base`` is not the last action, unless that one came to the same.
        """
        if not rater.strip() or len(rater) > 100:
            raise InvalidInput("annotator", "a name of 1 to 100 signs", rater)
        marks.on(self.task(task).text)
        with self._lock, self._written():
            last = self.state(rater, task, role)
            if last.seq != base and (last.marks, last.done) == (marks, done):
                return last
            if last.seq != base:
                raise Conflict(f"{task}: changed in another window since (action {last.seq}, not {base})")
            row = (_now(), role, rater, task, kind, json.dumps(marks.plain()), int(done))
            sql = (
                "INSERT INTO actions (at, role, rater, task, kind, marks, done) VALUES (?, ?, ?, ?, ?, ?, ?)"
            )
            seq = self._db.execute(sql, row).lastrowid
        return State(int(seq or 0), marks, done)

    def state(self, rater: str, task: str, role: Role = "annotator") -> State:
        """Where a task stands for one person."""
        sql = "SELECT seq, marks, done FROM actions WHERE role = ? AND rater = ? AND task = ? ORDER BY seq DESC LIMIT 1"
        rows = self._rows(sql, role, rater, task)
        return _state(rows[0]) if rows else State()

    def states(self, role: Role = "annotator") -> dict[str, dict[str, State]]:
        """Last states by person and task, of tasks that were acted on."""
        sql = (
            "SELECT rater, task, max(seq) AS seq, marks, done FROM actions WHERE role = ? GROUP BY rater, task"
            " ORDER BY rater, task"
        )
        found: dict[str, dict[str, State]] = {}
        for row in self._rows(sql, role):
            found.setdefault(row["rater"], {})[row["task"]] = _state(row)
        return found

    def answers(self, task: str) -> dict[str, State]:
        """What the annotators who have done a task made of it, by name."""
        sql = (
            "SELECT rater, max(seq) AS seq, marks, done FROM actions WHERE role = 'annotator' AND task = ?"
            " GROUP BY rater ORDER BY rater"
        )
        return {row["rater"]: _state(row) for row in self._rows(sql, task) if row["done"]}

    def done(self, rater: str, role: Role = "annotator") -> set[str]:
        """Names of the tasks that a person has done."""
        sql = "SELECT task, max(seq), done FROM actions WHERE role = ? AND rater = ? GROUP BY task"
        return {row["task"] for row in self._rows(sql, role, rater) if row["done"]}

    def actions(self) -> list[dict[str, Any]]:
        """Every action, in order."""
        return [dict(row) for row in self._rows("SELECT * FROM actions ORDER BY seq")]

    def keep_verdict(self, rater: str, verdict: Verdict) -> None:
        """Keep how a qualification went; the last one counts."""
        with self._lock:
            row = (_now(), rater, verdict.f1, int(verdict.passed))
            self._db.execute("INSERT INTO verdicts (at, rater, f1, passed) VALUES (?, ?, ?, ?)", row)

    def verdict(self, rater: str) -> Verdict | None:
        """How the last qualification went, None when there was none."""
        sql = "SELECT f1, passed FROM verdicts WHERE rater = ? ORDER BY seq DESC LIMIT 1"
        rows = self._rows(sql, rater)
        return Verdict(float(rows[0]["f1"]), bool(rows[0]["passed"])) if rows else None

    def _rows(self, sql: str, *params: str) -> list[dict[str, Any]]:
        with self._lock:
            cursor = self._db.execute(sql, params)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    @contextmanager
    def _written(self) -> Iterator[None]:
        """A write that other processes wait for; nothing of it stays when it fails."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _task_row(placed: tuple[int, Task]) -> tuple[Any, ...]:
    place, task = placed
    return (place, task.name, task.audio, task.text, task.language, json.dumps(task.times), task.gold)


def _task(row: dict[str, Any]) -> Task:
    times = tuple((float(start), float(end)) for start, end in json.loads(row["times"]))
    return Task(row["name"], row["audio"], row["text"], row["language"], times, row["gold"])


def _state(row: dict[str, Any]) -> State:
    return State(int(row["seq"]), marks_of(json.loads(row["marks"])), bool(row["done"]))
