"""Does a recovered topic match the one that was asked for: sentence vectors with a threshold calibrated per model.

The threshold is where sensitivity + specificity - 1 is highest (Youden 1950) between pairs that belong together and
pairs that do not; in the paper 0.82 for one model, which holds for that model alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sonolake.errors import InvalidInput

Cosines = Sequence[float] | NDArray[np.float64]


class Encoder(Protocol):
    """Sentences to unit vectors."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors ``(len(texts), dim)``."""


@dataclass(frozen=True)
class Threshold:
    """A calibrated threshold.

    Attributes:
        tau: pairs with at least this cosine match.
        youden: sensitivity + specificity - 1 there. auc: area under the ROC curve, 0.5 is chance.
        positives, negatives: pairs that it was calibrated on.
    """

    tau: float
    youden: float
    auc: float
    positives: int
    negatives: int


def cosines(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """The cosine of each pair of sentences."""
    if not pairs:
        return np.zeros(0)
    texts = sorted({text for pair in pairs for text in pair})
    vectors = np.asarray(encoder.encode(texts), dtype=float)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    row = {text: n for n, text in enumerate(texts)}
    first, second = ([row[pair[side]] for pair in pairs] for side in (0, 1))
    return np.asarray((vectors[first] * vectors[second]).sum(axis=1))


def calibrate(same: Cosines, different: Cosines) -> Threshold:
    """The threshold of highest Youden index; of several the lowest.

    Args:
        same: cosines of pairs that belong together.
        different: cosines of pairs that do not.

    Raises:
        InvalidInput: when either is empty.
    """
    if not len(same) or not len(different):
        raise InvalidInput("pairs", "one or more of either kind", (len(same), len(different)))
    yes, no = np.sort(np.asarray(same, float)), np.sort(np.asarray(different, float))
    cuts = np.unique(np.concatenate([yes, no]))
    sensitivity = 1 - np.searchsorted(yes, cuts, side="left") / len(yes)
    specificity = np.searchsorted(no, cuts, side="left") / len(no)
    youden = sensitivity + specificity - 1
    best = int(np.argmax(youden))
    below = np.searchsorted(no, yes, side="left") + np.searchsorted(no, yes, side="right")
    auc = float(below.sum() / (2 * len(yes) * len(no)))
    return Threshold(float(cuts[best]), float(youden[best]), auc, len(yes), len(no))


def identified(encoder: Encoder, scenes: Sequence[tuple[str, str, Sequence[str]]]) -> NDArray[np.bool_]:
    """Whether what was read of each scene is nearer to its own topic than to any other one.

    Args:
        encoder: of sentences.
        scenes: what was read, the scene's own topic, and other ones, such as those of the same template.
    """
    pairs = [(read, topic) for read, own, others in scenes for topic in (own, *others)]
    near, at, found = cosines(encoder, pairs), 0, []
    for _, _, others in scenes:
        rest = near[at + 1 : at + 1 + len(others)]
        found.append(bool(np.all(near[at] > rest)))
        at += 1 + len(others)
    return np.array(found, dtype=bool)
