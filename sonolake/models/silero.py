"""Voice activity by Silero's network (MIT): which stretches of a signal hold speech.

The network sees 16 kHz in steps of 32 ms, each with the last 4 ms of the step before, and carries the state of
one LSTM. Its file is read from the package ``silero-vad``, whose code (which needs torch) is not used.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.models.base import Vectors
from sonolake.models.packages import SILERO, file_sha256, require
from sonolake.models.sessions import session_of
from sonolake.models.signals import mono_at

RATE = 16_000
STEP, CONTEXT = 512, 64
STEP_S = STEP / RATE
BLOCK = 512
ENTER, LEAVE = 0.5, 0.35
"""Speech begins at the first probability and ends below the second: the network's own settings."""
MIN_SPEECH_S, MIN_SILENCE_S, PAD_S = 0.25, 0.1, 0.03


class SileroVad:
    """A :class:`~sonolake.models.base.VoiceActivity`: ``silero``."""

    spec = "silero"
    licence = "MIT"

    def __init__(self) -> None:
        """Find the network.

        Raises:
            MissingPackage: when ``silero-vad``, or onnxruntime, is not installed.
        """
        require(self.spec, "onnxruntime")
        self._path = SILERO.file("data/silero_vad_16k_sequence.onnx", self.spec)

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the ONNX file."""
        return file_sha256(self._path)

    @cached_property
    def _session(self) -> Any:
        return session_of(self._path)

    def probabilities(self, x: npt.NDArray[Any], rate: int) -> Vectors:
        """The probability of speech in each step of 32 ms of a mono signal, the last step padded with zeros."""
        signal = mono_at(x, rate, RATE)
        steps = -(-signal.size // STEP)
        samples = np.zeros(CONTEXT + steps * STEP, dtype=np.float32)
        samples[CONTEXT : CONTEXT + signal.size] = signal
        frames = np.lib.stride_tricks.sliding_window_view(samples, CONTEXT + STEP)[::STEP]
        hidden = cell = np.zeros((1, 1, 128), dtype=np.float32)
        out = np.empty(steps, dtype=np.float32)
        for start in range(0, steps, BLOCK):
            block = np.ascontiguousarray(frames[start : start + BLOCK])
            feeds = {"input": block, "h": hidden, "c": cell}
            out[start : start + BLOCK], hidden, cell = self._session.run(None, feeds)
        return out

    def segments(self, x: npt.NDArray[Any], rate: int) -> list[tuple[float, float]]:
        """Start and end in seconds of each stretch of speech in a mono signal: see :func:`stretches`.

        Raises:
            InvalidInput: when the signal is empty, not mono, or not finite.
        """
        return stretches(self.probabilities(x, rate), len(x) / rate)


def stretches(probabilities: npt.NDArray[Any], duration_s: float) -> list[tuple[float, float]]:
    """Stretches of speech from the probabilities of steps of 32 ms.

    A stretch begins where the probability reaches 0.5 and ends where it falls below 0.35 for 0.1 s or more;
    stretches under 0.25 s are dropped, the others widened by 0.03 s at both ends, at most to the middle of
    the pause between two.
    """
    found: list[tuple[float, float]] = []
    begin = silence = -1
    for i, probability in enumerate([*np.asarray(probabilities, dtype=np.float64).tolist(), *_TAIL]):
        if probability >= ENTER:
            begin, silence = (i if begin < 0 else begin), -1
        elif probability < LEAVE and begin >= 0:
            silence = i if silence < 0 else silence
            if (i + 1 - silence) * STEP_S >= MIN_SILENCE_S:
                found.append((begin * STEP_S, min(silence * STEP_S, duration_s)))
                begin = silence = -1
    return _widened([(start, end) for start, end in found if end - start >= MIN_SPEECH_S], duration_s)


_TAIL = (0.0,) * int(np.ceil(MIN_SILENCE_S / STEP_S))


def _widened(found: list[tuple[float, float]], duration_s: float) -> list[tuple[float, float]]:
    middles = [(before[1] + after[0]) / 2 for before, after in pairwise(found)]
    bounds = pairwise([0.0, *middles, duration_s])
    return [
        (round(max(start - PAD_S, floor), 6), round(min(end + PAD_S, ceiling), 6))
        for (start, end), (floor, ceiling) in zip(found, bounds, strict=False)
    ]
