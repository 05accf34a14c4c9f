"""Rules about the tag of a voice-only register."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sonolake.cares.findings import Finding
from sonolake.cares.vocabulary import ELLIPSIS, TAG

_WORD = re.compile(r"[\w']+")


def delivery_findings(text: str, opening: str, tags: tuple[str, ...], at: int) -> Iterator[Finding]:
    """Findings about the first of ``tags`` in the utterance ``text``, whose first sentence is ``opening``."""
    match = next((m for m in TAG.finditer(text) if m.group(1) in tags), None)
    if match is None or match.start() > len(opening):
        yield Finding("delivery_missing", f"the first sentence needs one of {list(tags)} inside a phrase", at)
        return
    name = match.group(1)
    left, right = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    if not _WORD.search(left) or not _WORD.search(right):
        yield Finding("delivery_at_edge", f"[{name}] begins or ends the utterance", at)
        return
    if left[-1] in ".?!" or ELLIPSIS.search(left[-3:]):
        yield Finding("delivery_after_end", f"[{name}] follows the end of a sentence", at)
    words = _WORD.findall(left)[-1], _WORD.findall(right)[0]
    if words[0].lower() == words[1].lower():
        yield Finding("delivery_repeats", f"{words[0]!r} stands on both sides of [{name}]", at)
