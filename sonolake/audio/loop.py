"""Bringing an ambience to a length: cut when long enough, looped with cross-fades when not."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sonolake.audio.signals import Real, Signal, check_rate
from sonolake.errors import InvalidInput


def loop_to(x: Real, frames: int, rate: int, crossfade_s: float = 0.5, start: int = 0) -> Real:
    """Exactly ``frames`` of ``x`` from frame ``start`` on, of its precision, a channel after the other in memory.

    When ``start + frames`` fits, that excerpt. Otherwise ``x`` is closed to a ring whose seam is an equal-power
    cross-fade of its end into its beginning (for signals that do not repeat, the level stays even), and the ring
    is read round and round: the last frames are sound like the first. A seam of two equal stretches is up to
    3 dB louder, so limit afterwards.

    Args:
        x: ``(n,)`` or ``(n, channels)``, n >= 1.
        frames: length wanted, >= 0.
        rate: Hz.
        crossfade_s: length of the seam, shortened to half of ``x``.
        start: frame of ``x`` to begin with, taken modulo its length.

    Raises:
        InvalidInput: for an empty ``x``, a negative length or a negative cross-fade.
    """
    check_rate(rate)
    if not len(x):
        raise InvalidInput("x", "at least one frame", x.shape)
    if frames < 0 or crossfade_s < 0:
        raise InvalidInput("frames, crossfade_s", "values >= 0", (frames, crossfade_s))
    start %= len(x)
    if start + frames <= len(x):
        return x[start : start + frames].copy(order="F")
    y = np.empty((frames, *x.shape[1:]), x.dtype, order="F")
    seam = _seam(x, min(round(crossfade_s * rate), len(x) // 2))
    rest = x[len(seam) : len(x) - len(seam)]
    period = len(seam) + len(rest)
    done, place = 0, start % period
    while done < frames:
        part = seam[place:] if place < len(seam) else rest[place - len(seam) :]
        part = part[: frames - done]
        y[done : done + len(part)] = part
        done, place = done + len(part), (place + len(part)) % period
    return y


def _seam(x: Real, frames: int) -> Real:
    """The last frames of ``x`` faded into its first."""
    shape = (-1,) + (1,) * (x.ndim - 1)
    falls, rises = (curve.reshape(shape) for curve in _curves(frames))
    return np.asarray(x[len(x) - frames :] * falls + x[:frames] * rises)


@lru_cache(maxsize=8)
def _curves(frames: int) -> tuple[Signal, Signal]:
    """A fall and a rise of equal power together."""
    angle = np.pi / 2 * (np.arange(frames) + 0.5) / max(frames, 1)
    return np.cos(angle), np.sin(angle)
