"""How the words of a transcript are said, in the phones of the aligner's acoustic model.

A word of the CMU dictionary (BSD, in the package ``pocketsphinx``) has the dictionary's pronunciations; any other
(a name, a number, a hyphenated word) is read by hibari's letter-to-sound.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from sonolake.models.packages import POCKETSPHINX
from sonolake.models.phonemes import sentences, to_arpabet

DICTIONARY = "model/en-us/cmudict-en-us.dict"
ALTERNATIVE = re.compile(r"\(\d+\)$")
EDGE = re.compile(r"^[\W_]+|[\W_]+$")


@lru_cache(maxsize=1)
def dictionary() -> Mapping[str, tuple[str, ...]]:
    """The CMU dictionary: word in lower case to its pronunciations, the first one first."""
    words: dict[str, tuple[str, ...]] = {}
    path = POCKETSPHINX.file(DICTIONARY, "pocketsphinx")
    for line in path.read_text("utf-8").splitlines():
        written, _, phones = line.partition(" ")
        word = ALTERNATIVE.sub("", written)
        words[word] = (*words.get(word, ()), phones.strip())
    return words


def spelling(word: str) -> str:
    """The word as the dictionary spells it: lower case, straight apostrophes, no punctuation at its ends.

    An apostrophe before or after it stays where the dictionary has the word so (``'cause``).
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).lower())
    plain = plain.replace("’", "'").replace("‘", "'")
    core = EDGE.sub("", plain)
    with_apostrophe = (f"'{core}", f"{core}'")
    return next((form for form in with_apostrophe if form in plain and form in dictionary()), core)


def pronunciations(word: str) -> tuple[str, ...]:
    """Each way to say ``word``, as phones between blanks; empty for what is not said, such as a lone dash."""
    plain = spelling(word)
    if not plain:
        return ()
    known = dictionary().get(plain)
    if known:
        return known
    guess = " ".join(to_arpabet(sentence) for sentence in sentences(plain))
    return (guess,) if guess else ()
