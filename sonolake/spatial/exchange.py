"""False answers that are exchanged with true ones, so that what is asked about says nothing of the answer.

Were false values drawn apart from the true ones, whoever knows which values are usual could tell them without
listening. Here the false value of a question is the true one of others, by a reversible Markov chain: over all
questions "true i, false j" is as frequent as "true j, false i", and no value is more often true than false.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

Value = TypeVar("Value", bound=Hashable)
_SWEEPS = 60


@dataclass(frozen=True)
class Exchange(Generic[Value]):
    """The values that a split's clips can be asked about.

    Attributes:
        values: each once. weights: how often each is asked about, as shares.
        apart: which may stand for which: values in, a symmetric matrix of truths out.
    """

    values: tuple[Value, ...]
    weights: tuple[float, ...]
    apart: Callable[[tuple[Value, ...]], np.ndarray]

    def reached(self, truth: Value) -> bool:
        """Whether any value may stand for this one."""
        row = self._position.get(truth)
        return row is not None and bool(self._chain[row].any())

    def other(self, truth: Value, rng: np.random.Generator) -> Value | None:
        """A false value for a true one; None where the chain stays, since some values are too frequent for it."""
        row = self._position.get(truth)
        if row is None:
            return None
        chosen = int(np.searchsorted(np.cumsum(self._chain[row]), float(rng.random()), side="right"))
        return self.values[chosen] if chosen < len(self.values) else None

    @cached_property
    def _position(self) -> Mapping[Value, int]:
        return {value: row for row, value in enumerate(self.values)}

    @cached_property
    def _chain(self) -> np.ndarray:
        """Chance of each false value (column) for each true one (row); rows sum to at most one.

        The chances are w_j u_i u_j where i and j are apart, with u such that rows sum to one: the symmetric scaling
        of a matrix (Sinkhorn and Knopp 1967). Reversible with respect to w by its form, whether or not scaling has
        converged.
        """
        weighted = self.apart(self.values) * np.array(self.weights)
        scale = np.ones(len(weighted))
        for _ in range(_SWEEPS):
            reached = weighted @ scale
            scale = np.sqrt(scale / np.where(reached > 0, reached, np.inf))
        rows = np.maximum(1.0, scale * (weighted @ scale))
        return np.asarray(weighted * scale * scale[:, None] / np.maximum(rows, rows[:, None]))


def different(values: tuple[Value, ...]) -> np.ndarray:
    """Any value but the true one."""
    return ~np.eye(len(values), dtype=bool)
