"""A layer of a mix, and one that knows its loudness after every change."""

from __future__ import annotations

import math

from sonolake.audio.levels import db_to_gain, round_db
from sonolake.audio.loudness import SETTLES_S, loudness_of, step_frames, step_sums
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput


class Layer:
    """Mono samples ``(frames,)``, changed in place."""

    def __init__(self, samples: Signal) -> None:
        self.samples = samples

    def __len__(self) -> int:
        return len(self.samples)

    def gain(self, gain_db: float) -> None:
        """Make the layer louder."""
        self.samples *= db_to_gain(gain_db)

    def change(self, first: int, samples: Signal) -> None:
        """Put other samples from frame ``first`` on."""
        self.samples[first : first + len(samples)] = samples

    def add(self, other: Layer) -> None:
        """Mix an equally long layer in."""
        self.samples += other.samples


class MeteredLayer(Layer):
    """A layer and what a loudness meter reads in each of its 100 ms.

    A gain changes every reading alike, and a change of a few samples those around it. So a whole layer is filtered
    once, however often it is changed and measured.
    """

    def __init__(self, samples: Signal, rate: int) -> None:
        super().__init__(samples)
        self.rate = rate
        self._steps = step_sums(samples, rate)

    def loudness(self) -> float:
        """Integrated loudness in LUFS."""
        return loudness_of(self._steps, self.rate)

    def gain_to(self, lufs: float) -> float:
        """Bring the layer to a loudness; the gain that it took, in dB, rounded to 0.01.

        Raises:
            InvalidInput: when it is too quiet to be measured: silence is never normalised.
        """
        measured = self.loudness()
        if not math.isfinite(measured):
            raise InvalidInput("layer", "a signal above the gate of -70 LUFS", measured, "silence")
        gain_db = round_db(lufs - measured)
        self.gain(gain_db)
        return gain_db

    def gain(self, gain_db: float) -> None:
        """Make the layer louder."""
        super().gain(gain_db)
        self._steps *= db_to_gain(gain_db) ** 2

    def change(self, first: int, samples: Signal) -> None:
        """Put other samples from frame ``first`` on, and read what they and their traces in the filters touch."""
        super().change(first, samples)
        step, settled = step_frames(self.rate), round(SETTLES_S * self.rate)
        begin, end = first // step, -(-(first + len(samples) + settled) // step)
        before = min(begin, -(-settled // step))
        around = self.samples[(begin - before) * step : end * step]
        self._steps[begin:end] = step_sums(around, self.rate)[before:]

    def add(self, other: Layer) -> None:
        """Mix an equally long layer in."""
        super().add(other)
        self._steps = step_sums(self.samples, self.rate)
