"""One small interface a role.

Signals are mono float64 ``(frames,)`` at full scale ±1.0 with the sample rate in Hz beside them; times are
seconds from the signal's first sample. Every adapter carries its name (``spec``), the SHA-256 of the weights
that it runs (``weights_sha256``: of the file as its package ships it) and the licence of those weights
(``licence``: an SPDX id, or ``LicenseRef-…`` where the package declares none), so that whatever a model made
can name the exact model that made it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

Signal = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Word:
    """One word: its text, where it sounds, in seconds, and how sure that is, 0 to 1."""

    text: str
    start_s: float
    end_s: float
    confidence: float = 1.0


@dataclass(frozen=True)
class Alignment:
    """Words in order, and how sure it is that the speech says them and nothing else, 0 to 1."""

    words: tuple[Word, ...]
    confidence: float


@dataclass(frozen=True)
class Transcript:
    """What was heard: the text, its words with their times in seconds, and the language's code (ISO 639-1)."""

    text: str
    words: tuple[Word, ...]
    language: str


class Model(Protocol):
    """What every adapter says about itself."""

    @property
    def spec(self) -> str:
        """The short name that :func:`sonolake.models.registry.get` takes."""

    @property
    def licence(self) -> str:
        """SPDX id of the weights' licence, or ``LicenseRef-…``."""

    @property
    def weights_sha256(self) -> str:
        """SHA-256 of the weights, 64 hexadecimal digits; empty behind an endpoint, where nobody can know it."""


@runtime_checkable
class AudioEncoder(Model, Protocol):
    """Sound to vectors, one a window of ``window_s`` seconds every ``hop_s`` seconds."""

    @property
    def dim(self) -> int:
        """Length of a vector."""

    @property
    def sample_rate(self) -> int:
        """The rate in Hz that signals are resampled to."""

    @property
    def window_s(self) -> float:
        """Length of a window in seconds."""

    @property
    def hop_s(self) -> float:
        """From one window's start to the next one's, in seconds."""

    def encode(self, x: npt.NDArray[Any], rate: int) -> Vectors:
        """Vectors ``(n_windows, dim)`` of a mono signal at ``rate`` Hz."""


@runtime_checkable
class BatchEncoder(AudioEncoder, Protocol):
    """An encoder that does better with several sounds at once."""

    @property
    def about(self) -> str:
        """What it is, for a person: the published model, or how it is built."""

    def encode_many(self, signals: Sequence[tuple[npt.NDArray[Any], int]]) -> list[Vectors]:
        """Vectors ``(n_windows, dim)`` of each mono signal, given with its rate in Hz."""


@runtime_checkable
class JointEncoder(BatchEncoder, Protocol):
    """Sound and text in one space."""

    def encode_text(self, texts: Sequence[str]) -> Vectors:
        """Vectors ``(len(texts), dim)`` to be compared with those of sounds by their cosine."""


@runtime_checkable
class Tagger(Model, Protocol):
    """Sound to a score in 0..1 for each class and window."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes' display names, in column order."""

    @property
    def window_s(self) -> float:
        """Length of a window in seconds."""

    @property
    def hop_s(self) -> float:
        """From one window's start to the next one's, in seconds."""

    def tag(self, x: npt.NDArray[Any], rate: int) -> Vectors:
        """Scores ``(n_windows, len(labels))`` of a mono signal at ``rate`` Hz."""


@runtime_checkable
class TextEncoder(Model, Protocol):
    """Sentences to unit vectors whose dot product is the cosine."""

    @property
    def dim(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors ``(len(texts), dim)``."""


@runtime_checkable
class Voice(Model, Protocol):
    """Text to speech in one person's voice."""

    @property
    def gender(self) -> str:
        """``f`` or ``m``."""

    @property
    def sample_rate(self) -> int:
        """The voice's own rate in Hz."""

    @property
    def assets(self) -> Mapping[str, str]:
        """File name to SHA-256, for every file of weights that speaking runs."""

    @property
    def tags(self) -> frozenset[str]:
        """Inline tags that it performs itself when they stand in its text; empty for none, ``*`` for all."""

    def speak(self, text: str, seed: int) -> Signal:
        """Mono speech at :attr:`sample_rate`: equal text and seed give equal samples."""


@runtime_checkable
class Aligner(Model, Protocol):
    """Speech and its words to the words' times."""

    def align(self, x: npt.NDArray[Any], rate: int, words: Sequence[str]) -> Alignment:
        """One :class:`Word` for each of ``words``, in order.

        Raises:
            ItemRefused: ``alignment_failed``, when the speech cannot carry these words.
        """


@runtime_checkable
class Recogniser(Model, Protocol):
    """Speech to words."""

    def transcribe(self, x: npt.NDArray[Any], rate: int, language: str = "") -> Transcript:
        """What is said in a mono signal at ``rate`` Hz; the language is recognised where none is named.

        Raises:
            InvalidInput: for a language that the model does not know.
        """


@runtime_checkable
class VoiceActivity(Model, Protocol):
    """Sound to the stretches in which somebody speaks."""

    def segments(self, x: npt.NDArray[Any], rate: int) -> list[tuple[float, float]]:
        """Start and end in seconds of each stretch of speech, in order, never overlapping."""


@runtime_checkable
class SpeechQuality(Model, Protocol):
    """Speech to how people would rate it."""

    def overall(self, x: npt.NDArray[Any], rate: int) -> float:
        """The mean opinion from 1 (bad) to 5 (excellent) on a mono signal at ``rate`` Hz."""


@runtime_checkable
class Denoiser(Model, Protocol):
    """Speech to the same speech without noise."""

    def denoise(self, x: npt.NDArray[Any], rate: int) -> Signal:
        """A mono signal as long, at the same rate and in the same place."""
