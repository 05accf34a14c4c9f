"""Similarity to a sound of one's own: its vector in the API's space, by the very model that made the space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sonolake.errors import InvalidInput

if TYPE_CHECKING:
    from sonolake.models.base import AudioEncoder
    from sonolake.search.encoders import Sound

SPACE, DIM = "laion_clap", 512
MATCHING = ("laion/clap-htsat-fused", "630k-audioset-fusion-best.pt")
"""Weights of the space: the checkpoint that Freesound's documentation names, also as it stands on the hub."""


def require_matching(spec: str) -> None:
    """Let a model pass whose vectors can be compared with those of the API.

    Raises:
        InvalidInput: for any other; its vectors would find sounds that have nothing to do with the question.
    """
    family, _, weights = spec.partition(":")
    if family != "clap" or not any(weights == name or weights.endswith(f"/{name}") for name in MATCHING):
        allowed = " or ".join(f"clap:{name}" for name in MATCHING)
        raise InvalidInput("--model", f"the encoder of Freesound's space {SPACE}: {allowed}", spec)


def vector_of(encoder: AudioEncoder, sound: Sound) -> tuple[float, ...]:
    """The unit vector that stands for ``sound``: the mean of its windows' unit vectors, 512 values.

    Raises:
        InvalidInput: for an encoder that is not the space's, or whose vectors have another length.
    """
    require_matching(encoder.spec)
    windows = np.asarray(encoder.encode(sound.samples, sound.rate), dtype=np.float64)
    if windows.ndim != 2 or windows.shape[1] != DIM:
        raise InvalidInput(f"vectors of {encoder.spec}", f"(n, {DIM})", windows.shape)
    mean = np.mean(windows / np.linalg.norm(windows, axis=1, keepdims=True), axis=0)
    return tuple(float(value) for value in mean / np.linalg.norm(mean))
