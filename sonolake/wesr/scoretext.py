"""Tagged text as scoring sees it: lower-case words, CJK characters as their reading, tags as written.

This is the tokenisation of the published evaluator, in its order: everything but word characters, white space and the
signs of tags is deleted (``don't`` becomes ``dont``), speaker marks go, then tags, single CJK characters and runs of
Latin letters and digits are taken; other characters vanish. It loses much on purpose; ``tagged.py`` loses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sonolake.errors import MissingPackage
from sonolake.wesr.taxonomy import resolve

_DELETED = re.compile(r"[^\w\s\[\]<>/]")
_SPEAKER = re.compile(r"\[S\d+\]")
_TOKEN = re.compile(r"(\[[^\]]+\]|<[^>/]+>|</[^>]+>)|([\u4e00-\u9fff])|([A-Za-z0-9]+)")
_TAG = re.compile(r"\[[^\]]+\]|</?[^>/]+>")
_NAME = re.compile(r"^(\[|</?)(.+)([\]>])$", re.DOTALL)


@dataclass(frozen=True)
class Options:
    """Where a text may be read otherwise than the published evaluator does.

    Attributes:
        exact_characters: CJK characters stay themselves, so that homophones differ.
        split_words: punctuation parts words: ``well-known`` is two.
        fold_names: tags go by the taxonomy's names, ``[Clear-Throat]`` and ``[laugh]`` included.
    """

    exact_characters: bool = False
    split_words: bool = False
    fold_names: bool = False


AS_PUBLISHED = Options()


def tokens(text: str, options: Options = AS_PUBLISHED) -> list[str]:
    """Words and tags in order; a tag keeps its brackets, case and inner blanks."""
    found = []
    for tag, character, word in _pieces(text, options):
        if tag:
            found.append(_folded(tag) if options.fold_names else tag)
        elif character:
            found.append(character if options.exact_characters else _reading(character))
        else:
            found.append(word.lower())
    return found


def surfaces(text: str, options: Options = AS_PUBLISHED) -> list[str]:
    """The words of :func:`tokens` as they are written."""
    return [character or word for tag, character, word in _pieces(text, options) if not tag]


def is_tag(token: str) -> bool:
    """Whether a token of :func:`tokens` is a tag."""
    return token[:1] in ("[", "<")


def renamed(found: Iterable[str], names: Mapping[str, str]) -> list[str]:
    """Tokens with tags under new names, such as their aggregates; tags without one keep theirs."""
    return [_renamed(token, names) if is_tag(token) else token for token in found]


def _pieces(text: str, options: Options) -> list[tuple[str, str, str]]:
    if options.fold_names:
        text = _TAG.sub(lambda match: _folded(match.group()), text)
    plain = _SPEAKER.sub("", _DELETED.sub(" " if options.split_words else "", text))
    return _TOKEN.findall(plain)


def _renamed(tag: str, names: Mapping[str, str]) -> str:
    match = _NAME.match(tag)
    return f"{match[1]}{names.get(match[2], match[2])}{match[3]}" if match else tag


def _folded(tag: str) -> str:
    match = _NAME.match(tag)
    if match is None:
        return tag
    found = resolve(match[2], "discrete" if match[1] == "[" else "continuous")
    return f"{match[1]}{found.name}{match[3]}" if found else tag


@lru_cache(maxsize=30_000)
def _reading(character: str) -> str:
    """The character's one reading in pinyin without tone, read alone, so that homophones are equal."""
    try:
        from pypinyin import lazy_pinyin
    except ImportError as error:
        raise MissingPackage("pypinyin", "scoring of Chinese text", "pip install pypinyin") from error
    return str(lazy_pinyin(character)[0])
