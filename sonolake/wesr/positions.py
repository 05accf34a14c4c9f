"""Where tags are: word i is position 2i + 1, the gap before it 2i (WESR, section 4.4, step 2).

Odd tags are read as the published evaluator reads them: a second ``<x>`` while x is open closes it; a ``</x>`` without
one is a point event; an ``<x>`` that is never closed marks the next word alone; an angle tag whose name does not
begin with a Latin letter or holds a blank counts as a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Positions = dict[str, set[int]]
"""Positions of each tag's name."""

_ANGLE = re.compile(r"^</?[A-Za-z]\S*>$")


def positions(tokens: Iterable[str], whole_spans: bool = True) -> tuple[Positions, int]:
    """Positions of every tag, and how many tags were unclosed, stray or opened twice.

    Args:
        tokens: words and tags of one utterance.
        whole_spans: whether a span covers its last word (the paper) or, of two or more, all but it (as published).
    """
    found: Positions = {}
    opened: dict[str, int] = {}
    words = odd = 0
    for token in tokens:
        if token[0] == "[":
            found.setdefault(token[1:-1], set()).add(2 * words)
        elif not _ANGLE.match(token):
            words += 1
        else:
            closes = token.startswith("</")
            name = token[2:-1] if closes else token[1:-1]
            if name in opened:
                odd += not closes
                first = opened.pop(name)
                if first < words:
                    last = words if whole_spans else max(first + 1, words - 1)
                    found.setdefault(name, set()).update(range(2 * first + 1, 2 * last, 2))
            elif closes:
                odd += 1
                found.setdefault(name, set()).add(2 * words)
            else:
                opened[name] = words
    for name, first in opened.items():
        odd += 1
        found.setdefault(name, set()).add(2 * first + 1)
    return found, odd
