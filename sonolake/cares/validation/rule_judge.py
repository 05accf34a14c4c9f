"""The embedded judge: a reader made of rules, without a model.

It shares no code, bank or word list with the writer or the checker: what it knows is in this file, and it is about
English talk in general. Repair is what conversation analysis calls so: a speaker cuts off and begins anew, or asks for
what was said (Schegloff, Jefferson and Sacks 1977; Drew 1997). Pointing is a "that" which joins no clauses and stands
before words that were not said before. It is a rough reader; a chat model or people read better.
"""

from __future__ import annotations

import re

from sonolake.cares.validation.judges import Reading
from sonolake.cares.validation.rated import Transcript

_CUT_OFF = re.compile(r"\.\.\.|…")
_VOICE = re.compile(r"\[(?:loud\w*|firm\w*|quiet\w*|soft\w*|rais\w*|lower\w*)\]", re.IGNORECASE)
_REPAIR = re.compile(
    r"\b(?:(?:where|what) (?:was|were) (?:i|we)\b|lost (?:the|my) \w+|(?:say|said) (?:that|it) (?:again|once)"
    r"|come again|once more|pardon|missed (?:that|the|what)|did(?:n't| not) (?:get|catch|hear)"
    r"|only (?:got|caught|heard)|what was that)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"(?:^|(?P<before>[\w']+)(?P<mark>[,.?!])?\s+)that (?P<what>(?:[\w'-]+ ?){1,2})", re.IGNORECASE
)
_LEADING = (
    "about above after against around at behind below beside by for from in into near of off on onto over past through "
    "to under up with without hear heard is was what's there's and or but oh then again just only if comes goes notice "
    "noticed stand miss have like love hate mind"
)
_LEADS = frozenset(_LEADING.split())
"""Words between which and a thing a "that" points; after other words it joins clauses."""
_NO_THING = (
    "a all alone an and another anybody anyone as at bridge can can't case could did do does doesn't everybody "
    "everyone for from goes had has he he'd he's helps her his how i i'd i'll i'm i've if in is isn't it it'd it'll "
    "it's last long makes many may means might mine much must my next no nobody now of often on one ones only or our "
    "part people person same seven settles she she'd she's should simple since so somebody someone sort tells the "
    "their then there there's these they they'd they'll they're they've thing this those time to too two very was "
    "wasn't way we we'd we'll we're we've were what when who will with won't would wouldn't year you you'd you'll "
    "you're you've your"
)
_NO_THINGS = frozenset(_NO_THING.split())
"""Words after a "that" which stands alone or begins a clause."""
_SENSES = re.compile(
    r"\b(?:hear|hears|hearing|heard|listen\w*|sound\w*|nois\w*|loud|volume|racket|din|ring\w*|bang\w*|bleep\w*|humming"
    r"|buzz\w*|squeal\w*|rattl\w*|roar\w*|clatter\w*|click\w*|whirr\w*|thud\w*|crash\w*)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z']{4,}")
_EVERYDAY = (
    "that this with have what would could about there they from your just like then when been were will than them "
    "that's it's i'd you'd don't didn't into some more most much very only still after before over because which "
    "think know want said says tell told make made come comes going good right well back time really being round down "
    "someone something somebody"
)
_COMMON = frozenset(_EVERYDAY.split())
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_NEAR = 2
"""Of the three utterances after a reaction, how many a pivot holds."""


class RuleJudge:
    """Pivot, verbal, behavioral, ambient are tried in this order."""

    name = "embedded rules (no model)"
    quotes = True

    def read(self, transcript: Transcript) -> Reading:
        """Topic: how the talk opens and ends. Reaction: by what is new in the utterances after each sound."""
        texts = [text for _, text in transcript.utterances]
        found = {s.event: self._reaction(texts, s.before, s.name) for s in transcript.sounds}
        return Reading(" ".join(_opening(text) for text in (texts[0], *texts[1:][-2:])), found)

    def wrote(self, writer: str) -> bool:
        """Never: it writes nothing, and shares nothing with who does."""
        return False

    def _reaction(self, texts: list[str], at: int, name: str) -> str:
        if self._refers(texts, at, name):
            after = [self._on_sound(texts, at, i, name) for i in range(at + 1, min(len(texts), at + 4))]
            return "pivot" if sum(after) >= _NEAR else "verbal"
        opening = _opening(texts[at])
        broken = _CUT_OFF.search(opening) or _VOICE.search(opening) or _REPAIR.search(texts[at])
        return "behavioral" if broken else "ambient"

    def _refers(self, texts: list[str], at: int, name: str) -> bool:
        """Something is pointed at, or spoken of as heard, that was not spoken of before."""
        head = _REPAIR.sub(" ", " ".join(_SENTENCE.split(texts[at])[:2]))
        before = " ".join(texts[:at]).lower()
        if any(match.group(0).lower() not in before for match in _SENSES.finditer(head)):
            return True
        if _content(name.lower().split()) & _content(head.lower().split()) - set(_WORD.findall(before)):
            return True
        return _points(head, before)

    def _on_sound(self, texts: list[str], at: int, index: int, name: str) -> bool:
        """Whether an utterance goes on about what the first words after the sound brought up."""
        own, before = _content(texts[index].lower().split()), " ".join(texts[:at]).lower()
        raised = _content(f"{_opening(texts[at])} {name}".lower().split()) - _content(before.split())
        return bool(own & raised or _SENSES.search(texts[index]) or _points(texts[index], before))


def _opening(text: str) -> str:
    """The first sentence, with what follows a cut-off inside it."""
    return _SENTENCE.split(text, maxsplit=1)[0]


def _points(text: str, before: str) -> bool:
    """Whether "that ..." points at something which was not spoken of before."""
    for match in _POINTS.finditer(text):
        joins = not match["mark"] and match["before"] and match["before"].lower() not in _LEADS
        first = match["what"].split()[0].lower()
        words = _content(match["what"].lower().split())
        if not joins and first not in _NO_THINGS and words and not words & set(before.split()):
            return True
    return False


def _content(words: list[str]) -> set[str]:
    plain = {word.strip(".,?!…\"'") for word in words}
    return {word for word in plain if len(word) >= 4 and word not in _COMMON}
