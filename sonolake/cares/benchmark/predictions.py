"""Predictions as JSON lines: ``{"item_id", "answer"}``, for summaries ``{"item_id", "summary", "budget"}``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonolake.cares.benchmark.records import BUDGETS, Item
from sonolake.scoring import as_text, objects

Key = tuple[str, int]
"""An item's id and the budget of a summary, 0 for everything else."""


@dataclass(frozen=True)
class Trouble:
    """A line that was not taken: its number from 1, and why."""

    line: int
    why: str


@dataclass(frozen=True)
class Predictions:
    """Answers as text by key, and the lines that were not taken."""

    answers: Mapping[Key, str]
    troubles: tuple[Trouble, ...] = ()


def keys_of(item: Item) -> tuple[Key, ...]:
    """The answers that an item wants."""
    budgets = BUDGETS if item.task == "summary" else (0,)
    return tuple((item.item_id, budget) for budget in budgets)


def read_predictions(path: Path, items: Iterable[Item]) -> Predictions:
    """The predictions of a file for these items.

    A line that cannot be read, of an unknown item, or for what was answered before, is not taken and reported.
    """
    wanted = {key for item in items for key in keys_of(item)}
    known = {item_id for item_id, _ in wanted}
    answers: dict[Key, str] = {}
    troubles: list[Trouble] = []
    for number, row in objects(path, "item_id"):
        key, answer, why = (None, "", row) if isinstance(row, str) else _read(row, wanted, known)
        if key in answers:
            why = "answered before"
        if why or key is None:
            troubles.append(Trouble(number, why))
        else:
            answers[key] = answer
    return Predictions(answers, tuple(troubles))


def _read(row: Mapping[str, Any], wanted: set[Key], known: set[str]) -> tuple[Key | None, str, str]:
    """Key and answer of a line, or why it has none."""
    answer = row.get("summary", row.get("answer"))
    if answer is None:
        return None, "", "neither answer nor summary"
    key = (row["item_id"], row.get("budget", 0))
    if key[0] not in known:
        return None, "", f"no item {key[0]}"
    if key not in wanted:
        return None, "", f"no budget {key[1]!r} of this item"
    return key, as_text(answer), ""
