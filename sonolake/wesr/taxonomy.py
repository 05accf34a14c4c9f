"""The 21 vocal events of WESR, their seven aggregates, and the other names they go by.

Source: WESR, supplementary tables 7 (explanations) and 10 (aggregates).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from sonolake.errors import InvalidInput

VERSION = "1"
"""Version of this table; a change of tags or aliases raises it."""

Form = Literal["discrete", "continuous"]
"""``[x]`` at a point between words, or ``<x>…</x>`` around the words that it colours."""


@dataclass(frozen=True)
class Tag:
    """One vocal event.

    Attributes:
        name: as written inside the brackets.
        form: ``discrete`` or ``continuous``.
        aggregate: the broader category.
        meaning: one line for an annotator.
    """

    name: str
    form: Form
    aggregate: str
    meaning: str

    @property
    def text(self) -> str:
        """The tag as it opens in text: ``[laughs]``, ``<laughing>``."""
        return f"[{self.name}]" if self.form == "discrete" else f"<{self.name}>"

    @property
    def closing(self) -> str:
        """The tag as it closes in text, ``</laughing>``; empty for a discrete one."""
        return "" if self.form == "discrete" else f"</{self.name}>"


TAGS: tuple[Tag, ...] = (
    Tag("laughs", "discrete", "LAUGH", "laughter"),
    Tag("chuckle", "discrete", "LAUGH", "a quiet laugh"),
    Tag("giggle", "discrete", "LAUGH", "a light, high-pitched laugh"),
    Tag("crowd_laughter", "discrete", "LAUGH", "several people laughing"),
    Tag("cry", "discrete", "CRYING", "audible crying"),
    Tag("sobbing", "discrete", "CRYING", "intermittent sobs"),
    Tag("cough", "discrete", "COUGH", "a cough"),
    Tag("clear_throat", "discrete", "COUGH", "clearing of the throat"),
    Tag("scream", "discrete", "SHOUT", "a loud, high-pitched cry"),
    Tag("roar", "discrete", "SHOUT", "a loud, rumbling cry"),
    Tag("shout", "discrete", "SHOUT", "a loud call"),
    Tag("breathing", "discrete", "BREATHING", "breathing or panting"),
    Tag("inhale", "discrete", "BREATHING", "an audible breath in"),
    Tag("exhale", "discrete", "BREATHING", "an audible breath out"),
    Tag("sigh", "discrete", "BREATHING", "a sigh"),
    Tag("laughing", "continuous", "LAUGH", "speaking while laughing"),
    Tag("crying", "continuous", "CRYING", "speaking while crying, in a tearful voice"),
    Tag("shouting", "continuous", "SHOUT", "speaking while shouting"),
    Tag("panting", "continuous", "BREATHING", "speaking while breathing heavily"),
    Tag("whispering", "continuous", "WHISPERING", "speaking in a whisper"),
    Tag("singing", "continuous", "SINGING", "singing"),
)
"""Fifteen discrete and six continuous tags."""

BY_NAME: Mapping[str, Tag] = MappingProxyType({tag.name: tag for tag in TAGS})
AGGREGATES: tuple[str, ...] = ("LAUGH", "SHOUT", "WHISPERING", "SINGING", "BREATHING", "COUGH", "CRYING")
"""The broader categories, in the order of table 10."""

ALIASES: Mapping[tuple[str, Form], str] = MappingProxyType(
    {
        ("crying", "discrete"): "cry",
        ("laugh", "discrete"): "laughs",
        ("laughter", "discrete"): "laughs",
        ("chuckles", "discrete"): "chuckle",
        ("giggles", "discrete"): "giggle",
        ("sob", "discrete"): "sobbing",
        ("sobs", "discrete"): "sobbing",
        ("coughs", "discrete"): "cough",
        ("coughing", "discrete"): "cough",
        ("clearthroat", "discrete"): "clear_throat",
        ("throat_clearing", "discrete"): "clear_throat",
        ("screams", "discrete"): "scream",
        ("sighs", "discrete"): "sigh",
        ("breath", "discrete"): "breathing",
        ("whisper", "continuous"): "whispering",
        ("pant", "continuous"): "panting",
        ("shout", "continuous"): "shouting",
        ("sing", "continuous"): "singing",
        ("cry", "continuous"): "crying",
    }
)
"""Other spellings, by the form they are written in: ``[crying]`` of the paper's prompt is the taxonomy's ``[cry]``."""


def folded(name: str) -> str:
    """A name in lower case and plain width (NFKC), with blanks and hyphens as underscores."""
    return re.sub(r"[\s\-_]+", "_", unicodedata.normalize("NFKC", name).strip()).lower()


def resolve(name: str, form: Form) -> Tag | None:
    """The tag that a written name means in a form, exactly, folded or by alias; None for an unknown one.

    A known name in the wrong form (``<laughs>``) is unknown here: it stands for something else.
    """
    key = folded(name)
    tag = BY_NAME.get(ALIASES.get((key, form), key))
    return tag if tag and tag.form == form else None


def tag_of(name: str) -> Tag:
    """The tag of a name exactly as in the table.

    Raises:
        InvalidInput: for any other name.
    """
    if name not in BY_NAME:
        raise InvalidInput("tag", f"one of {', '.join(BY_NAME)}", name)
    return BY_NAME[name]
