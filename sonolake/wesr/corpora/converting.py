"""A corpus's text with the tags of the taxonomy, or why the utterance is left out.

Tags stay where they stand. A tag outside the taxonomy leaves the utterance out, and so does one that the corpus's table
does not know; both are counted by name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sonolake.wesr.corpora.tables import DROP, STRIP, Corpus, Form
from sonolake.wesr.tagged import parse
from sonolake.wesr.taxonomy import folded, tag_of

_OVERLAP = re.compile(r"</?\s*[Bb]\s*>")
_JOINERS = re.compile("[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]")
_GONE = "\ue000"
"""Stands where a tag became nothing; of the private use area, and taken out of texts before."""
_AROUND = re.compile(rf"\s*(?:{_GONE}\s*)+")
_FORMS: Mapping[Form, str] = {
    "brackets": r"[\[［【](?P<brackets>[^\[\]［］【】]+)[\]］】]",
    "parentheses": r"[(（](?P<parentheses>[A-Za-z][A-Za-z _-]*)[)）]",
    "angles": r"<(?![Bb]\s*>)(?P<angles>[A-Za-z][A-Za-z _-]*)>",
    "emoji": "(?P<emoji>[\u2600-\u27bf\U0001f000-\U0001faff])",
}


@dataclass(frozen=True)
class Choices:
    """What may be done otherwise than dropping.

    Attributes:
        interjections_as_words: take interjections that a corpus marks as tags as words of the transcript.
        gasp_as_inhale: take a gasp as ``[inhale]``.
    """

    interjections_as_words: bool = False
    gasp_as_inhale: bool = False


@dataclass(frozen=True)
class Converted:
    """What became of a text.

    Attributes:
        text: in the tags of the taxonomy; empty when the utterance is left out.
        reason: why it is left out (``dropped_tag``, ``unknown_tag``, ``overlapping_event``, ``broken_text``), or empty.
        detail: one sentence for a person.
        found: how often each of their tags stands in the text, with what becomes of it: a tag, ``DROP``, ``STRIP``, a
            word, or empty for an unknown one.
    """

    text: str
    reason: str = ""
    detail: str = ""
    found: Mapping[tuple[str, str], int] = field(default_factory=Counter)


AS_THE_PAPER = Choices()


def convert(text: str, corpus: Corpus, choices: Choices = AS_THE_PAPER) -> Converted:
    """Convert one text of a corpus.

    Args:
        text: as the corpus has it.
        corpus: whose it is.
        choices: what to do with some tags.
    """
    plain = unicodedata.normalize("NFC", text).replace(_GONE, "")
    if "emoji" in corpus.forms:
        plain = _JOINERS.sub("", plain)
    found: Counter[tuple[str, str]] = Counter()
    made = _replaced(plain, corpus, lambda name: _target(name, corpus, choices, found))
    reason, detail = _fault(plain, made, found)
    return Converted("" if reason else made, reason, detail, found)


def _target(name: str, corpus: Corpus, choices: Choices, found: Counter[tuple[str, str]]) -> str:
    """What stands in a tag's place; counted."""
    theirs = name if name in corpus.tags else folded(name)
    target = corpus.tags.get(theirs, "")
    if choices.gasp_as_inhale and theirs == "gasp" and target:
        target = "inhale"
    if choices.interjections_as_words:
        target = corpus.words.get(theirs, target)
    found[theirs, target] += 1
    if target in ("", DROP, STRIP):
        return ""
    return target if target in corpus.words.values() else tag_of(target).text


def _replaced(text: str, corpus: Corpus, target: Callable[[str], str]) -> str:
    """The text with its tags replaced; one that becomes nothing takes all blanks around it but one along."""

    def replacement(match: re.Match[str]) -> str:
        name = match[str(match.lastgroup)].strip()
        if match.lastgroup == "parentheses" and folded(name) not in corpus.tags:
            return match.group()
        return target(name) or _GONE

    marked = re.sub("|".join(_FORMS[form] for form in corpus.forms), replacement, text)
    return _AROUND.sub(lambda match: " " if match.group().strip(_GONE) else "", marked).strip()


def _fault(plain: str, made: str, found: Mapping[tuple[str, str], int]) -> tuple[str, str]:
    if _OVERLAP.search(plain):
        return (
            "overlapping_event",
            "marks words under a sound with <B>…</B>, which the taxonomy has no tag for",
        )
    unknown = sorted({theirs for theirs, target in found if not target})
    if unknown:
        return "unknown_tag", f"tags that the corpus's table does not have: {', '.join(unknown)}"
    dropped = sorted({theirs for theirs, target in found if target == DROP})
    if dropped:
        return "dropped_tag", f"tags outside the taxonomy: {', '.join(dropped)}"
    findings = parse(made).findings
    if findings:
        return "broken_text", f"{findings[0].problem}: {findings[0].raw!r}"
    return "", ""
