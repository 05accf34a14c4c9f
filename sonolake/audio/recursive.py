"""Recursive filters, many samples at a time: the work of ``scipy.signal.sosfilt`` as products of matrices.

A recursive filter waits for each sample's result before it can take the next. In state-space form, ``s' = A s + B x``,
``y = C s + D x``, a block of samples is one product instead: what comes out is ``O s + T x`` and the state behind the
block ``A^K s + R x``, where T holds the impulse response (block filtering, Burrus 1972). The states of all blocks are a
slower filter of the same form, which is run in the same way. However many sections a filter has, a sample costs the
same; in float64 the result is that of ``sosfilt`` to about 1e-12 of the loudest sample, however the signal is cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from sonolake.audio.signals import Kind, Real, Signal

BLOCK = 32
"""Samples in a block: products of this size cost little and leave few states."""
STATES = 32
"""Numbers in a block of states: products of larger blocks cost more than they save."""
LEVELS = 5
"""Signal, states of blocks, states of blocks of states, and so on; those that are left are worked out one by one."""
PIECE_FRAMES = 1 << 17
"""Frames filtered at a time, few enough that the memory of one piece is used again for the next."""

KINDS = (np.dtype(np.float64), np.dtype(np.float32))
"""Of samples."""


class Recursive:
    """A filter ``s' = A s + B x``, ``y = C s + D x`` over rows of inputs.

    Args:
        a, b, c, d: ``(n, n)``, ``(n, m)``, ``(p, n)``, ``(p, m)``.
        block: rows in a block.
        levels: how many levels of blocks there are, this one included.
    """

    def __init__(self, a: Signal, b: Signal, c: Signal, d: Signal, block: int, levels: int) -> None:
        self.block, self.inputs, self.outputs = block, b.shape[1], c.shape[0]
        powers = [np.eye(len(a))]
        for _ in range(block):
            powers.append(powers[-1] @ a)
        response = [d, *(c @ power @ b for power in powers[: block - 1])]
        within = np.zeros((block, self.inputs, block, self.outputs))
        for row in range(block):
            for lag in range(block - row):
                within[row, :, row + lag] = response[lag].T
        self._powers = [power.T for power in powers]
        into = np.concatenate([(power @ b).T for power in reversed(powers[:block])])
        through = np.concatenate([(c @ power).T for power in powers[:block]], axis=1)
        whole = within.reshape(block * self.inputs, block * self.outputs)
        self._matrices: dict[Any, tuple[Any, ...]] = {
            kind: tuple(m.astype(kind) for m in (whole, into, through)) for kind in KINDS
        }
        one = np.eye(len(a))
        self._states = (
            Recursive(powers[block], one, one, 0 * one, max(4, STATES // len(a)), levels - 1)
            if levels > 1
            else None
        )

    @property
    def rest(self) -> Signal:
        """The state of silence, ``(n,)``."""
        return np.zeros(len(self._powers[0]))

    def run(self, x: Real, state: Signal) -> tuple[Real, Signal]:
        """Outputs ``(frames, p)`` for inputs ``(frames, m)`` after a state ``(n,)``, and the state behind them.

        Inputs in single precision are multiplied as such; states are always in double.
        """
        within, into, through = self._matrices[x.dtype]
        blocks = len(x) // self.block
        whole = blocks * self.block
        rows = x[:whole].reshape(blocks, self.block * self.inputs)
        y = np.empty((len(x), self.outputs), x.dtype)
        if blocks:
            states, state = self._at_blocks((rows @ into).astype(np.float64, copy=False), state)
            heard = np.matmul(rows, within, out=y[:whole].reshape(blocks, -1))
            heard += states.astype(x.dtype, copy=False) @ through
        left = len(x) - whole
        if left:
            row, given = x[whole:].ravel(), left * self.inputs
            made = left * self.outputs
            y[whole:] = (row @ within[:given, :made] + state @ through[:, :made]).reshape(left, -1)
            state = state @ self._powers[left] + row @ into[-given:]
        return y, state

    def _at_blocks(self, added: Signal, state: Signal) -> tuple[Signal, Signal]:
        """The state before each block, and the one behind the last, from what each block adds to it."""
        if self._states is not None:
            return self._states.run(added, state)
        states, step = np.empty_like(added), self._powers[self.block]
        for row, more in zip(states, added, strict=True):
            row[:] = state
            state = state @ step + more
        return states, state


def sections(sos: Signal) -> Recursive:
    """The filter of second-order sections ``(sections, 6)``, rows ``b0 b1 b2 a0 a1 a2`` with ``a0`` = 1, in series."""
    return _sections(np.ascontiguousarray(sos, np.float64).tobytes())


@lru_cache(maxsize=64)
def _sections(sos: bytes) -> Recursive:
    a, b = np.zeros((0, 0)), np.zeros((0, 1))
    c, d = np.zeros((1, 0)), np.ones((1, 1))
    for b0, b1, b2, _, a1, a2 in np.frombuffer(sos).reshape(-1, 6).tolist():
        own, into = np.array([[-a1, 1.0], [-a2, 0.0]]), np.array([[b1 - a1 * b0], [b2 - a2 * b0]])
        a = np.block([[a, np.zeros((len(a), 2))], [into @ c, own]])
        b = np.concatenate([b, into @ d])
        c = np.concatenate([b0 * c, [[1.0, 0.0]]], axis=1)
        d = b0 * d
    return Recursive(a, b, c, d, BLOCK, LEVELS)


def filtered_pieces(
    sos: Signal, x: Real, frames: int = PIECE_FRAMES, kind: Kind = np.float64
) -> Iterator[tuple[int, Real]]:
    """Mono ``x`` through second-order sections, ``frames`` at a time: the first frame of each piece, and the piece.

    In single precision a piece takes half the time and is right to about a millionth of what goes in.
    """
    system = sections(sos)
    state = system.rest
    for first in range(0, len(x), frames):
        piece: Real = np.ascontiguousarray(x[first : first + frames], kind)
        y, state = system.run(piece[:, None], state)
        yield first, y[:, 0]


def filtered(sos: Signal, x: Signal, kept: Kind = np.float64) -> Real:
    """Mono ``x`` through second-order sections, in double precision; the result may be kept in single."""
    y = np.empty(len(x), kept)
    for first, piece in filtered_pieces(sos, x):
        y[first : first + len(piece)] = piece
    return y
