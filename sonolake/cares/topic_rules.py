"""Rules about the topic of a scenario: what two adults discuss, never a scene to be enacted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sonolake.cares.findings import Finding

WORDS = (4, 60)
"""Fewest and most words that are accepted; 6 to 30 are asked for."""
_ENACTED = re.compile(r"[\"“”\n]|^\s*[AB]\s*:")


def topic_findings(topic: str) -> Iterator[Finding]:
    """Findings about a topic."""
    words = len(topic.split())
    if words < WORDS[0]:
        yield Finding("topic_too_short", f"{words} words, at least {WORDS[0]} are needed")
    if words > WORDS[1]:
        yield Finding("topic_too_long", f"{words} words, at most {WORDS[1]} are allowed")
    if match := _ENACTED.search(topic):
        yield Finding("topic_enacted", f"{match.group(0)!r} belongs to a dialogue, not to a topic")
