"""Fingerprints of sounds: equal for one recording in another rate, level or format, different for another take.

A fingerprint is short text, made of the features of :mod:`sonolake.audio.melprint`. Two of them are compared by the
mean difference of their levels and the correlation of how the levels move; index keys tell which pairs are worth
comparing.
"""

from __future__ import annotations

import base64
import math
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.melprint import BANDS, HEAD, HOP_S, PROBE, STEP_DB, TOP, Levels, Print, Samples, melprint
from sonolake.audio.signals import check_rate
from sonolake.errors import InvalidInput

NEAR = 0.75
"""From this similarity on, two fingerprints are of one recording."""
_STRETCH = 8
OUTLINE = HEAD // _STRETCH * BANDS
"""Length of an outline."""
OUTLINE_DB = 2.0
"""Of 2,830 near pairs of re-encoded real sounds, no two outlines were more than 1.5 dB apart."""
_VERSION = "1"
_SPREAD_DB = 10.0
"""Mean difference of levels at which nothing is alike."""
_MOST_APART_DB, _AUDIBLE_DB = 18.0, 6.0
_STILL_DB = 0.5
"""Movements of levels smaller than this say nothing."""
_TONE_HZ, _TONE_SHARE = 2.0, 0.005
"""What two measurements of one tone may differ by."""
_MOST_SHIFT = 60
LENGTHS_APART = 0.2
"""On :func:`length_scale`, how far two sounds may be apart that are one recording."""
_KEY_STEPS = (LENGTHS_APART, 8.0, 8.0, 8.0)
"""Widths of the key's cells: logarithm of the duration, then dB of the spectrum's first three cosine terms."""

_SHAPES = np.cos(np.pi / BANDS * np.outer((1, 2, 3), np.arange(BANDS) + 0.5)) * math.sqrt(2 / BANDS)
"""The first three terms of a spectrum's cosine transform, by band."""

Grid = NDArray[np.float64]


def fingerprint(x: Samples, rate: int) -> str:
    """The fingerprint of ``x``, ``(frames,)`` or ``(frames, channels)``; empty when there is nothing to hear.

    Samples of any type and scale have one fingerprint, so that integers need not be brought to ±1.0.

    At most about 1,200 ASCII characters. Of channels the mean counts, or the first one when they cancel.

    Raises:
        InvalidInput: for a bad rate.
    """
    check_rate(rate)
    found = melprint(x, rate)
    if found is None:
        return ""
    numbers = (found.duration_s * 1000, found.onset_s * 1000, found.tone_hz * 10)
    fields = [_VERSION, *(str(round(n)) for n in numbers), _packed(found.head), _packed(found.probes)]
    return ".".join(fields)


def similarity(a: str, b: str, least: float = 0.0) -> float:
    """How alike two sounds are, 0 to 1; :data:`NEAR` and more is one recording. Symmetric; 0 when either is empty.

    Args:
        a, b: their fingerprints.
        least: a smaller similarity is not worked out to the end; the answer is then anything below it.

    Raises:
        InvalidInput: for text that is no fingerprint.
    """
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0
    first, second = sorted((a, b))
    p, q = _parsed(first), _parsed(second)
    if _other_length(p.duration_s, q.duration_s) or _other_tone(p.tone_hz, q.tone_hz):
        return 0.0
    a_head, b_head = (np.multiply(x.head, STEP_DB, dtype=np.float64) for x in (p, q))
    delay = (q.onset_s - p.onset_s) / HOP_S
    best = 0.0
    for k in (0, -1, 1):
        wanted = max(least, best)
        head = _alike(_overlaid(a_head, b_head, k), wanted)
        if head >= wanted:
            best = max(best, min(head, _alike_later(p.probes, q.probes, k - delay)))
    if best < NEAR and abs(delay) <= _MOST_SHIFT:
        head = _alike(_overlaid(a_head, _between(b_head, delay % 1), math.floor(delay)), max(least, best))
        best = max(best, min(head, _alike_later(p.probes, q.probes, 0.0)))
    return best


@lru_cache(maxsize=512)
def lookup_keys(fp: str) -> tuple[str, ...]:
    """Keys of a fingerprint, 16 or none; two near sounds share at least one.

    Four numbers (duration and the coarse shape of the spectrum) fall into cells of two grids that are half a cell
    apart, so two values less than half a cell apart share a cell of one grid or the other.

    Raises:
        InvalidInput: for text that is no fingerprint.
    """
    if not fp:
        return ()
    found = _parsed(fp)
    values = [_length_scale(found.duration_s), *(_SHAPES @ _profile(found)).tolist()]
    cells = [
        (f"0:{math.floor(value / step)}", f"1:{math.floor(value / step + 0.5)}")
        for value, step in zip(values, _KEY_STEPS, strict=True)
    ]
    return tuple("|".join(key) for key in product(*cells))


@lru_cache(maxsize=512)
def outline(fp: str) -> NDArray[np.float32]:
    """Mean level of each band in every quarter of a second of the head, in dB, ``(OUTLINE,)``.

    Two near sounds' outlines lie on average within :data:`OUTLINE_DB` of each other, which many can be asked at once.
    An empty fingerprint has zeros.

    Raises:
        InvalidInput: for text that is no fingerprint.
    """
    levels = np.zeros((HEAD, BANDS), np.float32)
    if fp:
        head = _parsed(fp).head
        levels[: len(head)] = head
    means: NDArray[np.float32] = levels.reshape(-1, _STRETCH, BANDS).mean(axis=1).ravel() * STEP_DB
    means.setflags(write=False)
    return means


