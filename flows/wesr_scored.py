"""How good a model's annotations are, as ``sonolake score wesr`` says it."""

from __future__ import annotations

from collections import Counter

from sonolake.cli.printing import emit, show_json
from sonolake.cli.wesr_scores import show_scores
from sonolake.wesr.scorefiles import FileScores
from sonolake.wesr.scoretables import as_json


def show(found: FileScores | None, json: bool) -> None:
    """Print scores against gold texts; without any, what they would take."""
    if json:
        show_json(as_json(found.scores) if found else None)
    elif found:
        show_scores("against the gold texts", found, Counter())
    else:
        emit("How good this is cannot be said: no utterance has a gold text (see docs/wesr-annotate.md).")
