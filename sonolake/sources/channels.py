"""Responses that are not yet one file of four channels: some channels of more, a file a channel, or capsules.

What they are is declared in a table ``[channels]`` of a layout. ``use`` names the channels of a file that are meant,
from 0, in the convention's order; ``files`` the values of the name's group ``channel``, each a file of one channel, in
that order; ``matrix`` turns what was chosen into four channels, a row each, for capsules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput, ItemRefused

FOUR = 4
_KEYS = {"use", "files", "matrix"}


@dataclass(frozen=True)
class ChannelMap:
    """From channels to the four of a convention.

    Attributes:
        use: channels of the file or files together, from 0; all of them when empty.
        files: names of channels, each of which is a file; empty where a file has them all.
        matrix: four rows of as many factors as there are channels; empty for none.
    """

    use: tuple[int, ...] = ()
    files: tuple[str, ...] = ()
    matrix: tuple[tuple[float, ...], ...] = ()

    def four(self, x: Signal) -> Signal:
        """``(frames, channels)`` as ``(frames, 4)``.

        Raises:
            ItemRefused: ``unknown_convention`` for fewer channels than are named, or other than four in the end.
        """
        if self.use and max(self.use) >= x.shape[1]:
            raise ItemRefused(
                "unknown_convention", f"{x.shape[1]} channels, and channel {max(self.use)} is named"
            )
        chosen = x[:, list(self.use)] if self.use else x
        if self.matrix:
            factors = np.array(self.matrix)
            if factors.shape[1] != chosen.shape[1]:
                raise ItemRefused(
                    "unknown_convention",
                    f"{chosen.shape[1]} channels, and the matrix is for {factors.shape[1]}",
                )
            chosen = chosen @ factors.T
        if chosen.shape[1] != FOUR:
            raise ItemRefused("unknown_convention", f"{chosen.shape[1]} channels, and Ambisonics has {FOUR}")
        return np.ascontiguousarray(chosen)

    def joined(self, parts: Sequence[Signal]) -> Signal:
        """Files of one channel, in the order of :attr:`files`, as one signal ``(frames, channels)``.

        Raises:
            ItemRefused: ``unknown_convention`` when one has more channels, or they differ in length.
        """
        shapes = sorted({part.shape for part in parts})
        if len(shapes) != 1 or shapes[0][1] != 1:
            raise ItemRefused("unknown_convention", f"files of one channel and one length, not {shapes}")
        return np.concatenate(parts, axis=1)


def channel_map(where: str, raw: Any) -> ChannelMap:
    """What a table ``[channels]`` declares.

    Args:
        where: the file's name, for messages.
        raw: the table.

    Raises:
        InvalidInput: for anything else.
    """
    what = f"{where}: channels"
    if not isinstance(raw, Mapping) or not raw or set(raw) - _KEYS:
        raise InvalidInput(what, f"a table with some of {', '.join(sorted(_KEYS))}", raw)
    use, files, matrix = (raw.get(key, []) for key in ("use", "files", "matrix"))
    if not all(isinstance(values, list) for values in (use, files, matrix)):
        raise InvalidInput(what, "lists", raw)
    if any(not isinstance(n, int) or isinstance(n, bool) or n < 0 for n in use) or len(set(use)) < len(use):
        raise InvalidInput(f"{what}: use", "different numbers of channels, from 0", use)
    if len({str(name) for name in files}) < len(files):
        raise InvalidInput(f"{what}: files", "different names", files)
    rows = _matrix(what, matrix)
    if not rows and (use or files) and len(use or files) != FOUR:
        raise InvalidInput(what, f"{FOUR} channels, or a matrix that makes {FOUR} of them", use or files)
    return ChannelMap(tuple(use), tuple(map(str, files)), rows)


def _matrix(what: str, matrix: list[Any]) -> tuple[tuple[float, ...], ...]:
    try:
        factors = np.array(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        factors = np.full((1, 1), np.nan)
    if matrix and (factors.ndim != 2 or factors.shape[0] != FOUR or not np.isfinite(factors).all()):
        raise InvalidInput(f"{what}: matrix", f"{FOUR} rows of numbers, all of one length", matrix)
    return tuple(tuple(float(factor) for factor in row) for row in factors) if matrix else ()
