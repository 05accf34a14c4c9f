"""Event-preserving alignment: a hypothesis gets the reference's words and keeps its own tags (WESR, algorithm 1).

``SequenceMatcher`` is used as it comes, autojunk included, as the paper names it: from 200 reference words on, items
that make up more than one per cent of them are not matched on. Where the words are equal already nothing is aligned:
the matcher, which looks for long runs, would move tags between repeated words (``one [laughs] one one``).

Two properties hold for every pair and are tested: without its tags the result is the reference's words, and its tags
are those of the hypothesis, in number and kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from sonolake.wesr.scoretext import is_tag


def align(hypothesis: Sequence[str], reference: Sequence[str]) -> list[str]:
    """The hypothesis's tokens with the words of the reference.

    Args:
        hypothesis: words and tags.
        reference: words and tags; the tags are not looked at.
    """
    words = [token for token in reference if not is_tag(token)]
    if [token for token in hypothesis if not is_tag(token)] == words:
        return list(hypothesis)
    aligned: list[str] = []
    for operation, a, b, c, d in SequenceMatcher(None, hypothesis, words).get_opcodes():
        if operation == "equal":
            aligned += hypothesis[a:b]
        elif operation == "insert":
            aligned += words[c:d]
        elif operation == "delete":
            aligned += [token for token in hypothesis[a:b] if is_tag(token)]
        else:
            aligned += replaced(hypothesis[a:b], words[c:d])
    return aligned


def replaced(segment: Sequence[str], words: Sequence[str]) -> list[str]:
    """The new words with the segment's tags at the most similar places.

    A tag follows the word most like its left neighbour; a tag that opens a longer segment precedes the one most like
    its right neighbour; a lone tag follows all words. Neighbours and candidates may be tags that were placed before.
    """
    if len(segment) == 1 and is_tag(segment[0]):
        return [*words, segment[0]]
    made = list(words)
    for index, token in enumerate(segment):
        if is_tag(token):
            neighbour = segment[index - 1] if index else segment[1]
            place = _most_similar(neighbour, made[: len(words)])
            made.insert(place + bool(index), token)
    return made


def _most_similar(item: str, candidates: Sequence[str]) -> int:
    """The first candidate with the greatest ratio of matching characters."""
    ratios = [SequenceMatcher(None, item, candidate).ratio() for candidate in candidates]
    return ratios.index(max(ratios))
