"""What the tasks of CARES call: a row has ``prompt``, ``audio`` (a path beside this file), ``item`` as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sonolake.cares.benchmark.files import item_of
from sonolake.cares.benchmark.scoring import Marked, mark
from sonolake.releases.exports.scorers.cares import summaries
from sonolake.releases.exports.scorers.standing import balanced, reaction_scores

Said = Mapping[str, Any]
"""An item as JSON, and what was answered."""


def told(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """What a metric is worked out from."""
    return {"item": doc["item"], "budget": doc["budget"], "said": results[0] if results else ""}


def process_reactions(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """An answer to reaction classification, with or without the sound."""
    one = told(doc, results)
    return {"balanced_accuracy": one, "accuracy": one, "macro_f1": one}


def process_choice(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """An answer to a multiple-choice question."""
    return {"accuracy": told(doc, results)}


def process_summary(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """A summary."""
    return {"recall": told(doc, results)}


def marked(rows: Iterable[Said]) -> list[Marked]:
    """Each item with its answer as it is read."""
    found = [(item_of(json.loads(row["item"])), row["said"]) for row in rows]
    return mark([item for item, _ in found], {(item.item_id, 0): said for item, said in found})


def balanced_accuracy(rows: Sequence[Said]) -> float:
    """The mean recall of the reactions that occur."""
    return balanced(marked(rows))


def macro_f1(rows: Sequence[Said]) -> float:
    """The mean F1 of the reactions that occur."""
    return reaction_scores(marked(rows)).macro_f1.value


def accuracy(rows: Sequence[Said]) -> float:
    """The share of right answers."""
    return sum(one.right for one in marked(rows)) / max(1, len(rows))


def recall(rows: Sequence[Said]) -> float:
    """The share of sounds that summaries of one budget mention by their names."""
    items = [item_of(json.loads(row["item"])) for row in rows]
    budget = rows[0]["budget"] if rows else 0
    answers = {(item.item_id, budget): row["said"] for item, row in zip(items, rows, strict=True)}
    return float(summaries(items, answers, budget)["overall"]["value"])


NAMES = (
    "process_reactions",
    "process_choice",
    "process_summary",
    "balanced_accuracy",
    "macro_f1",
    "accuracy",
    "recall",
)
"""What the tasks name."""
