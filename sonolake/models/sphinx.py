"""Forced alignment by PocketSphinx's English acoustic model (BSD): which word sounds when.

The model sees 16 kHz in steps of 10 ms, so times are multiples of 0.01 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.base import Word
from sonolake.models.packages import POCKETSPHINX, file_sha256, listing_sha256
from sonolake.models.pronunciations import pronunciations
from sonolake.models.signals import mono_at

RATE = 16_000
FRAME_S = 0.01
PEAK = 0.9
PAD_S = 0.25
"""Silence set around the signal while it is aligned, so that a word at its very edge has an edge."""
FAILED = "alignment_failed"


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

    def align(self, x: npt.NDArray[Any], rate: int, words: Sequence[str]) -> list[Word]:
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
        spans = iter(self._spans(signal, [ways for ways in said if ways]))
        aligned: list[Word] = []
        end = 0.0
        for word, ways in zip(words, said, strict=True):
            start, end = next(spans) if ways else (end, end)
            aligned.append(Word(word, start, end))
        return aligned

    def _spans(
        self, signal: npt.NDArray[np.float32], said: Sequence[tuple[str, ...]]
    ) -> list[tuple[float, float]]:
        decoder = self._decoder(said)
        names = [f"w{i}" for i in range(len(said))]
        decoder.set_align_text(" ".join(names))
        decoder.start_utt()
        decoder.process_raw(_pcm16(np.pad(signal, round(PAD_S * RATE))), full_utt=True)
        decoder.end_utt()
        segments = list(decoder.seg() or ()) if decoder.hyp() is not None else []
        found = [part for part in segments if part.word.startswith("w")]
        if [part.word.partition("(")[0] for part in found] != names:
            raise ItemRefused(FAILED, f"{len(found)} of {len(names)} words could be placed in the speech")
        edges = np.array([(part.start_frame, part.end_frame + 1) for part in found]) * FRAME_S - PAD_S
        return [(start, end) for start, end in np.clip(edges, 0.0, signal.size / RATE).round(4).tolist()]

    def _decoder(self, said: Sequence[tuple[str, ...]]) -> Any:
        """A new decoder that knows these words only: no state is carried from one signal to the next.

        It answers with its Viterbi path, which ends with the last word. The second pass over its word lattice, on by
        default, may end on a better path that leaves last words out.
        """
        import pocketsphinx

        decoder = pocketsphinx.Decoder(
            hmm=str(self._model), lm=None, dict=None, bestpath=False, loglevel="FATAL"
        )
        for i, ways in enumerate(said):
            for n, phones in enumerate(ways, start=1):
                decoder.add_word(f"w{i}" if n == 1 else f"w{i}({n})", phones, False)
        return decoder


def _pcm16(x: npt.NDArray[np.float32]) -> bytes:
    """The signal as 16-bit little-endian samples, brought to a peak of 0.9: the model expects a full range."""
    peak = float(np.abs(x).max())
    scaled = x * np.float32(PEAK / peak) if peak > 0 else x
    return bytes(np.rint(scaled * 32767.0).astype("<i2").tobytes())
