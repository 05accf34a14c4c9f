"""An example against ordinary speech: what is heard in speech when its sound is laid over it, and is not otherwise.

A recording of a cough is little like a cough in the middle of a sentence: in any vector space, windows of speech are
much alike, whatever else is heard in them. So an example is laid over some speech (:func:`in_speech`), and what is
looked for is the difference that it makes, and a little of the example by itself. Differences count by how unusual they
are: directions in which windows of ordinary speech differ from each other anyway are taken back (linear discriminant
analysis with a ridge: Friedman 1989).
What other labels' examples would make of the same speech is counted against it, by half, so that coughs are not what a
throat that is cleared finds first. Finally, what is found is counted in standard deviations of ordinary windows (zero
normalisation: Auckenthaler, Carey and Lloyd-Thomas 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.linalg

from sonolake.audio.activity import active, loudest
from sonolake.audio.levels import db_to_gain, rms_dbfs
from sonolake.audio.signals import Signal

Matrix = npt.NDArray[np.float64]

OVER_SPEECH_DB = (0.0, 6.0, 12.0)
"""Levels of an example over the speech it is laid over, in turn."""
HEARD_DB = 40.0
"""Before and after what is within this of its loudest moment, an example is silent."""
LONGEST_S = 2.5
"""As much of an example is laid over speech."""
LEAD_S = 0.5
"""Speech before and after it."""
ALONE = 0.2
"""Share of the example by itself in what is looked for, as it would stand in a pause."""
RIDGE = 3.0
"""How many times the mean variance of ordinary windows is added to each direction's: some of what is taken for
ordinary has events in it, which must not be explained away."""
OTHERS = 0.5
"""What other labels' examples count against one."""
NONE = 1e-9
"""Length of a difference, or a standard deviation, from which on there is none."""


def in_speech(example: Signal, speech: Sequence[Signal], rate: int) -> Signal:
    """Some speech, one stretch after the other, with the example laid over each.

    Args:
        example: samples ``(frames,)``; of it what is heard, at most its first :data:`LONGEST_S`.
        speech: utterances; of each the loudest stretch that has room for the example, or all of it.
        rate: Hz, of all of them.

    Returns:
        One signal; the example itself where there is no speech, or where it is silent.
    """
    start, end = active(example, rate, HEARD_DB)
    heard, lead = example[start : min(end, start + round(LONGEST_S * rate))], round(LEAD_S * rate)
    if not speech or not np.any(heard):
        return example
    made = []
    for number, whole in enumerate(speech):
        frames = len(heard) + 2 * lead
        first = max(0, loudest(whole, frames))
        stretch = np.zeros(frames)
        stretch[: len(whole[first : first + frames])] = whole[first : first + frames]
        over_db = rms_dbfs(stretch) + OVER_SPEECH_DB[number % len(OVER_SPEECH_DB)] - rms_dbfs(heard)
        stretch[lead : lead + len(heard)] += heard * db_to_gain(over_db)
        made.append(stretch)
    return np.concatenate(made)


class Ordinary:
    """Windows of ordinary speech in a space that is searched by cosine.

    Args:
        windows: their vectors ``(n, dim)``; of fewer than two no standard is taken.
    """

    def __init__(self, windows: npt.ArrayLike) -> None:
        self._windows = _unit(np.asarray(windows, dtype=np.float64))
        self._few = len(self._windows) < 2

    @cached_property
    def _mean(self) -> Matrix:
        return np.zeros(self._windows.shape[1]) if self._few else np.asarray(self._windows.mean(axis=0))

    @cached_property
    def _spread(self) -> Matrix:
        """Cholesky factor of the covariance with its ridge; of the identity where windows do not differ."""
        apart = self._windows - self._mean
        covariance = np.einsum("nd,ne->de", apart, apart, optimize=True) / max(1, len(apart))
        ridge = RIDGE * float(np.trace(covariance)) / len(covariance)
        if self._few or ridge < NONE**2:
            return np.eye(len(covariance))
        return np.asarray(scipy.linalg.cholesky(covariance + ridge * np.eye(len(covariance)), lower=True))

    def difference(self, in_speech: npt.ArrayLike, alone: npt.ArrayLike) -> Matrix:
        """What sets an example apart, ``(dim,)``: the longer, the less usual it is.

        Args:
            in_speech: its windows laid over speech, ``(n, dim)``.
            alone: its windows by itself, ``(m, dim)``.
        """
        heard, itself = (_unit(np.asarray(x, dtype=np.float64)).mean(axis=0) for x in (in_speech, alone))
        apart = (1 - ALONE) * heard + ALONE * itself - self._mean
        return np.asarray(scipy.linalg.cho_solve((self._spread, True), apart))

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


def direction(difference: Matrix, others: Sequence[Matrix]) -> Matrix:
    """What to look for, of unit length: a difference, less half the mean of those of others.

    Zeros when nothing is left. Single precision hides the last digits of a processor's linear algebra.
    """
    left = difference - OTHERS * np.mean(others, axis=0) if others else difference
    return np.asarray(_unit(left[None])[0].astype(np.float32), dtype=np.float64)


def _unit(x: Matrix) -> Matrix:
    return np.asarray(x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), NONE))
