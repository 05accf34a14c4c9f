"""What is spoken of an utterance, and what its marks become in the audio.

An utterance's text holds words, inline tags ``[quietly]`` and ellipses. A voice speaks :func:`spoken_text`, an
aligner is given :func:`spoken_words`; the mix then makes a gap of each ellipsis, a silence of each pause or vocal
tag, and a change of level over the phrase that follows each delivery tag.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sonolake.cares.banks import Tag
from sonolake.cares.recipe import DeliverySpec, PauseSpec
from sonolake.cares.vocabulary import ELLIPSIS, TAG
from sonolake.errors import InvalidInput

_TOKEN = re.compile(r"\[[^\]\[]*\]|…|\.\.\.|[^\W_]+(?:['’][^\W_]+)*|[.,?!]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def spoken_text(text: str) -> str:
    """The words and punctuation for a voice: no tags, a comma for an ellipsis."""
    plain = ELLIPSIS.sub(", ", TAG.sub(" ", text))
    plain = re.sub(r"\s+", " ", plain).strip()
    return re.sub(r"\s+([.,?!])", r"\1", re.sub(r"[,\s]+,", ",", plain)).lstrip(", ")


def spoken_words(text: str) -> tuple[str, ...]:
    """The words of :func:`spoken_text`, as an aligner takes them."""
    return tuple(_WORD.findall(TAG.sub(" ", text)))


def marks(text: str, tags: Mapping[str, Tag]) -> tuple[tuple[PauseSpec, ...], tuple[DeliverySpec, ...]]:
    """Pauses and deliveries of an utterance, by the index of a word.

    A delivery lasts until the next punctuation mark or the end. An ellipsis before the first or after the last word
    makes no pause of its own: the turn's boundary has one.

    Raises:
        InvalidInput: for a tag that is in no bank.
    """
    pauses: list[PauseSpec] = []
    deliveries: list[DeliverySpec] = []
    words, begun = 0, None
    for token in [*_TOKEN.findall(text), "."]:
        if _WORD.fullmatch(token):
            words += 1
            continue
        if begun is not None and words > begun[0]:
            deliveries.append(DeliverySpec(begun[0], words - 1, begun[1]))
            begun = None
        if ELLIPSIS.fullmatch(token):
            pauses.append(PauseSpec(words, None))
        elif TAG.fullmatch(token):
            tag = _known(token[1:-1], tags)
            if tag.becomes != "delivery":
                pauses.append(PauseSpec(words, tag.pause_s))
            else:
                begun = (words, tag.gain_db)
    inside = {p.word: p for p in pauses if 0 < p.word < words}
    return tuple(inside.values()), tuple(deliveries)


def _known(name: str, tags: Mapping[str, Tag]) -> Tag:
    if name not in tags:
        raise InvalidInput("tag", f"one of {sorted(tags)}", name)
    return tags[name]
