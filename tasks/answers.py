"""Answers of chat models in the lake."""

from __future__ import annotations

from threading import Lock

from schemas import ChatAnswers, ChatUse, valid_rows
from sonolake.lake import Lake
from sonolake.models.chat import Spent

AT_ONCE = 20
"""Answers committed together: as many are asked for again after a kill, at most."""


class LakeAnswers:
    """Keeps answers in the table ``chat_answers``; a context that commits the last ones when it is left.

    Args:
        lake: where they are kept.
        run_id: of the run that asks.
    """

    def __init__(self, lake: Lake, run_id: str) -> None:
        self._lake, self._run_id = lake, run_id
        self._new: dict[str, str] = {}
        self._lock = Lock()

    def __enter__(self) -> LakeAnswers:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._commit()

    def get(self, key: str) -> str | None:
        """The answer kept under a key."""
        with self._lock:
            if key in self._new:
                return self._new[key]
            rows = self._lake.rows("SELECT answer FROM chat_answers WHERE prompt = ?", [key])
            return str(rows[0]["answer"]) if rows else None

    def put(self, key: str, value: str) -> None:
        """Keep an answer; a batch's id is committed at once."""
        with self._lock:
            self._new[key] = value
            if len(self._new) >= AT_ONCE or key.startswith("batch "):
                self._commit()

    def _commit(self) -> None:
        if self._new:
            rows = [{"prompt": key, "answer": value} for key, value in self._new.items()]
            with self._lake.transaction("chat-answers", run_id=self._run_id) as tx:
                tx.merge("chat_answers", valid_rows(ChatAnswers, rows))
            self._new.clear()


def record_use(lake: Lake, run_id: str, model: str, spent: Spent) -> None:
    """Write what a run took of a model; the last call of a run counts."""
    row = {"run_id": run_id, "model": model, **vars(spent)}
    with lake.transaction("chat-use", run_id=run_id) as tx:
        tx.sql("DELETE FROM chat_use WHERE run_id = ? AND model = ?", [run_id, model])
        tx.append("chat_use", valid_rows(ChatUse, [row]))
