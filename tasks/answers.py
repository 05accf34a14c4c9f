"""Chat models as steps ask them: with answers kept in the lake, a pace, a budget, and what they took on record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from threading import Lock
from typing import Protocol

from schemas import ChatAnswers, ChatUse, valid_rows
from sonolake.lake import Lake
from sonolake.models.chat import Asker, Meter, Pacer, Price, Spent, chat_model

AT_ONCE = 20
"""Answers committed together: as many are asked for again after a kill, at most."""


class Terms(Protocol):
    """What a chat model may take."""

    @property
    def budget(self) -> float | None:
        """Money that the run may take; None for no limit."""

    @property
    def price_in(self) -> float:
        """Money for a million tokens sent."""

    @property
    def price_out(self) -> float:
        """Money for a million tokens received."""

    @property
    def requests(self) -> int:
        """A minute at most; 0 for no limit."""


def meter_of(terms: Terms, before: Spent | None = None) -> Meter:
    """A meter that stops at the budget.

    Raises:
        InvalidInput: for a budget without a price, or a price below 0.
    """
    return Meter(Price(terms.price_in, terms.price_out), terms.budget, before)


@contextmanager
def asking(lake: Lake, run_id: str, spec: str, terms: Terms) -> Iterator[Asker]:
    """The chat model of ``spec``, which goes on counting where the run's earlier batches ended."""
    model = chat_model(spec)
    meter = meter_of(terms, spent_in(lake, run_id, model.spec))
    try:
        with LakeAnswers(lake, run_id) as answers:
            yield Asker(model, answers, Pacer(terms.requests), meter)
    finally:
        model.close()
        record_use(lake, run_id, model.spec, meter.spent)


def spent_in(lake: Lake, run_id: str, model: str) -> Spent:
    """What a run has taken of a model so far."""
    columns = ", ".join(field.name for field in fields(Spent))
    rows = lake.rows(f"SELECT {columns} FROM chat_use WHERE run_id = ? AND model = ?", [run_id, model])
    return Spent(**rows[0]) if rows else Spent()


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
