"""What a decoder gives, and the limits it works in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.signals import Signal
from sonolake.errors import ItemRefused

Raw = NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float32]
LOWEST_RATE, HIGHEST_RATE, MOST_CHANNELS = 4_000, 768_000, 64


class Unreadable(Exception):
    """A decoder gave up; ``unsupported`` when it knows what this is and has no decoder for it."""

    def __init__(self, why: str, unsupported: bool = False) -> None:
        super().__init__(why)
        self.unsupported = unsupported


@dataclass(frozen=True)
class Reading:
    """What a decoder gave.

    Attributes:
        samples: ``(frames, channels)``.
        sample_rate: Hz.
        codec: libav's name of the codec, without byte order.
        bits: of integer samples, None for lossy and float codecs.
        damaged: an error came before the last good samples.
        ended_badly: an error came after them.
        raw: the samples as the decoder gave them, where it gave int16, float32, or 24 bits in the high bytes of int32.
        declared: frames announced by the container, where the decoder's library is the one that reads them.
    """

    samples: Signal
    sample_rate: int
    codec: str
    bits: int | None
    damaged: bool = False
    ended_badly: bool = False
    declared: int | None = None
    raw: Raw | None = None


@dataclass(frozen=True)
class Limits:
    """How much is decoded at most, whatever a header says.

    Attributes:
        seconds: of sound.
        values: samples times channels that are held at once.
    """

    seconds: float
    values: int

    def frames(self, rate: int, channels: int) -> int:
        """Frames allowed by both limits.

        Raises:
            ItemRefused: ``unsupported_codec`` for a rate or a number of channels no recording has.
        """
        if not LOWEST_RATE <= rate <= HIGHEST_RATE or not 1 <= channels <= MOST_CHANNELS:
            allowed = f"{LOWEST_RATE} to {HIGHEST_RATE} Hz, 1 to {MOST_CHANNELS} channels"
            raise ItemRefused(
                "unsupported_codec", f"{rate} Hz and {channels} channels; allowed are {allowed}"
            )
        return int(min(self.seconds * rate, self.values // channels))


def too_long(frames: int, rate: int) -> ItemRefused:
    """The refusal of a file that has more than ``frames``."""
    return ItemRefused("too_long", f"longer than {frames / rate:.1f} s, the limit at {rate} Hz")
