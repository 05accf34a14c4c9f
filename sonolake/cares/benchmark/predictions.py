"""Predictions as JSON lines: ``{"item_id", "answer"}``, for summaries ``{"item_id", "summary", "budget"}``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonolake.cares.benchmark.records import BUDGETS, Item

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
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            key, answer, why = _parsed(line, wanted, known)
            if key in answers:
                why = "answered before"
            if why or key is None:
                troubles.append(Trouble(number, why))
            else:
                answers[key] = answer
    return Predictions(answers, tuple(troubles))


def _parsed(line: str, wanted: set[Key], known: set[str]) -> tuple[Key | None, str, str]:
    """Key and answer of a line, or why it has none."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        return None, "", f"no JSON: {error.msg}"
    if not isinstance(row, dict) or not isinstance(row.get("item_id"), str):
        return None, "", "no object with an item_id"
    answer = row.get("summary", row.get("answer"))
    if answer is None:
        return None, "", "neither answer nor summary"
    key = (row["item_id"], row.get("budget", 0))
    if key[0] not in known:
        return None, "", f"no item {key[0]}"
    if key not in wanted:
        return None, "", f"no budget {key[1]!r} of this item"
    return key, answer if isinstance(answer, str) else _text(answer), ""


def _text(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False)
