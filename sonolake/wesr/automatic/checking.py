"""Whether an answer may be an annotation: only known tags, whole, and the words of the transcript."""

from __future__ import annotations

from sonolake.wesr.automatic.placing import onto
from sonolake.wesr.tagged import Finding, parse
from sonolake.wesr.taxonomy import TAGS
from sonolake.wesr.worderrors import word_errors
from sonolake.wesr.writing import tidy, without_tags

MOST_ERRORS = 0.1
"""Word errors per word of the transcript from which on an answer is of something else."""
_HARMLESS = ("alias", "wide_brackets")
_WHY = {
    "unknown_tag": "is none of the marks",
    "unclosed": "is never closed",
    "stray_close": "closes what was not opened",
    "opened_twice": "is opened again before it is closed",
    "empty_span": "has no word inside",
    "crossing": "crosses another one",
    "broken_bracket": "is half a mark",
}


def findings_in(answer: str, transcript: str, most_errors: float = MOST_ERRORS) -> list[str]:
    """What is wrong with an answer, a sentence each, as one would say it to a model; nothing for a good one.

    Args:
        answer: a tagged text.
        transcript: what is said, without tags; without one any words will do.
        most_errors: word errors per word of the transcript that are let pass.
    """
    if not answer.strip():
        return ["the answer is empty"]
    found = [_said(one) for one in parse(answer).findings if one.problem not in _HARMLESS]
    errors = word_errors(transcript, without_tags(answer)) if transcript else None
    if errors is not None and (errors.rate is None or errors.rate > most_errors):
        found.append(
            f"{errors.errors} words differ from the transcript of {errors.words} words: keep its words"
        )
    return found


def _said(one: Finding) -> str:
    more = f" (they are {' '.join(tag.text for tag in TAGS)})" if one.problem == "unknown_tag" else ""
    return f"{one.raw.strip()} {_WHY[one.problem]}{more}"


def accepted(answer: str, transcript: str) -> str:
    """A good answer as the annotation: the transcript as it is written, with the answer's tags."""
    return onto(transcript, answer) if transcript else tidy(answer).strip()
