"""Tagged text as scoring sees it: lower-case words, CJK characters as their reading, tags as written.

This is the tokenisation of the published evaluator, in its order: everything but word characters, white space and the
signs of tags is deleted (``don't`` becomes ``dont``), speaker marks go, then tags, single CJK characters and runs of
Latin letters and digits are taken; other characters vanish. It loses much on purpose; ``tagged.py`` loses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from sonolake.errors import MissingPackage

_DELETED = re.compile(r"[^\w\s\[\]<>/]")
_SPEAKER = re.compile(r"\[S\d+\]")
_TOKEN = re.compile(r"(\[[^\]]+\]|<[^>/]+>|</[^>]+>)|([\u4e00-\u9fff])|([A-Za-z0-9]+)")
_NAME = re.compile(r"^(\[|</?)(.+)([\]>])$", re.DOTALL)


def tokens(text: str, rename: Mapping[str, str] | None = None) -> list[str]:
    """Words and tags in order; a tag keeps its brackets, case and inner blanks.

    Args:
        text: a tagged text.
        rename: new names of tags, such as their aggregates; others keep theirs.
    """
    plain = _SPEAKER.sub("", _DELETED.sub("", text))
    found = []
    for tag, character, word in _TOKEN.findall(plain):
        if tag:
            found.append(_renamed(tag, rename) if rename else tag)
        else:
            found.append(_reading(character) if character else word.lower())
    return found


def is_tag(token: str) -> bool:
    """Whether a token of :func:`tokens` is a tag."""
    return token[0] in "[<"


def _renamed(tag: str, names: Mapping[str, str]) -> str:
    match = _NAME.match(tag)
    return f"{match[1]}{names.get(match[2], match[2])}{match[3]}" if match else tag


@lru_cache(maxsize=30_000)
def _reading(character: str) -> str:
    """The character's one reading in pinyin without tone, read alone, so that homophones are equal."""
    try:
        from pypinyin import lazy_pinyin
    except ImportError as error:
        raise MissingPackage("pypinyin", "scoring of Chinese text", "pip install pypinyin") from error
    return str(lazy_pinyin(character)[0])
