"""What an annotator has done to a transcript so far: events at gaps and spans over words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.wesr.tagged import Span, parse
from sonolake.wesr.writing import insert, without_tags


@dataclass(frozen=True)
class Marks:
    """Events on a transcript.

    Attributes:
        points: (gap, discrete tag) pairs; gap i is before word i.
        spans: continuous tags over words.
    """

    points: tuple[tuple[int, str], ...] = ()
    spans: tuple[Span, ...] = ()

    def on(self, text: str) -> str:
        """The tagged text.

        Raises:
            InvalidInput: for a tag or place that the transcript does not have.
        """
        return insert(text, self.points, self.spans)

    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "points": [[gap, name] for gap, name in self.points],
            "spans": [[span.label, span.first, span.last] for span in self.spans],
        }


NO_MARKS = Marks()


def marks_of(value: Mapping[str, Any]) -> Marks:
    """Marks from JSON, each once and in order.

    Raises:
        InvalidInput: for anything that is not a list of points and a list of spans.
    """
    try:
        points = {(int(gap), str(name)) for gap, name in value["points"]}
        spans = {Span(str(label), int(first), int(last)) for label, first, last in value["spans"]}
    except (KeyError, TypeError, ValueError):
        raise InvalidInput(
            "marks", "points [[gap, tag], …] and spans [[tag, first, last], …]", value
        ) from None
    return Marks(tuple(sorted(points)), tuple(sorted(spans, key=lambda s: (s.first, s.last, s.label))))


def marks_in(tagged: str, transcript: str) -> Marks:
    """The marks of a tagged text over a transcript of the same words.

    Raises:
        InvalidInput: when the words differ, or a tag is unknown, half, unclosed or stray.
    """
    found = parse(tagged)
    harmless = {"alias", "wide_brackets", "crossing"}
    odd = [finding for finding in found.findings if finding.problem not in harmless]
    if odd:
        raise InvalidInput("tagged text", "whole tags of the taxonomy", odd[0].raw, odd[0].problem)
    if found.words != parse(transcript).words:
        raise InvalidInput("tagged text", f"the words of {transcript!r}", without_tags(tagged))
    return Marks(tuple(sorted(set(found.points))), found.spans)
