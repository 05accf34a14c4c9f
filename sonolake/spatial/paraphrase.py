"""Questions in other words, by a chat model; what does not ask the same any more is not taken.

RMS-AQA, section 2.1, has a second model paraphrase the questions. Only the question's sentence is put anew: options,
claims and answer stay. A sentence is taken when it is one question with the same numbers, names what the question names
and nothing more of what the options name, and still has the words that turn its meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from sonolake.errors import ItemRefused
from sonolake.ids import rng_of
from sonolake.models.chat import Ask, Asker, Message
from sonolake.spatial.draft import shown
from sonolake.spatial.records import Question
from sonolake.spatial.sectors import SECTORS

_SYSTEM = (
    "Say this question about a recording in other words. It must ask exactly the same, and keep all names of sounds, "
    "directions and numbers as they are written. Answer with the question alone, in one or two sentences."
)
_MANNERS = (
    "Write as one would ask a friend.",
    "Write as in an exam.",
    "Write as briefly as you can.",
    "Turn the order of the sentence around.",
    "Use other verbs.",
    "Write as one who just heard the recording.",
)
"""Drawn for each clip, so that questions of one wording do not all become the same one."""
LONGEST = 240
"""Characters of a question at most."""
_NEAR, _FAR = r"near|clos|short", r"far|furth|distan|remot|long"
_FIRST, _LAST = r"first|earli|before|open", r"last|latest|after|newest|most recent|final"
_BEGIN, _END = r"begin|start|onset|set in|first", r"end|stop|ceas|over|offset|finish|last"
_NOT = r"\bnot\b|n't\b|\bleast\b|\bless\b|\bnever\b"
_MUST: Mapping[str, tuple[str, str]] = {
    "audible": (r"sound|hear|audible", _NOT),
    "count_events": (r"event|occurrence|altogether|in all|total|overall", rf"kind|type|class|differ|{_NOT}"),
    "count_classes": (r"kind|type|class|differ|distinct|unique", r"\bleast\b|\bless\b|same time|at once"),
    "count_repeats": (r"how (?:many|often|frequent)|number|count", _NOT),
    "count_simultaneous": (r"same time|at once|simultan|overlap|together|concurrent", _NOT),
    "sector_of": (r"direction|where|side", _NOT),
    "event_at": (r"what|which", _NOT),
    "onset": (_BEGIN, rf"\bend|stop|ceas|offset|finish|{_NOT}"),
    "offset": (_END, rf"begin|start|onset|{_NOT}"),
    "duration": (
        r"long|duration|length|how many seconds|how much time",
        rf"after how|appear|first|when|{_NOT}",
    ),
    "nearer": (_NEAR, rf"{_FAR}|{_NOT}"),
    "farther": (_FAR, rf"{_NEAR}|{_NOT}"),
    "relation": (r"time|temporal|when|order|relat|overlap", _NOT),
    "first": (_FIRST, rf"{_LAST}|{_NOT}"),
    "last": (_LAST, rf"\bfirst|earli|before|{_NOT}"),
    "step_first": (_FIRST, rf"{_LAST}|{_NOT}"),
    "step_last": (_LAST, rf"\bfirst|earli|before|{_NOT}"),
}
"""What a sentence of a kind has to have, and what it may not have."""
_NUMBERS = re.compile(
    r"\d+(?:[.,]\d+)?|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE
)


def paraphrased(question: Question, asker: Asker) -> Question:
    """The question in other words.

    Raises:
        ItemRefused: ``other_question`` when the answer does not ask the same.
        LimitReached, Refused, Unreachable: as the model says.
    """
    manner = _MANNERS[int(rng_of(question.clip_id, f"manner:{question.kind}").integers(len(_MANNERS)))]
    said = asker.ask(Ask(f"{_SYSTEM} {manner}", (Message("user", question.question),), max_tokens=120)).text
    text = " ".join(said.split()).strip('"“”')
    if why := what_is_lost(question, text):
        raise ItemRefused("other_question", f"{question.question!r} became {text[:LONGEST]!r}: {why}")
    return replace(question, question=text)


def what_is_lost(question: Question, text: str) -> str:
    """Why ``text`` does not ask what the question asks; empty when it does."""
    must, never = _MUST[question.kind]
    if not text.endswith("?") or text.count("?") > 1 or len(text) > LONGEST:
        return "it is not one question"
    if _numbers(text) != _numbers(question.question):
        return "its numbers are others"
    named = [shown(value) for _, value in question.arguments]
    if lacking := [name for name in named if not _says(text, name)]:
        return f"it does not name {', '.join(lacking)}"
    bare = _without(text, named)
    if foreign := [name for name in _option_names(question) if name not in named and _says(bare, name)]:
        return f"it names {', '.join(foreign)}"
    if not re.search(must, bare, re.IGNORECASE) or re.search(never, bare, re.IGNORECASE):
        return "the words that turn its meaning are others"
    return ""


def _numbers(text: str) -> Counter[str]:
    """How often each number occurs; ``one`` and ``two`` stand for things as often as for numbers, and do not count."""
    found = (number.lower().replace(",", ".") for number in _NUMBERS.findall(text))
    return Counter(number for number in found if number not in ("one", "two"))


def _option_names(question: Question) -> list[str]:
    """Sounds and directions that the options claim."""
    parts = [part for value in question.values for part in re.split(r"[|;,]", value)]
    return sorted({shown(part) for part in parts if re.search(r"[a-z]{3}", part)} | set(SECTORS))


def _says(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None


def _without(text: str, names: list[str]) -> str:
    """A sentence without the names in it, whose words decide nothing."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", text, flags=re.IGNORECASE)
    return text
