"""The sound of a task as a browser plays and shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sonolake.errors import ItemRefused
from sonolake.wesr.annotation.tasks import Task, Times, estimated

RATE = 24_000
LONGEST_S = 600.0
"""A longer recording is not shown."""
SIZE = (1600, 160)
"""Pixels of the spectrogram."""
QUIET_DB = -40.0
"""Below the loudest, what is before and after the speech."""


@dataclass(frozen=True)
class Shown:
    """What the page gets: a WAV file, a PNG, seconds, and where the sound begins and ends."""

    wav: bytes
    spectrogram: bytes
    duration_s: float
    start_s: float
    end_s: float


class Sounds:
    """Recordings of a project.

    Args:
        folder: of relative paths.
        media: of ``media:`` hashes, the folder ``media`` of a lake; None without a lake.
    """

    def __init__(self, folder: Path, media: Path | None = None) -> None:
        self._folder, self._media = folder, media
        self.show = lru_cache(maxsize=16)(self._show)

    def path(self, audio: str) -> Path:
        """Where a recording lies.

        Raises:
            ItemRefused: ``missing`` when there is none, or it lies outside the folders.
        """
        name = audio.removeprefix("media:")
        if name != audio:
            root, inner = self._media, Path(name[:2]) / name
        else:
            root, inner = self._folder, Path(audio)
        if root is None:
            raise ItemRefused("missing", f"{audio} lies in a lake: serve with --lake")
        path = (root / inner).resolve()
        if not path.is_relative_to(root.resolve()) or not path.is_file():
            raise ItemRefused("missing", f"no recording {audio} in {root}")
        return path

    def times(self, task: Task) -> Times:
        """Times of the words: those that are known, else estimated."""
        if task.times:
            return task.times
        shown = self.show(task.audio)
        return estimated(task.text, shown.start_s, shown.end_s)

    def _show(self, audio: str) -> Shown:
        from sonolake.audio.decode import decode
        from sonolake.audio.encode import quantise, wav_bytes
        from sonolake.audio.resample import resample
        from sonolake.audio.spectrogram import png

        path = self.path(audio)
        decoded = decode(path.read_bytes(), path.name, LONGEST_S)
        mono = resample(decoded.samples.mean(axis=1), decoded.sample_rate, RATE).clip(-1.0, 1.0)
        start, end = _sounding(mono)
        picture = png(mono, RATE, *SIZE)
        return Shown(wav_bytes(quantise(mono), RATE), picture, len(mono) / RATE, start, end)


def _sounding(x: NDArray[np.float64]) -> tuple[float, float]:
    """Where sound begins and ends, seconds: the first and last 20 ms that are not quiet."""
    frame = RATE // 50
    size = max(1, len(x) // frame)
    power = np.array([float(np.mean(part**2)) if len(part) else 0.0 for part in np.array_split(x, size)])
    loud = np.flatnonzero(power >= power.max() * 10 ** (QUIET_DB / 10))
    if not power.any():
        return 0.0, len(x) / RATE
    step = len(x) / size / RATE
    return float(loud[0] * step), float((loud[-1] + 1) * step)
