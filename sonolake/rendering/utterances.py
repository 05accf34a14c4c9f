"""WESR utterances from where they lie in a recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonolake.audio.decode import decode
from sonolake.audio.encode import flac_bytes, quantise
from sonolake.audio.levels import db_to_gain, peak
from sonolake.audio.signals import Signal

if TYPE_CHECKING:
    from sonolake.lake.media import MediaRoom

CODE = "code:cut-utterances:2"
"""Names what cuts utterances in their lineage; changes whenever the same stretch would give other samples."""
CEILING = db_to_gain(-0.1)


def recording(media: MediaRoom, asset_id: str) -> tuple[Signal, int]:
    """One channel of a recording, which is kept nowhere, recordings being long, and its rate in Hz."""
    decoded = decode(media.read(asset_id))
    return decoded.samples.mean(axis=1), decoded.sample_rate


def stretch(samples: Signal, rate: int, start_s: float, end_s: float) -> Signal:
    """The samples from one time to another."""
    return samples[round(start_s * rate) : round(end_s * rate)]


def sound_of(samples: Signal, rate: int) -> bytes:
    """An utterance as FLAC: as it is, lowered only where it would clip."""
    top = peak(samples)
    return flac_bytes(quantise(samples if top <= CEILING else samples * (CEILING / top)), rate)
