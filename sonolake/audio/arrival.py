"""Room responses: when the direct sound arrives, from where, how loud against the room, and how the room decays."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sonolake.audio.foa import direction, gains
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput

ONSET_RATIO = 10 ** (-10 / 20)
"""The direct sound is the first arrival within 10 dB of the strongest one on W."""
SETTLE_S = 0.0005
"""The arrival's own peak lies within this time of its first rise."""
DIRECT_S = (0.0005, 0.001)
"""The direct sound is taken from so long before its peak to so long after it, before most reflections."""
RATIO_S = 0.0025
"""Half of the window of the direct sound in the direct-to-reverberant ratio (Zahorik 2002)."""
DIFFERS_DEG = 15.0
"""A declared direction that is farther from the measured one is a disagreement: a third of a sector of eight."""
CRITICAL_M = (0.05, 15.0)
"""Critical distances that no room goes beyond: from a cupboard's to a large hall's (0.057 sqrt(volume / RT60))."""
REVERBERANT_S = 0.15
"""With less reverberation the direct-to-reverberant ratio says nothing of the distance."""
_DECAY_DB = (-5.0, -25.0)


@dataclass(frozen=True)
class RoomFacts:
    """What a response says of its room and its source.

    Attributes:
        rt60_s: three times the time from -5 to -25 dB of the backward integrated W (ISO 3382-2, T20); None when the
            response does not fall that far.
        drr_db: energy of W within 2.5 ms of the direct sound over all that comes after; None when nothing does.
        azimuth_deg, elevation_deg: direction of the direct sound's intensity; None for one channel.
    """

    rt60_s: float | None
    drr_db: float | None
    azimuth_deg: float | None = None
    elevation_deg: float | None = None

    def differs(self, azimuth_deg: float | None, elevation_deg: float | None) -> bool:
        """Whether a declared direction disagrees with the measured one; no elevation means the horizon."""
        if azimuth_deg is None or self.azimuth_deg is None or self.elevation_deg is None:
            return False
        return (
            apart((azimuth_deg, elevation_deg or 0.0), (self.azimuth_deg, self.elevation_deg)) > DIFFERS_DEG
        )

    def contradicts(self, distance_m: float | None) -> bool:
        """Whether a declared distance cannot be: the room would have a critical distance that no room has.

        In a diffuse field the direct sound is ``20 lg (critical / distance)`` dB over the reverberation (Kuttruff, Room
        Acoustics, section 5.5). Near reflections, directivity and cut tails move it by several dB, so only distances in
        another unit are found.
        """
        if not distance_m or self.drr_db is None or self.rt60_s is None or self.rt60_s < REVERBERANT_S:
            return False
        critical = distance_m * float(10.0 ** (self.drr_db / 20.0))
        return not CRITICAL_M[0] <= critical <= CRITICAL_M[1]


def direct_index(response: Signal, rate: int) -> int:
    """Frame of the direct sound's peak on W.

    Args:
        response: ``(taps, 4)`` AmbiX, or ``(taps,)``.
        rate: Hz.

    Raises:
        InvalidInput: for a silent response.
    """
    w = np.abs(response if response.ndim == 1 else response[:, 0])
    top = float(w.max(initial=0.0))
    if not top > 0.0:
        raise InvalidInput("response", "a direct sound on W", "silence")
    first = int(np.argmax(w >= ONSET_RATIO * top))
    return first + int(np.argmax(w[first : first + 1 + round(SETTLE_S * rate)]))


def room_facts(response: Signal, rate: int) -> RoomFacts:
    """The facts of a response.

    Args:
        response: ``(taps, 4)`` AmbiX, or ``(taps,)``.
        rate: Hz.

    Raises:
        InvalidInput: for a silent response.
    """
    w = response if response.ndim == 1 else response[:, 0]
    at = direct_index(response, rate)
    place = None if response.ndim == 1 else direct_direction(response, rate)
    return RoomFacts(reverberation_time(w[at:], rate), _ratio_db(w, at, rate), *(place or (None, None)))


def direct_direction(response: Signal, rate: int) -> tuple[float, float] | None:
    """Azimuth and elevation in degrees of the direct sound's mean intensity, None when it flows nowhere.

    Args:
        response: ``(taps, 4)`` AmbiX.
        rate: Hz.

    Raises:
        InvalidInput: for a silent response.
    """
    at = direct_index(response, rate)
    first, last = (round(seconds * rate) for seconds in DIRECT_S)
    part = response[max(0, at - first) : at + last + 1]
    return direction(part) if np.any(part[:, :1].T @ part[:, 1:]) else None


def reverberation_time(decay: Signal, rate: int) -> float | None:
    """T20 of a decay that begins with its direct sound, in seconds; None when it does not fall by 25 dB.

    Args:
        decay: ``(taps,)``.
        rate: Hz.
    """
    energy = np.cumsum(decay[::-1] ** 2)[::-1]
    if not energy.size or not energy[0] > 0.0:
        return None
    level = 10.0 * np.log10(np.maximum(energy / energy[0], 1e-30))
    inside = np.flatnonzero((level <= _DECAY_DB[0]) & (level >= _DECAY_DB[1]))
    if inside.size < 3 or level[-1] > _DECAY_DB[1]:
        return None
    slope = float(np.polyfit(inside / rate, level[inside], 1)[0])
    return -60.0 / slope if slope < 0.0 else None


def apart(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The angle between two directions (azimuth, elevation), all in degrees."""
    cosine = float(gains(*one)[1:] @ gains(*other)[1:])
    return math.degrees(math.acos(min(1.0, max(-1.0, cosine))))


def _ratio_db(w: Signal, at: int, rate: int) -> float | None:
    half = round(RATIO_S * rate)
    direct = float(np.sum(w[max(0, at - half) : at + half + 1] ** 2))
    rest = float(np.sum(w[at + half + 1 :] ** 2))
    return 10.0 * math.log10(direct / rest) if rest > 0.0 else None
