"""Shortcut report: can what has nothing to do with the words tell the reaction?

A classifier sorts sounds into cells of quantiles (of several numbers together, fewer of each) and guesses the
reaction that is likeliest in a cell when all are equally frequent. It is cross-validated so that scenes of one
template stay together, and compared with itself on shuffled labels: balanced accuracy within the middle 95 % of those
is chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sonolake.cares.records import REACTIONS
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of, seed_of

FOLDS = 5
BINS = {1: 8, 2: 4}
"""Quantiles of each number, by how many numbers are looked at together; three or more get 3 each."""
SHUFFLES = 200
Labels = NDArray[np.int64]
Values = Sequence[float] | Sequence[str]


@dataclass(frozen=True)
class Shortcut:
    """How far a set of features leads.

    Attributes:
        features: their names.
        accuracy: balanced, cross-validated; 0.25 is chance.
        low, high: middle 95 % on shuffled labels.
        n: sounds. within: the part of them that was compared, such as ``early and middle``.
        must: whether it has to stay within chance.
        tied: whether the rules of the scenes themselves tie it to the reaction.
    """

    features: tuple[str, ...]
    accuracy: float
    low: float
    high: float
    n: int
    within: str = "all"
    must: bool = False
    tied: bool = False

    @property
    def tells(self) -> bool:
        """Whether the features tell more than chance would."""
        return self.accuracy > self.high


def shortcut(
    reactions: Sequence[str],
    features: Mapping[str, Values],
    groups: Sequence[str],
    shuffles: int = SHUFFLES,
    within: str = "all",
    must: bool = False,
    tied: bool = False,
) -> Shortcut:
    """How far features lead to the reaction.

    Args:
        reactions: of each sound.
        features: by name, a number or a name a sound; not-a-number is a cell of its own.
        groups: what stays in one fold, such as the template.
        shuffles: of the labels, for the interval.
        within, must, tied: for the report.

    Raises:
        InvalidInput: for features of another length, fewer groups than folds, or an unknown reaction.
    """
    if strange := set(reactions) - set(REACTIONS):
        raise InvalidInput("reactions", f"some of {REACTIONS}", sorted(strange))
    lengths = {len(reactions), len(groups), *map(len, features.values())}
    if len(lengths) != 1 or len(set(groups)) < FOLDS:
        allowed = f"one a sound, in {FOLDS} groups or more"
        raise InvalidInput("features", allowed, (sorted(lengths), len(set(groups))), "too few scenes")
    labels = np.array([REACTIONS.index(reaction) for reaction in reactions])
    cells = _cells(features)
    folds = _folds(groups)
    rng = rng_of(",".join(features), "shortcut")
    chance = [_accuracy(cells, rng.permutation(labels), folds) for _ in range(shuffles)]
    low, high = np.quantile(chance, (0.025, 0.975)) if chance else (0.0, 1.0)
    accuracy = _accuracy(cells, labels, folds)
    return Shortcut(tuple(features), accuracy, float(low), float(high), len(labels), within, must, tied)


def _folds(groups: Sequence[str]) -> Labels:
    """Groups in an order of their own, dealt out in turn."""
    order = sorted(set(groups), key=lambda group: (seed_of(group, "fold"), group))
    fold = {group: n % FOLDS for n, group in enumerate(order)}
    return np.array([fold[group] for group in groups])


def _cells(features: Mapping[str, Values]) -> Labels:
    """The cell of each sound, from 0."""
    bins = BINS.get(len(features), 3)
    columns = np.stack([_binned(values, bins) for values in features.values()], axis=1)
    return np.unique(columns, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _binned(values: Values, bins: int) -> Labels:
    """The bin of each value: of a name its rank, of a number its quantile from 1, and 0 for not-a-number."""
    array = np.asarray(values)
    if array.dtype.kind == "U":
        return np.unique(array, return_inverse=True)[1].astype(np.int64)
    array = array.astype(float)
    known = array[~np.isnan(array)]
    if not len(known):
        return np.zeros(len(array), dtype=np.int64)
    edges = np.unique(np.quantile(known, np.linspace(0, 1, bins + 1)[1:-1]))
    return np.where(np.isnan(array), 0, np.searchsorted(edges, array, side="right") + 1).astype(np.int64)


def _accuracy(cells: Labels, labels: Labels, folds: Labels) -> float:
    """Balanced accuracy over the folds."""
    predicted = np.zeros(len(labels), dtype=np.int64)
    for fold in range(FOLDS):
        train, test = folds != fold, folds == fold
        predicted[test] = _likeliest(cells[train], labels[train], int(cells.max()))[cells[test]]
    return float(np.mean([np.mean(predicted[labels == kind] == kind) for kind in np.unique(labels)]))


def _likeliest(cells: Labels, labels: Labels, last: int) -> Labels:
    """The likeliest reaction in each cell with equal priors; where nothing is known, always the same one."""
    counts = np.zeros((len(REACTIONS), last + 1))
    np.add.at(counts, (labels, cells), 1)
    return np.asarray(
        (counts / np.maximum(1, counts.sum(axis=1, keepdims=True))).argmax(axis=0), dtype=np.int64
    )
