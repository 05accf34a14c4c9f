"""Forced alignment by PocketSphinx's English acoustic model (BSD): which word sounds when, and how sure that is.

The model sees 16 kHz in steps of 10 ms, so times are multiples of 0.01 s.

A path through any words is found in almost any speech, so what counts is how well it fits. Every state of the model is
scored in every frame, and the decoder gives scores against the best state of the frame, hence against what free
phones would score: a log likelihood ratio, 0 where nothing fits better. Its mean over the frames is turned into a
confidence by a logistic curve that was calibrated on synthetic speech (:data:`TURN`). A turn counts by the lower one
of two means, over the frames of its words and over all: the second falls where more is said than was asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.base import Alignment, Word
from sonolake.models.packages import POCKETSPHINX, file_sha256, listing_sha256
from sonolake.models.pronunciations import pronunciations
from sonolake.models.signals import mono_at
from sonolake.models.sphinx_processes import DecoderEnded, DecoderProcesses

RATE = 16_000
FRAME_S = 0.01
PEAK = 0.9
PAD_S = 0.25
"""Silence set around the signal while it is aligned, so that a word at its very edge has an edge."""
FAILED = "alignment_failed"
SHIFT = 1024.0
"""The decoder keeps scores of frames a thousandth as large."""

_PROCESSES = DecoderProcesses()


@dataclass(frozen=True)
class Curve:
    """A logistic curve: 0.5 at a mean score of ``middle`` nats a frame, 0.73 ``width`` above."""

    middle: float
    width: float

    def __call__(self, score: float) -> float:
        """The confidence of a mean score."""
        return round(1.0 / (1.0 + math.exp(min(700.0, (self.middle - score) / self.width))), 4)


TURN = Curve(-5.2, 0.45)
"""Turns: right ones scored -3.9 and more, texts of which half was said -6.5 and less, unrelated ones -9.7 and less."""
WORD = Curve(-6.5, 1.0)
"""Words are few frames, so that right ones scatter more: 5 % of them, and 93 % of wrong ones, lie below the middle."""


class SphinxAligner:
    """An :class:`~sonolake.models.base.Aligner`: ``pocketsphinx``."""

    spec = "pocketsphinx"
    licence = "BSD-2-Clause"

    def __init__(self) -> None:
        """Find the acoustic model.

        Raises:
            MissingPackage: when ``pocketsphinx`` is not installed.
        """
        self._model = POCKETSPHINX.file("model/en-us/en-us/means", self.spec).parent

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the acoustic model's files, as :func:`~sonolake.models.packages.listing_sha256` joins them."""
        files = (path for path in self._model.iterdir() if path.is_file())
        return listing_sha256((path.name, file_sha256(path)) for path in files)

    def align(self, x: npt.NDArray[Any], rate: int, words: Sequence[str]) -> Alignment:
        """The times of ``words`` in a mono signal at ``rate`` Hz, one :class:`Word` for each, in order.

        A word that is not said (a lone dash) has no length and lies at the end of the word before it.

        Raises:
            InvalidInput: when there is no word that can be said, or the signal is empty, not mono or not finite.
            ItemRefused: ``alignment_failed``, when the speech cannot carry these words.
        """
        said = [pronunciations(word) for word in words]
        if not any(said):
            raise InvalidInput("words", "at least one word that can be said", list(words))
        signal = mono_at(x, rate, RATE)
        parts = self._parts(signal, [ways for ways in said if ways])
        spans = iter([part for part in parts if part.word])
        aligned: list[Word] = []
        end = 0.0
        for word, ways in zip(words, said, strict=True):
            if not ways:
                aligned.append(Word(word, end, end))
                continue
            part = next(spans)
            start, end = (min(max(edge, 0.0), signal.size / RATE) for edge in (part.start_s, part.end_s))
            aligned.append(Word(word, round(start, 4), round(end, 4), WORD(_mean([part]))))
        score = min(_mean([part for part in parts if part.word]), _mean(parts))
        return Alignment(tuple(aligned), TURN(score))

    def _parts(self, signal: npt.NDArray[np.float32], said: Sequence[tuple[str, ...]]) -> list[_Part]:
        """The decoder's path: words, and the silence and noise between and around them."""
        try:
            segments = _PROCESSES.path(self._model, said, _pcm16(np.pad(signal, round(PAD_S * RATE))))
        except DecoderEnded:
            raise ItemRefused(FAILED, "the decoder ended without an answer, twice") from None
        parts = [_part(*segment) for segment in segments]
        found = sum(part.word for part in parts)
        if found != len(said):
            raise ItemRefused(FAILED, f"{found} of {len(said)} words could be placed in the speech")
        return parts


@dataclass(frozen=True)
class _Part:
    """A stretch of the path: whether it is a word, its edges in seconds of the signal, frames, and summed score."""

    word: bool
    start_s: float
    end_s: float
    frames: int
    score: float


def _part(name: str, first: int, last: int, ascore: float) -> _Part:
    edges = first * FRAME_S - PAD_S, (last + 1) * FRAME_S - PAD_S
    score = math.log(max(ascore, 1e-300)) * SHIFT
    return _Part(name.startswith("w"), *edges, last + 1 - first, score)


def _mean(parts: Sequence[_Part]) -> float:
    """Score a frame, in nats against the best state of each."""
    return sum(part.score for part in parts) / max(1, sum(part.frames for part in parts))


def _pcm16(x: npt.NDArray[np.float32]) -> bytes:
    """The signal as 16-bit little-endian samples, brought to a peak of 0.9: the model expects a full range."""
    peak = float(np.abs(x).max())
    scaled = x * np.float32(PEAK / peak) if peak > 0 else x
    return bytes(np.rint(scaled * 32767.0).astype("<i2").tobytes())
