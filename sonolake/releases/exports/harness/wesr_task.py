"""What the task of WESR calls: a row has ``prompt``, ``audio``, ``id`` and ``sentence``, the tagged text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sonolake.wesr.scoring import Scores, score

Said = Mapping[str, str]
"""An utterance's id, its tagged text, and what was answered."""


def process(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """A transcript with marks."""
    one = {"id": doc["id"], "sentence": doc["sentence"], "said": results[0] if results else ""}
    return {"macro_f1": one, "micro_f1": one, "macro_f1_of_21": one, "wer": one}


def scored(rows: Sequence[Said]) -> Scores:
    """All figures, in the paper's reading."""
    return score([(row["id"], row["sentence"]) for row in rows], {row["id"]: row["said"] for row in rows})


def macro_f1(rows: Sequence[Said]) -> float:
    """The mean F1 of the tags that occur."""
    return scored(rows).macro.f1


def macro_f1_of_21(rows: Sequence[Said]) -> float:
    """The mean F1 of all 21 tags."""
    return scored(rows).macro21.f1


def micro_f1(rows: Sequence[Said]) -> float:
    """F1 of all tags together."""
    return scored(rows).micro.f1


def wer(rows: Sequence[Said]) -> float:
    """Word error rate without tags."""
    return scored(rows).words.rate or 0.0


NAMES = ("process", "macro_f1", "macro_f1_of_21", "micro_f1", "wer")
