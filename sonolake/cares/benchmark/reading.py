"""Answers as models give them: what was chosen, or None when that cannot be told (protocol, section 2.6)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from sonolake.cares.records import REACTIONS

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|$)", re.DOTALL | re.IGNORECASE)
_OBJECT = re.compile(r"\{[^{}]*\}", re.DOTALL)
_EDGES = " \t\r\n\"'`*_.,:;!?()[]{}<>“”‘’-"


def read_option(text: str, options: Sequence[str]) -> str | None:
    """The option that a text answers.

    Thinking blocks are left out. Then, in this order: a value of a JSON object that is an option; the text itself,
    marks around it left out; the only option that the text contains. Capitals do not count.
    """
    plain = _THINKING.sub(" ", text).strip()
    known = {_folded(option): option for option in options}
    for value in _values(plain):
        if _folded(value) in known:
            return known[_folded(value)]
    if _folded(plain) in known:
        return known[_folded(plain)]
    within = _folded(plain)
    found = [option for folded, option in known.items() if _contains(within, folded)]
    longest = [o for o in found if not any(o != p and _contains(_folded(p), _folded(o)) for p in found)]
    return longest[0] if len(longest) == 1 else None


def read_reaction(text: str) -> str | None:
    """The reaction that a text answers: as :func:`read_option`, one of the four words."""
    return read_option(text, REACTIONS)


def _values(text: str) -> list[str]:
    """Text values of JSON objects anywhere in ``text``, the last object first; loose quotes are put right."""
    found: list[str] = []
    for match in reversed(list(_OBJECT.finditer(text))):
        data = _loaded(match.group(0))
        if isinstance(data, dict):
            found += [value for value in data.values() if isinstance(value, str)]
    return found


def _loaded(text: str) -> Any:
    for attempt in (text, text.replace("'", '"'), re.sub(r"([{,]\s*)(\w+)\s*:", r'\1"\2":', text)):
        try:
            return json.loads(attempt)
        except json.JSONDecodeError:
            continue
    return None


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").strip(_EDGES).split())


def _contains(text: str, part: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text))
