"""Kokoro-82M's voices (StyleTTS 2, Li et al. 2023; 24 kHz, Apache-2.0), run by onnxruntime; hibari reads the English.

The network's quantised export lies in four packages whose files are read and whose code is not run. They bring five
voices, recorded in Japanese, that speak English with an accent. English voices are files of the user's:
``NAME.bin`` (510 x 256 float32, as the npm package ``kokoro-js`` has them) in the folder that ``SONOLAKE_KOKORO``
names, where ``model.onnx`` and ``vocab.json`` take the place of the packaged ones.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput
from sonolake.models.base import Signal
from sonolake.models.packages import HIBARI, KOKORO, KOKORO_PARTS, file_sha256, require
from sonolake.models.phonemes import check_sayable, sentences
from sonolake.models.sessions import session_of

FOLDER = "SONOLAKE_KOKORO"
"""Environment variable with the folder of voices of one's own."""
STYLES, STYLE = 510, 256
"""A voice has a style for each number of symbols up to 510."""
SPEEDS = (0.96, 1.04)
"""The network draws no noise: takes of other seeds differ by their pace."""
PACKAGED_VOICES = "data/voices_ja.npz"


class KokoroVoice:
    """A :class:`~sonolake.models.base.Voice`: ``kokoro:NAME``, whose second letter is its gender."""

    licence = "Apache-2.0"
    sample_rate = 24_000
    tags: frozenset[str] = frozenset()

    def __init__(self, name: str) -> None:
        """Find the files of the network and of the voice.

        Raises:
            InvalidInput: for a voice that is neither in the folder nor in the package.
            MissingPackage: when a package, or a library, is not installed.
        """
        self.spec = f"kokoro:{name}"
        require(self.spec, "onnxruntime")
        HIBARI.file("assets/hibari.onnx", self.spec)
        own = Path(os.environ[FOLDER]) if os.environ.get(FOLDER) else None
        self._network = _own(own, "model.onnx") or [
            package.file("part.bin", self.spec) for package in KOKORO_PARTS
        ]
        (self._symbols,) = _own(own, "vocab.json") or [KOKORO.file("data/vocab.json", self.spec)]
        (self._voice,) = _own(own, f"{name}.bin") or [KOKORO.file(PACKAGED_VOICES, self.spec)]
        self._name = name
        self._styles = _styles(self._voice, name)
        if len(name) < 2 or name[1] not in "fm":
            raise InvalidInput("kokoro voice", "a name with f or m as its second letter, as af_heart", name)
        self.gender = name[1]

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the voice's styles as float32, little-endian."""
        return hashlib.sha256(self._styles.astype("<f4").tobytes()).hexdigest()

    @cached_property
    def assets(self) -> Mapping[str, str]:
        """The network, its parts joined, and the file of the voice."""
        return {
            "model.onnx": hashlib.sha256(self._bytes()).hexdigest(),
            self._voice.name: file_sha256(self._voice),
        }

    def _bytes(self) -> bytes:
        return b"".join(path.read_bytes() for path in self._network)

    @cached_property
    def _session(self) -> Any:
        return session_of(self._bytes())

    @cached_property
    def _ids(self) -> Mapping[str, int]:
        found: Mapping[str, int] = json.loads(self._symbols.read_text("utf-8"))["vocab"]
        return found

    def speak(self, text: str, seed: int) -> Signal:
        """Mono speech at 24 kHz: equal text and seed give equal samples.

        Args:
            text: plain English, one or more sentences.
            seed: 0 or more; draws the pace.

        Raises:
            InvalidInput: when the text holds nothing that can be said.
        """
        spoken = [ids for phonemes in sentences(check_sayable(text)) if (ids := self._tokens(phonemes))]
        if not spoken:
            raise InvalidInput("text", "English words", text)
        speed = np.random.Generator(np.random.PCG64(seed)).uniform(*SPEEDS)
        samples = np.concatenate([self._sentence(ids, float(speed)) for ids in spoken])
        return samples / max(1.0, float(np.abs(samples).max()))

    def _tokens(self, phonemes: str) -> list[int]:
        ids = [self._ids[letter] for letter in phonemes if letter in self._ids]
        return ids[: STYLES - 1] if any(letter.isalpha() for letter in phonemes) else []

    def _sentence(self, ids: list[int], speed: float) -> npt.NDArray[np.float64]:
        feeds = {
            "tokens": np.array([[0, *ids, 0]], dtype=np.int64),
            "style": self._styles[len(ids) - 1][None],
            "speed": np.array([speed], dtype=np.float32),
        }
        return np.asarray(self._session.run(None, feeds)[0], dtype=np.float64).reshape(-1)


def _own(folder: Path | None, name: str) -> list[Path]:
    return [folder / name] if folder and (folder / name).is_file() else []


def _styles(path: Path, name: str) -> npt.NDArray[np.float32]:
    """The voice's styles, ``(510, 256)``."""
    if path.suffix == ".bin":
        values = np.fromfile(path, dtype="<f4")
    else:
        with np.load(path) as voices:
            if name not in voices:
                allowed = f"one of {', '.join(sorted(voices))}, or NAME.bin in the folder {FOLDER} names"
                raise InvalidInput("kokoro voice", allowed, name)
            values = voices[name].reshape(-1)
    if values.size != STYLES * STYLE:
        raise InvalidInput(f"styles of {name}", f"{STYLES} x {STYLE} numbers", values.size)
    return values.reshape(STYLES, STYLE).astype(np.float32)
