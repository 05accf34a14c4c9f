"""BEATs from a checkpoint of its authors: vectors for each 0.96 s of sound, every 0.48 s.

The network gives eight vectors for each 0.16 s, one a band of frequencies. A window's vector is the mean of its 48, so
that windows lie where YAMNet's do. Long sounds go through in stretches of 9.6 s, about the ten seconds that it was
trained on, which overlap so that each window is heard whole. Only ``{"cfg", "model"}`` files are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput
from sonolake.models.base import Vectors
from sonolake.models.beats_net import BeatsNet
from sonolake.models.checkpoints import checkpoint_of
from sonolake.models.fbank import BANDS, fbank
from sonolake.models.logmel import PATCH, PATCH_HOP, PATCH_HOP_S, PATCH_S, RATE, padded
from sonolake.models.packages import file_sha256
from sonolake.models.pytorch import batch_size, device, existing, read_checkpoint, require_torch
from sonolake.models.signals import mono_at

MEAN, SPREAD = 15.41663, 6.55582
"""Of the log energies of AudioSet, as the authors' code has them; features are (log energy - mean) / (2 spread)."""
SIDE = 16
"""Frames, and bands, of a patch."""
STRETCH = 19
"""Windows of a stretch: 19 of 0.96 s every 0.48 s are 9.6 s."""

Signals = Sequence[tuple[npt.NDArray[Any], int]]


class Beats:
    """A :class:`~sonolake.models.base.BatchEncoder`.

    Args:
        path: the checkpoint.

    Raises:
        MissingPackage: without PyTorch.
        NotFound: without the file.
    """

    sample_rate = RATE
    window_s = PATCH_S
    hop_s = PATCH_HOP_S

    def __init__(self, path: str) -> None:
        self.spec = f"beats:{path}"
        require_torch(self.spec)
        self._path = existing(path, self.spec)

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the checkpoint."""
        return file_sha256(self._path)

    @property
    def licence(self) -> str:
        """The licence of the checkpoint, where it is a published one."""
        return checkpoint_of(self.weights_sha256).licence

    @property
    def dim(self) -> int:
        """Length of a vector: 768 of the published checkpoints."""
        return self._net.shape.encoder_embed_dim

    @property
    def about(self) -> str:
        """Which published file it is, or how it is built."""
        shape = self._net.shape
        return checkpoint_of(self.weights_sha256).name or (
            f"BEATs of {shape.encoder_layers} layers, {shape.encoder_attention_heads} heads, {self.dim}-d"
        )

    @cached_property
    def _net(self) -> BeatsNet:
        read = read_checkpoint(self._path)
        if not isinstance(read.get("cfg"), dict) or not isinstance(read.get("model"), dict):
            raise InvalidInput("BEATs checkpoint", "the keys cfg and model", sorted(read))
        return BeatsNet(read["cfg"], read["model"], device())

    def encode(self, x: npt.NDArray[Any], rate: int) -> Vectors:
        """Vectors ``(n_windows, dim)`` of a mono signal; it is padded with zeros as YAMNet's are.

        Raises:
            InvalidInput: when the signal is empty, not mono, or not finite; or the checkpoint is no BEATs.
        """
        return self.encode_many([(x, rate)])[0]

    def encode_many(self, signals: Signals) -> list[Vectors]:
        """:meth:`encode` of several signals, in batches on a card."""
        out, stretches = [], []
        for number, (x, rate) in enumerate(signals):
            features = (fbank(padded(mono_at(x, rate, RATE))) - MEAN) / (2 * SPREAD)
            count = 1 + (len(features) - PATCH) // PATCH_HOP
            out.append(np.empty((count, self.dim), dtype=np.float32))
            stretches += [(number, start, features) for start in _starts(count)]
        for batch in _batches(stretches, batch_size()):
            for (number, start, _), vectors in zip(batch, self._windows(batch), strict=True):
                out[number][start : start + STRETCH] = vectors
        return out

    def _windows(self, batch: Sequence[tuple[int, int, npt.NDArray[Any]]]) -> Vectors:
        import torch

        cut = np.stack([_stretch(features, start) for _, start, features in batch])
        with torch.inference_mode():
            patches = self._net(torch.from_numpy(cut.astype(np.float32)).to(device())).float().cpu().numpy()
        bands, columns = BANDS // SIDE, cut.shape[1] // SIDE
        times = patches.reshape(len(batch), columns, bands, -1).mean(axis=2)
        wide, hop = PATCH // SIDE, PATCH_HOP // SIDE
        starts = range(0, columns - wide + 1, hop)
        return np.stack([times[:, start : start + wide].mean(axis=1) for start in starts], axis=1)


def _starts(count: int) -> Iterator[int]:
    """The first window of each stretch; the last one reaches back, so that it is as long as the others."""
    yield from range(0, max(1, count - STRETCH + 1), STRETCH)
    if count > STRETCH and count % STRETCH:
        yield count - STRETCH


def _stretch(features: npt.NDArray[Any], start: int) -> npt.NDArray[Any]:
    windows = min(STRETCH, 1 + (len(features) - PATCH) // PATCH_HOP)
    begin = start * PATCH_HOP
    return features[begin : begin + PATCH + (windows - 1) * PATCH_HOP]


def _batches(
    stretches: Sequence[tuple[int, int, npt.NDArray[Any]]], size: int
) -> Iterator[list[tuple[int, int, npt.NDArray[Any]]]]:
    """Stretches of equal length together, at most ``size``."""
    by_length: dict[int, list[tuple[int, int, npt.NDArray[Any]]]] = {}
    for one in stretches:
        by_length.setdefault(len(_stretch(one[2], one[1])), []).append(one)
    for alike in by_length.values():
        yield from (alike[start : start + size] for start in range(0, len(alike), size))
