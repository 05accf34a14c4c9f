"""DNSMOS P.835: how people would rate the speech, the background and the whole of a recording, 1 to 5.

Reddy, Gopal and Cutler, "DNSMOS P.835" (ICASSP 2022). The network (MIT) is a file of the package ``speechmos``,
whose code is not used. It hears 9.01 s at 16 kHz; longer sound is heard every second and averaged, shorter one is
repeated, as its authors' program does. Their polynomials turn the network's scores into ratings.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sonolake.models.packages import SPEECHMOS, file_sha256, require
from sonolake.models.sessions import session_of
from sonolake.models.signals import mono_at

RATE = 16_000
WINDOW = int(9.01 * RATE)
_SPEECH = (-0.08397278, 1.22083953, 0.0052439)
_BACKGROUND = (-0.13166888, 1.60915514, -0.39604546)
_OVERALL = (-0.06766283, 1.11546468, 0.04602535)


class Rating(NamedTuple):
    """Ratings from 1 (bad) to 5 (excellent)."""

    speech: float
    background: float
    overall: float


class Dnsmos:
    """A :class:`~sonolake.models.base.SpeechQuality`: ``dnsmos``."""

    spec = "dnsmos"
    licence = "MIT"

    def __init__(self) -> None:
        """Find the network.

        Raises:
            MissingPackage: when ``speechmos``, or onnxruntime, is not installed.
        """
        require(self.spec, "onnxruntime")
        self._path = SPEECHMOS.file("dnsmos_models/sig_bak_ovr.onnx", self.spec)

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the ONNX file."""
        return file_sha256(self._path)

    @cached_property
    def _session(self) -> Any:
        return session_of(self._path)

    def ratings(self, x: npt.NDArray[Any], rate: int) -> Rating:
        """The ratings of a mono signal.

        Raises:
            InvalidInput: when it is empty, not mono, or not finite.
        """
        signal = np.clip(mono_at(x, rate, RATE), -1.0, 1.0)
        while signal.size < WINDOW:
            signal = np.concatenate([signal, signal])
        hops = int(np.floor(signal.size / RATE) - WINDOW / RATE) + 1
        starts = (second * RATE for second in range(max(1, hops)))
        windows = [signal[at : at + WINDOW] for at in starts if at + WINDOW <= signal.size]
        raw = np.array([self._session.run(None, {"input_1": one[None]})[0][0] for one in windows])
        curves = (_SPEECH, _BACKGROUND, _OVERALL)
        return Rating(*(float(np.polyval(curve, raw[:, n]).mean()) for n, curve in enumerate(curves)))

    def overall(self, x: npt.NDArray[Any], rate: int) -> float:
        """The overall rating of a mono signal: see :meth:`ratings`."""
        return self.ratings(x, rate).overall