def length_scale(fp: str) -> float:
    """The length of a sound on a scale on which half a second matters to short sounds and a few per cent to long ones.

    Raises:
        InvalidInput: for text that is no fingerprint.
    """
    return _length_scale(_parsed(fp).duration_s)


def _profile(found: Print) -> NDArray[np.float64]:
    """Mean level of each band over the frames that are heard, in dB."""
    profile: NDArray[np.float64] = found.head[found.head.max(axis=1) > 0].astype(np.float64).mean(axis=0)
    return profile * STEP_DB


def _packed(levels: Levels) -> str:
    pairs = levels.reshape(-1, 2)
    return base64.urlsafe_b64encode((pairs[:, 0] << 4 | pairs[:, 1]).tobytes()).decode().rstrip("=")


def _unpacked(text: str) -> Levels:
    packed = np.frombuffer(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), np.uint8)
    return np.stack([packed >> 4, packed & 15], axis=1).reshape(-1, BANDS)


@lru_cache(maxsize=2048)
def _parsed(text: str) -> Print:
    try:
        version, duration, onset, tone, head, probes = text.split(".")
        found = Print(
            int(duration) / 1000, int(onset) / 1000, int(tone) / 10, _unpacked(head), _unpacked(probes)
        )
    except ValueError as error:
        raise InvalidInput("fingerprint", "text made by fingerprint()", text[:40]) from error
    if version != _VERSION or not len(found.head):
        raise InvalidInput("fingerprint", f"version {_VERSION}", text[:40], "made by another version")
    return found


def _other_length(a: float, b: float) -> bool:
    return abs(_length_scale(a) - _length_scale(b)) > LENGTHS_APART


def _length_scale(seconds: float) -> float:
    return math.log(seconds + 0.5)


def _other_tone(a: float, b: float) -> bool:
    """Both are steady tones, of different frequency."""
    return bool(a and b and abs(a - b) > max(_TONE_HZ, _TONE_SHARE * max(a, b)))


def _between(levels: Grid, part: float) -> Grid:
    """Levels at ``part`` of a hop before each frame, for two grids that were anchored at different places."""
    padded = np.concatenate([np.zeros((1, BANDS)), levels, np.zeros((1, BANDS))])
    return part * padded[:-1] + (1 - part) * padded[1:]


def _overlaid(a: Grid, b: Grid, offset: int) -> Grid:
    """Both on one grid ``(2, frames, BANDS)``, ``b`` moved by ``offset`` frames.

    A head that was cut counts only where both are, and not at all when that is less than half of the shorter.
    """
    low, high = min(0, offset), max(len(a), len(b) + offset)
    grid = np.zeros((2, high - low, BANDS))
    grid[0, -low : len(a) - low], grid[1, offset - low : offset - low + len(b)] = a, b
    first, last = max(0, offset), min(len(a), len(b) + offset)
    if 2 * (last - first) < min(len(a), len(b)):
        return grid[:, :0]
    return grid[:, first - low : last - low] if max(len(a), len(b)) >= HEAD else grid


def _alike_later(a: Levels, b: Levels, move: float) -> float:
    """How alike the later probes are when ``b`` is moved by some frames, 1 when there is nothing in them."""
    count = min(len(a), len(b)) // PROBE
    p, q = (x[: count * PROBE].reshape(count, PROBE, BANDS) * STEP_DB for x in (a, b))
    if not p.any() and not q.any():
        return 1.0
    low, part = math.floor(move), move % 1
    if part > 0:
        q, low = part * q[:, :-1] + (1 - part) * q[:, 1:], low + 1
    p, q = p[:, max(0, low) :], q[:, max(0, -low) :]
    inside = min(p.shape[1], q.shape[1])
    if inside < PROBE // 3:
        return 0.0
    return _alike(np.stack([x[:, :inside].reshape(-1, BANDS) for x in (p, q)]))


def _alike(grid: Grid, least: float = 0.0) -> float:
    a, b = grid
    gaps = np.sort((a - b)[np.minimum(a, b) > _AUDIBLE_DB])
    if not len(gaps):
        return 0.0
    gain = (gaps[(len(gaps) - 1) // 2] + gaps[len(gaps) // 2]) / 2
    b = np.where(b > 0, np.clip(b + gain, 0, TOP * STEP_DB), 0.0)
    heard = np.maximum(a, b) > 0
    apart = float(np.minimum(np.abs(a - b), _MOST_APART_DB).sum() / np.count_nonzero(heard))
    levels = max(0.0, 1 - apart / _SPREAD_DB)
    return levels * max(0.0, _moves_alike(a, b, heard)) if levels >= least else 0.0


def _moves_alike(a: Grid, b: Grid, heard: NDArray[np.bool_]) -> float:
    """Correlation of the changes over two frames, relative to the other bands; 1 when nothing moves."""
    if len(a) < 3:
        return 1.0
    moves = [x[2:] - x[:-2] for x in (a, b)]
    cells = heard[2:] | heard[:-2]
    p, q = ((m - m.mean(axis=1, keepdims=True))[cells] for m in moves)
    still = cells.sum() * _STILL_DB**2
    return float((p @ q + still) / math.sqrt((p @ p + still) * (q @ q + still)))
