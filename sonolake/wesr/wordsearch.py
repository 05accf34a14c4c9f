"""Text queries in transcripts: Okapi BM25 (Robertson and Zaragoza 2009, equation 3.15) in one pass over the texts.

Only the words that some query has are counted, so that memory grows with what is found and not with what is read. Words
are runs of letters and digits, case folded and without English endings; a Chinese character is a word of its own.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

K1, B = 1.2, 0.75
"""How soon repeated words stop to count, and how much long texts are held back."""
COMMON = frozenset({
    *("a", "an", "and", "at", "before", "between", "by", "for", "from", "he", "her", "himself", "herself", "his", "in"),
    *("into", "is", "it", "its", "of", "on", "one", "or", "out", "own", "person", "people", "she", "some", "somebody"),
    *("someone", "something", "sound", "the", "their", "they", "to", "two", "up", "voice", "while", "with"),
})  # fmt: skip
"""Words of queries that say nothing about what is looked for."""
LEAST = 0.5
"""Share of a query that a text must have, its words weighed by their rarity: "a dry cough" is not found by "dry"."""

SHORT = 4
"""Letters of words that keep their endings."""

_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
_HAN = "\u3400-\u9fff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_HAN}]|(?:(?![{_HAN}_])[\w'])+")


def words_of(text: str) -> list[str]:
    """The words of a text, in NFKC and case folded."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def stem(word: str) -> str:
    """An English word without the endings of number and tense: coughs, coughed and coughing are cough."""
    return _ENDING.sub("", word) if len(word) > SHORT and word.isascii() else word


class WordSearch:
    """A search for several queries at once.

    Args:
        queries: text of each query by its id.
    """

    def __init__(self, queries: Mapping[str, str]) -> None:
        self._queries = {
            name: tuple(dict.fromkeys(stem(word) for word in words_of(text) if word not in COMMON))
            for name, text in queries.items()
        }
        self._wanted = {word for words in self._queries.values() for word in words}
        self._found: dict[str, tuple[int, dict[str, int]]] = {}
        self._with: Counter[str] = Counter()
        self._texts = self._words = 0

    def read(self, name: str, text: str) -> None:
        """Take one text in."""
        words = [stem(word) for word in words_of(text)]
        self._texts += 1
        self._words += len(words)
        if found := {word: n for word, n in Counter(words).items() if word in self._wanted}:
            self._found[name] = (len(words), found)
            self._with.update(found.keys())

    def ranked(self, query_id: str, top: int) -> list[tuple[str, float]]:
        """At most ``top`` texts that say most of the query, best first, equals by name; with their scores, above 0."""
        wanted = {word: self._rarity(word) for word in self._queries[query_id]}
        least = LEAST * math.fsum(wanted.values())
        found = [
            (name, self._score(wanted, length, words))
            for name, (length, words) in self._found.items()
            if math.fsum(weight for word, weight in wanted.items() if word in words) >= max(least, 1e-12)
        ]
        return sorted(found, key=lambda one: (-round(one[1], 9), one[0]))[:top]

    def _score(self, wanted: Mapping[str, float], length: int, found: Mapping[str, int]) -> float:
        held = K1 * (1 - B + B * length * self._texts / self._words)
        parts = ((weight, found[word]) for word, weight in wanted.items() if word in found)
        return math.fsum(weight * times * (K1 + 1) / (times + held) for weight, times in parts)

    def _rarity(self, word: str) -> float:
        having = self._with[word]
        return math.log1p((self._texts - having + 0.5) / (having + 0.5))
