"""The scorer of CARES as a program of its own: what ``sonolake score cares --resamples 0 --json`` prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

from sonolake.cares.benchmark.files import item_of
from sonolake.cares.benchmark.judging import LiteralMatcher
from sonolake.cares.benchmark.predictions import Key, read_predictions
from sonolake.cares.benchmark.records import BUDGETS, Item
from sonolake.cares.benchmark.summaries import score_summaries
from sonolake.cares.records import REACTIONS
from sonolake.releases.exports.scorers.standing import (
    answered,
    choice_scores,
    exactly,
    muted_scores,
    point,
    reaction_scores,
)

USAGE = "python score_cares.py ITEMS.jsonl PREDICTIONS.jsonl [--with-nature]"


def items_in(path: Path) -> list[Item]:
    """The items of a benchmark, a line each."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [item_of(json.loads(line)) for line in lines if line.strip()]


def scores(
    system: str, items: Sequence[Item], answers: Mapping[Key, str], with_nature: bool = False
) -> dict[str, Any]:
    """Everything about a system, in fractions; a task without any answer is null."""
    marked = {t: answered(items, dict(answers), t) for t in ("reactions", "scene", "sounds", "muted")}
    found: dict[str, Any] = {"system": system}
    for task, score in (("reactions", reaction_scores), ("scene", choice_scores), ("sounds", choice_scores)):
        ours = marked[task]
        found[task] = plain(score(ours)) if any(one.chosen != "" for one in ours) else None
    found["muted"] = plain(muted_scores(marked["reactions"], marked["muted"]))
    wanted = [item for item in items if item.task == "summary"]
    found["summary"] = {
        str(budget): summaries(wanted, answers, budget, with_nature)
        for budget in BUDGETS
        if any((item.item_id, budget) in answers for item in wanted)
    }
    return found


def summaries(
    items: Sequence[Item], answers: Mapping[Key, str], budget: int, with_nature: bool = False
) -> dict[str, Any]:
    """Recall at a budget, by the names of sounds."""
    made: dict[str, Any] = plain(score_summaries(items, answers, budget, LiteralMatcher(), 0, with_nature))
    return made


def summary_scores(
    items: Sequence[Item],
    rows: Mapping[str, list[float]],
    budget: int,
    lost: tuple[int, int, int, int],
    judge: str,
    resamples: int,
    with_nature: bool,
) -> dict[str, Any]:
    """Recall at a budget from sounds and mentioned sounds by scene, four reactions each."""
    kinds = len(REACTIONS)
    totals = [sum(row[i] for row in rows.values()) for i in range(2 * kinds)]
    missing, too_long, voided, unjudged = lost
    return {
        "budget": budget,
        "n": len(items),
        "missing": missing,
        "too_long": too_long,
        "voided": voided,
        "unjudged": unjudged,
        "overall": plain(exactly(sum(totals[kinds:]) / max(1, sum(totals[:kinds])))),
        "per_class": {name: plain(point(totals[kinds + i], totals[i])) for i, name in enumerate(REACTIONS)},
        "counts": {name: int(totals[i]) for i, name in enumerate(REACTIONS)},
        "judge": judge,
        "rule": "heard or nature" if with_nature else "heard",
    }


def plain(value: Any) -> Any:
    """Records as objects."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value


def main(arguments: Sequence[str]) -> int:
    """Score a file; 1 when lines of it were not taken, 2 when it was called wrongly."""
    options = [one for one in arguments if one.startswith("-")]
    paths = [Path(one) for one in arguments if not one.startswith("-")]
    if len(paths) != 2 or set(options) - {"--with-nature"}:
        sys.stderr.write(f"usage: {USAGE}\n")
        return 2
    items = items_in(paths[0])
    read = read_predictions(paths[1], items)
    for one in read.troubles:
        sys.stderr.write(f"{paths[1]}:{one.line}: not taken: {one.why}\n")
    made = scores(paths[1].stem, items, read.answers, bool(options))
    sys.stdout.write(json.dumps(made, ensure_ascii=False, indent=2) + "\n")
    return int(bool(read.troubles))
