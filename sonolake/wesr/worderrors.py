"""Word error rate of the transcript alone: (substitutions + deletions + insertions) / reference words.

Tags are left out. Words are those of :func:`sonolake.wesr.tagged.words_of` in lower case and plain width (NFKC), a CJK
character each, so that the figure is a word error rate in English, a character error rate in Chinese, and a mixed one
in mixed text. Homophones differ.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from sonolake.wesr.tagged import words_of


@dataclass(frozen=True)
class WordErrors:
    """Words of the references, and edits from them to the hypotheses."""

    words: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0

    @property
    def errors(self) -> int:
        """All edits."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float | None:
        """Edits per reference word, 0 to above 1; None without reference words."""
        return self.errors / self.words if self.words else None

    def __add__(self, other: WordErrors) -> WordErrors:
        return WordErrors(
            self.words + other.words,
            self.substitutions + other.substitutions,
            self.deletions + other.deletions,
            self.insertions + other.insertions,
        )


def word_errors(reference: str, hypothesis: str) -> WordErrors:
    """Errors of one utterance, the fewest that turn one into the other."""
    from rapidfuzz.distance import Levenshtein

    said, heard = _words(reference), _words(hypothesis)
    if said == heard:
        return WordErrors(len(said))
    edits = [edit.tag for edit in Levenshtein.editops(said, heard)]
    return WordErrors(len(said), edits.count("replace"), edits.count("delete"), edits.count("insert"))


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    return [word.lower() for word in words_of(plain)]
