"""Which utterances of a recording are kept: settings, and the verdict on one utterance.

WESR (section 4.1) denoises web speech and leaves out what DNSMOS rates under 2.0. Denoisers take breaths and sighs for
noise, so that none is used unless it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.base import Denoiser, Recogniser, SpeechQuality, Word
from sonolake.wesr.utterances import Limits

NONE = "none"
"""In place of a model: do without."""


@dataclass(frozen=True)
class Cutting:
    """How recordings become utterances, and which are kept.

    Attributes:
        shortest_s, longest_s: of an utterance, in seconds, margins included.
        pause_s: speech on both sides of a shorter pause is one stretch.
        vocal_score: a window whose classes of vocal events add up to this much is not cut, 0 to 1.
        quality: model that rates; "" for ``dnsmos`` where it is installed, ``none`` for none.
        least_quality: what is rated lower is left out, 1 to 5.
        denoiser: model that takes noise away; "" for none.
        recogniser: model that writes down what is said; "" for none.
        languages: BCP-47, such as ``en`` or ``zh``: others are left out; none for all.
        wordless: keep what the recogniser hears no words in.

    Raises:
        InvalidInput: for a value out of range, or languages that are none.
    """

    shortest_s: float = 2.0
    longest_s: float = 30.0
    pause_s: float = 0.3
    vocal_score: float = 0.2
    quality: str = ""
    least_quality: float = 2.0
    denoiser: str = ""
    recogniser: str = ""
    languages: tuple[str, ...] = ()
    wordless: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "languages", tuple(self.languages))
        if not 0.0 < self.vocal_score <= 1.0:
            raise InvalidInput("vocal score", "above 0 and at most 1", self.vocal_score)
        if not 1.0 <= self.least_quality <= 5.0:
            raise InvalidInput("least quality", "1 to 5", self.least_quality)
        for language in self.languages:
            if not all(part.isalnum() and part.isascii() for part in language.split("-")):
                raise InvalidInput("language", "BCP-47, such as en or zh-Hans", language)
        _ = self.limits

    @property
    def limits(self) -> Limits:
        """The lengths."""
        return Limits(self.shortest_s, self.longest_s, self.pause_s)


@dataclass(frozen=True)
class Models:
    """The models of a :class:`Cutting`, None where there is none."""

    quality: SpeechQuality | None = None
    denoiser: Denoiser | None = None
    recogniser: Recogniser | None = None


@dataclass(frozen=True)
class Heard:
    """An utterance that is kept.

    Attributes:
        samples: mono, denoised where that was asked for.
        quality: mean opinion from 1 to 5, None when nobody rated it.
        language: BCP-47, None when nobody said.
        transcript: what is said, None when nobody wrote it down.
        words: with seconds within the utterance.
        transcript_by: ``source`` or the recogniser's name, None without a transcript.
    """

    samples: Signal
    quality: float | None = None
    language: str | None = None
    transcript: str | None = None
    words: tuple[Word, ...] = ()
    transcript_by: str | None = None


def vetted(
    samples: npt.NDArray[Any],
    rate: int,
    cutting: Cutting,
    models: Models,
    language: str | None = None,
    transcript: str | None = None,
) -> Heard:
    """What is known of one utterance.

    Args:
        samples: mono, ``(frames,)``.
        rate: Hz.
        cutting, models: how it is judged.
        language, transcript: what its source says, where it does.

    Raises:
        ItemRefused: ``low_quality``, ``wrong_language``, ``no_words``.
    """
    clean = np.asarray(samples, dtype=np.float64)
    if models.denoiser is not None:
        clean = models.denoiser.denoise(clean, rate)
    quality = _rated(clean, rate, cutting, models.quality)
    if models.recogniser is None:
        _require_language(language, cutting.languages)
        return Heard(clean, quality, language, transcript, (), "source" if transcript else None)
    heard = models.recogniser.transcribe(clean, rate)
    if not heard.words and not cutting.wordless:
        raise ItemRefused("no_words", f"{models.recogniser.spec} hears no words")
    spoken = language if language and primary(language) == primary(heard.language) else heard.language
    _require_language(spoken, cutting.languages)
    text, by = (transcript, "source") if transcript else (heard.text or None, models.recogniser.spec)
    return Heard(clean, quality, spoken, text, heard.words, by if text else None)


def primary(language: str) -> str:
    """The language of a BCP-47 tag without script and region: ``zh`` of ``zh-Hans-CN``."""
    return language.replace("_", "-").partition("-")[0].lower()


def _rated(x: Signal, rate: int, cutting: Cutting, model: SpeechQuality | None) -> float | None:
    if model is None:
        return None
    quality = round(model.overall(x, rate), 4)
    if quality < cutting.least_quality:
        detail = f"{model.spec} rates it {quality:.2f}; {cutting.least_quality:g} is the least"
        raise ItemRefused("low_quality", detail)
    return quality


def _require_language(language: str | None, wanted: Sequence[str]) -> None:
    if wanted and language and not any(_covers(one, language) for one in wanted):
        raise ItemRefused("wrong_language", f"it is {language}; wanted: {', '.join(wanted)}")


def _covers(wanted: str, language: str) -> bool:
    """Basic filtering of RFC 4647 (3.3.1), a bare language covering all its scripts and regions."""
    tag = language.replace("_", "-").lower()
    return tag == wanted.lower() or tag.startswith(f"{wanted.lower()}-")
