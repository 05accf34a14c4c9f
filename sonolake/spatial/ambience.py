"""Ambience of four channels: as recorded, or a diffuse field made of a recording with fewer channels."""

from __future__ import annotations

import numpy as np

from sonolake.audio.foa import gains
from sonolake.audio.loop import loop_to
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput

_GOLDEN = (1 + 5**0.5) / 2
_VERTICES = np.array(
    [(s, t * _GOLDEN, 0.0) for s in (-1, 1) for t in (-1, 1)]
    + [(0.0, s, t * _GOLDEN) for s in (-1, 1) for t in (-1, 1)]
    + [(t * _GOLDEN, 0.0, s) for s in (-1, 1) for t in (-1, 1)]
)
"""Corners of an icosahedron: twelve directions whose sum is isotropic (a spherical 5-design)."""

_AZIMUTHS = np.degrees(np.arctan2(_VERTICES[:, 1], _VERTICES[:, 0]))
_ELEVATIONS = np.degrees(np.arctan2(_VERTICES[:, 2], np.hypot(_VERTICES[:, 0], _VERTICES[:, 1])))
_ENCODER = (
    np.stack([gains(float(az), float(el)) for az, el in zip(_AZIMUTHS, _ELEVATIONS, strict=True)]) / 12**0.5
)
"""``(12, 4)`` AmbiX gains of the corners; incoherent parts of power 1 add up to power 1 on W."""


def four_channels(x: Signal, rate: int, frames: int, rate_out: int, rng: np.random.Generator) -> Signal:
    """``(frames, 4)`` AmbiX at ``rate_out``, from a random place in ``x``, looped where it is short.

    Args:
        x: ``(n, 4)`` AmbiX, kept as it is; or one or two channels, whose mean is spread by :func:`diffuse`.
        rate: Hz of ``x``.
        frames: length wanted.
        rate_out: Hz wanted.
        rng: draws the place and, for a diffuse field, the parts.

    Raises:
        InvalidInput: for other numbers of channels, or no frames.
    """
    channels = 1 if x.ndim == 1 else x.shape[1]
    if channels not in (1, 2, 4) or not len(x):
        raise InvalidInput("ambience", "1, 2 or 4 (AmbiX) channels with at least one frame", x.shape)
    needed = frames if rate == rate_out else -(-frames * rate // rate_out) + 1
    if channels == 4:
        part = loop_to(x, needed, rate, start=int(rng.integers(len(x))))
        return resample(part, rate, rate_out)[:frames]
    mono = x if x.ndim == 1 else x.mean(axis=1)
    return diffuse(resample(mono, rate, rate_out), rate_out, frames, rng)


def diffuse(x: Signal, rate: int, frames: int, rng: np.random.Generator) -> Signal:
    """A diffuse field ``(frames, 4)``: twelve parts of mono ``x``, far apart in time, as plane waves from all sides.

    The parts start evenly spread round the loop, turned by a random offset, so that they have little in common; the
    expected energies of W and of Y, Z, X together are equal (SN3D, normalisation ratio 1).
    """
    turn = int(rng.integers(len(x)))
    order = rng.permutation(len(_VERTICES))
    starts = [turn + int(place) * len(x) // len(_VERTICES) for place in order]
    field = np.zeros((4, frames))
    for start, encoder in zip(starts, _ENCODER, strict=True):
        part = loop_to(x, frames, rate, start=start)
        for channel in range(4):
            field[channel] += part * encoder[channel]
    return field.T
