"""English text to phonemes, by hibari's reader, in three alphabets.

hibari writes what its acoustic model was trained on: IPA with one capital letter a diphthong. A Piper voice
wants plain IPA, the aligner wants the ARPABET of the CMU dictionary without stress.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.models.packages import HIBARI

IPA = {
    "A": "eɪ", "I": "aɪ", "O": "oʊ", "Q": "əʊ", "W": "aʊ", "Y": "ɔɪ",
    "ʧ": "tʃ", "ʤ": "dʒ", "T": "ɾ", "ᵊ": "ə", "ᵻ": "ɪ",
    "—": ",", "…": ".",
}  # fmt: skip
"""hibari's letters that are not plain IPA, and two pauses that Piper voices do not know."""

ARPABET = {
    "A": "EY", "I": "AY", "O": "OW", "Q": "OW", "W": "AW", "Y": "OY", "ʧ": "CH", "ʤ": "JH", "T": "D",
    "ᵊ": "AH", "ᵻ": "IH", "ə": "AH", "ɚ": "ER", "ɜ": "ER", "ɑ": "AA", "ɒ": "AA", "ɐ": "AH", "a": "AE",
    "æ": "AE", "ʌ": "AH", "ɔ": "AO", "ɛ": "EH", "e": "EH", "i": "IY", "ɪ": "IH", "u": "UW", "ʊ": "UH",
    "b": "B", "d": "D", "ð": "DH", "f": "F", "ɡ": "G", "h": "HH", "j": "Y", "k": "K", "l": "L", "m": "M",
    "n": "N", "ŋ": "NG", "p": "P", "ɹ": "R", "s": "S", "ʃ": "SH", "t": "T", "ɾ": "D", "θ": "TH", "v": "V",
    "w": "W", "z": "Z", "ʒ": "ZH", "ʔ": "T", "x": "K",
}  # fmt: skip
"""One phone of the CMU set for each of hibari's letters; stress marks and punctuation have none."""

_LOCK = Lock()


@lru_cache(maxsize=1)
def _reader() -> Any:
    HIBARI.file("assets/hibari.onnx", "phonemes")
    from hibari import Hibari

    return Hibari(threads=1)


def sentences(text: str) -> list[str]:
    """hibari's phonemes of an American English text, one string a sentence; empty when nothing is sayable.

    Raises:
        MissingPackage: when ``hibari-tts`` is not installed.
    """
    with _LOCK:
        return [str(sentence) for sentence in _reader().phonemize(text)]


def check_sayable(text: str) -> str:
    """``text`` itself, when it holds a letter or a digit.

    Raises:
        InvalidInput: otherwise; a voice would make a noise of it all the same.
    """
    if not any(character.isalnum() for character in text):
        raise InvalidInput("text", "at least one word to say", text)
    return text


def to_ipa(phonemes: str) -> str:
    """hibari's phonemes as plain IPA."""
    return "".join(IPA.get(letter, letter) for letter in phonemes)


def to_arpabet(phonemes: str) -> str:
    """hibari's phonemes as phones of the CMU dictionary, without stress: ``həlˈO`` is ``HH AH L OW``.

    A central vowel and the ``ɹ`` after it in one syllable (``ɜɹ``) are the one phone ``ER``.
    """
    joined = phonemes.replace("ɜɹ", "ɜ").replace("əɹ", "ɚ")
    return " ".join(ARPABET[letter] for letter in joined if letter in ARPABET)
