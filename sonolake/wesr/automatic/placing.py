"""Events into a transcript, by the times of its words; and tags of one wording into another."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from sonolake.errors import InvalidInput
from sonolake.wesr.automatic.events import Event
from sonolake.wesr.tagged import Span, parse, words_of
from sonolake.wesr.taxonomy import tag_of
from sonolake.wesr.writing import insert, without_tags

Times = Sequence[tuple[float, float]]
"""Start and end of each word, seconds."""


def placed(text: str, times: Times, events: Sequence[Event]) -> str:
    """A transcript with its events: at the gap nearest to where one is best, or around the words inside it.

    Args:
        text: the transcript, without tags.
        times: of its words, in order.
        events: as :func:`sonolake.wesr.automatic.events.events_in` gives them.

    Raises:
        InvalidInput: for times of other words.
    """
    words = words_of(text)
    if len(times) != len(words):
        raise InvalidInput("times", f"one pair for each of {len(words)} words", len(times))
    points, spans = [], []
    for event in events:
        if tag_of(event.tag).form == "discrete":
            points.append((_gap(times, event.peak_s), event.tag))
        elif inside := [
            n for n, (start, end) in enumerate(times) if event.start_s <= (start + end) / 2 <= event.end_s
        ]:
            spans.append(Span(event.tag, inside[0], inside[-1]))
    return insert(text, list(dict.fromkeys(points)), spans)


def _gap(times: Times, at: float) -> int:
    """The gap whose middle is nearest; the first word's start and the last one's end are the outer two."""
    if not times:
        return 0
    if at <= times[0][0]:
        return 0
    if at >= times[-1][1]:
        return len(times)
    inner = [(end + start) / 2 for (_, end), (start, _) in pairwise(times)]
    middles = [times[0][0], *inner, times[-1][1]]
    return min(range(len(middles)), key=lambda gap: (abs(middles[gap] - at), gap))


def onto(text: str, tagged: str) -> str:
    """The transcript with the tags of a tagged text whose words are nearly the same, each at its place.

    Args:
        text: the transcript, without tags.
        tagged: known, closed tags in words that differ little.
    """
    wanted, found = words_of(text), parse(tagged)
    at = moved([word.lower() for word in found.words], [word.lower() for word in wanted])
    points = [(at[gap], label) for gap, label in found.points]
    ends = [Span(span.label, at[span.first], at[span.last + 1] - 1) for span in found.spans]
    return insert(without_tags(text), points, [span for span in ends if span.first <= span.last])


def moved(words: Sequence[str], others: Sequence[str]) -> list[int]:
    """For each gap between words the gap of the others that it becomes, never falling; as many as words, and one."""
    gaps = [0] * (len(words) + 1)
    for _, a, b, c, d in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        for gap in range(a, b):
            gaps[gap] = c + round((gap - a) * (d - c) / (b - a))
    gaps[len(words)] = len(others)
    return gaps


def times_onto(
    text: str, heard: Sequence[tuple[str, float, float]], end_s: float
) -> list[tuple[float, float]]:
    """Times of the transcript's words from those of words that were heard, which may be others.

    A word that was heard alike has its times; between two such words the rest share the time evenly.

    Args:
        text: the transcript, without tags.
        heard: words with start and end, seconds, in order; one may hold several words of the transcript's kind.
        end_s: length of the recording.
    """
    words = [word.lower() for word in words_of(text)]
    parts = [(part.lower(), start, end) for word, start, end in heard for part in words_of(word)]
    known: dict[int, tuple[float, float]] = {}
    matcher = SequenceMatcher(None, [part for part, *_ in parts], words, autojunk=False)
    for a, b, size in matcher.get_matching_blocks():
        known |= {b + n: (parts[a + n][1], parts[a + n][2]) for n in range(size)}
    anchors = [(-1, (0.0, 0.0)), *sorted(known.items()), (len(words), (end_s, end_s))]
    times: list[tuple[float, float]] = []
    for (last, (_, left)), (this, span) in pairwise(anchors):
        count = this - last - 1
        step = max(0.0, span[0] - left) / max(1, count)
        times += [(left + n * step, left + (n + 1) * step) for n in range(count)]
        times += [span] if this < len(words) else []
    return times
