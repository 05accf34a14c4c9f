"""The voices of the package ``hibari-tts`` (Apache-2.0), 24 kHz.

Voice ``heart`` lies in the package. The package knows four more, which it would download: they are offered
only where their file already lies in the package's cache folder with the right hash; nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from sonolake.errors import InvalidInput, MissingPackage
from sonolake.models.base import Signal
from sonolake.models.packages import HIBARI, HIBARI_VOICE_LINE, file_sha256, require
from sonolake.models.phonemes import check_sayable


class HibariVoice:
    """A :class:`~sonolake.models.base.Voice`: ``hibari:heart`` and its siblings."""

    licence = "Apache-2.0"
    sample_rate = 24_000
    tags: frozenset[str] = frozenset()

    def __init__(self, name: str = "heart") -> None:
        """Find the voice's file.

        Raises:
            InvalidInput: for a voice that the package does not know.
            MissingPackage: when the package, or this voice's file, is not installed.
        """
        require(f"hibari:{name}", "onnxruntime")
        HIBARI.file("assets/hibari.onnx", f"hibari:{name}")
        from hibari.voices import VOICES

        if name not in VOICES:
            raise InvalidInput("hibari voice", f"one of {', '.join(sorted(VOICES))}", name)
        self.spec = f"hibari:{name}"
        self.gender = str(VOICES[name]["gender"])[:1]
        self._name = name
        self._path = _voice_file(name, str(VOICES[name]["sha256"]))
        self._lock = Lock()

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the voice's ONNX file."""
        return file_sha256(self._path)

    @property
    def assets(self) -> Mapping[str, str]:
        """The voice's one file and its SHA-256."""
        return {self._path.name: self.weights_sha256}

    @cached_property
    def _engine(self) -> Any:
        from hibari import Hibari

        return Hibari(voice=self._name, model=str(self._path), threads=1)

    def speak(self, text: str, seed: int) -> Signal:
        """Mono speech at 24 kHz: equal text and seed give equal samples.

        Args:
            text: plain English, one or more sentences.
            seed: 0 or more; seeds the noise of unvoiced sounds.

        Raises:
            InvalidInput: when the text holds nothing that can be said.
        """
        with self._lock:
            samples = self._engine(check_sayable(text), seed=seed)
        if samples.size == 0:
            raise InvalidInput("text", "English words", text)
        return np.asarray(samples, dtype=np.float64)


def _voice_file(name: str, sha256: str) -> Path:
    """Where the voice's file lies; never a download."""
    from hibari.voices import DEFAULT, VOICES, cache_dir

    if name == DEFAULT:
        return HIBARI.file("assets/hibari.onnx", f"hibari:{name}")
    path = Path(cache_dir()) / Path(str(VOICES[name]["file"])).name
    if not path.is_file() or file_sha256(path) != sha256:
        raise MissingPackage(f"hibari voice {name}", f"hibari:{name}", HIBARI_VOICE_LINE.format(name=name))
    return path
