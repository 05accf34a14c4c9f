"""The published evaluator, its defects included, for figures that are to be compared with those of others.

What it does otherwise than the paper says:

- A word that is deleted leaves an empty place behind, while the offset of what follows is lowered as if it did not: all
  later edits of that utterance act as many places too far left as words were deleted. Tags can move and vanish.
- Tags may move between repeated words even where all words are right.
- The last word of a span of two or more is left out.
- Utterances without a prediction are left out.
- Two more names, chortle and sniff, belong to aggregates.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from sonolake.wesr.align import replaced
from sonolake.wesr.scoretext import is_tag

EXTRA_AGGREGATES = {"chortle": "LAUGH", "sniff": "BREATHING"}
"""Names outside the 21 that the published evaluator aggregates."""


def align(hypothesis: Sequence[str], reference: Sequence[str]) -> list[str]:
    """The hypothesis's tokens as the published evaluator aligns them; words may differ from the reference's."""
    words = [token for token in reference if not is_tag(token)]
    places = list(hypothesis)
    offset = 0
    for operation, a, b, c, d in SequenceMatcher(None, hypothesis, words).get_opcodes():
        start = a + offset
        segment = hypothesis[a:b]
        if operation == "insert" or (operation == "replace" and len(segment) == 1 and is_tag(segment[0])):
            places[start:start] = words[c:d]
            offset += d - c
        elif operation == "delete":
            deleted = [i for i, token in enumerate(segment) if not is_tag(token)]
            for i in deleted:
                places[start + i] = ""
            offset -= len(deleted)
        elif operation == "replace":
            made = replaced(segment, words[c:d])
            places[start : b + offset] = made
            offset += len(made) - (b - a)
    return [token for token in places if token]
