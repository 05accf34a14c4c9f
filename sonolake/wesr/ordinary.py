"""An example against ordinary speech: what sets its windows apart, and by how much others are nearer than speech is.

Windows of speech are much alike in any vector space, and a mean over an example's windows is mostly what they share
with them. So each window of an example is asked by itself, less the mean of ordinary windows (relevance feedback from
what is not relevant: Rocchio 1971), and what it finds is counted in standard deviations of what ordinary windows have
(zero normalisation: Auckenthaler, Carey and Lloyd-Thomas 2000), so that windows which are near to everything do not
outvote the others.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]

MOST_WINDOWS = 8
"""Windows of an example that are asked: of more, those that differ most from ordinary speech."""
NONE = 1e-9
"""Length of a difference, or a standard deviation, from which on there is none."""


class Ordinary:
    """Windows of ordinary speech in a space that is searched by cosine.

    Args:
        windows: their vectors ``(n, dim)``; of fewer than two no standard is taken.
    """

    def __init__(self, windows: npt.ArrayLike) -> None:
        self._windows = _unit(np.asarray(windows, dtype=np.float64))

    @cached_property
    def _mean(self) -> Matrix:
        few = len(self._windows) < 2
        return np.zeros(self._windows.shape[1]) if few else np.asarray(self._windows.mean(axis=0))

    def directions(self, example: npt.ArrayLike) -> Matrix:
        """Unit vectors ``(m, dim)`` of what sets the windows ``(n, dim)`` of an example apart, farthest first.

        At most :data:`MOST_WINDOWS`; equals in their order. A window that is the mean itself has none.
        """
        apart = _unit(np.asarray(example, dtype=np.float64)) - self._mean
        lengths = np.linalg.norm(apart, axis=1)
        order = np.argsort(-lengths, kind="stable")[:MOST_WINDOWS]
        return _unit(apart[order[lengths[order] > NONE]])

    def distances(self, direction: Matrix, cosine_distances: npt.ArrayLike) -> Matrix:
        """Cosine distances to a direction as ``1 - z / sqrt(1 + z²)``: 0 to 2, 1 where an ordinary window is.

        ``z`` is how many standard deviations of ordinary windows the cosine is above their mean. Where they have none
        the distances stay as they are.
        """
        far = np.asarray(cosine_distances, dtype=np.float64)
        ordinary = np.einsum("nd,d->n", self._windows, direction)
        if len(ordinary) < 2 or (spread := float(ordinary.std())) < NONE:
            return far
        z = (1.0 - far - ordinary.mean()) / spread
        return np.asarray(1.0 - z / np.sqrt(1.0 + z**2))


def _unit(x: Matrix) -> Matrix:
    return np.asarray(x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), NONE))
