"""Piper voices, run by onnxruntime alone: the GPL runtime is not used.

The only packaged one is ``joe`` (American English, male, 22.05 kHz). Its model card gives the voice's data as
CC0; hibari's reader supplies the phonemes that Piper would take from espeak-ng.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput
from sonolake.models.base import Signal
from sonolake.models.packages import HIBARI, JOE, file_sha256, require
from sonolake.models.phonemes import check_sayable, sentences, to_arpabet, to_ipa
from sonolake.models.piper_graph import DURATION_CHANNELS, LATENT_CHANNELS, with_noise_inputs
from sonolake.models.sessions import session_of

PAD, BEGIN, END = "_", "^", "$"
FRAMES_A_SYMBOL = 8
"""Length of the noise strip: more frames than a symbol usually lasts, so the strip seldom comes round."""


class PiperVoice:
    """A :class:`~sonolake.models.base.Voice`: ``piper:joe``."""

    licence = "CC0-1.0"
    gender = "m"
    tags: frozenset[str] = frozenset()

    def __init__(self, name: str = "joe") -> None:
        """Find the voice's files.

        Raises:
            InvalidInput: for a voice other than ``joe``.
            MissingPackage: when the voice's package, hibari's reader, or a library is not installed.
        """
        if name != "joe":
            raise InvalidInput("piper voice", "joe", name)
        self.spec = f"piper:{name}"
        require(self.spec, "onnxruntime", "onnx")
        self._path = JOE.file("data/en_US-joe-medium.onnx", self.spec)
        config = json.loads(JOE.file("data/en_US-joe-medium.onnx.json", self.spec).read_text("utf-8"))
        HIBARI.file("assets/hibari.onnx", self.spec)
        self.sample_rate = int(config["audio"]["sample_rate"])
        inference = config["inference"]
        self._scales = [float(inference[key]) for key in ("noise_scale", "length_scale", "noise_w")]
        self._ids: dict[str, list[int]] = config["phoneme_id_map"]

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the voice's ONNX file."""
        return file_sha256(self._path)

    @property
    def assets(self) -> Mapping[str, str]:
        """The voice's one file of weights and its SHA-256."""
        return {self._path.name: self.weights_sha256}

    @cached_property
    def _session(self) -> Any:
        return session_of(with_noise_inputs(self._path))

    def symbol_ids(self, ipa: str) -> list[int]:
        """Piper's input for one sentence: begin, each known symbol, end, a pad after each but the last."""
        symbols = [symbol for symbol in unicodedata.normalize("NFD", ipa) if symbol in self._ids]
        ids = list(self._ids[BEGIN]) + list(self._ids[PAD])
        for symbol in symbols:
            ids += [*self._ids[symbol], *self._ids[PAD]]
        return ids + list(self._ids[END])

    def speak(self, text: str, seed: int) -> Signal:
        """Mono speech at :attr:`sample_rate`: equal text and seed give equal samples.

        Args:
            text: plain English, one or more sentences.
            seed: 0 or more; seeds the noise that varies rhythm and voice.

        Raises:
            InvalidInput: when the text holds nothing that can be said.
        """
        spoken = [phonemes for phonemes in sentences(check_sayable(text)) if to_arpabet(phonemes)]
        if not spoken:
            raise InvalidInput("text", "English words", text)
        rng = np.random.Generator(np.random.PCG64(seed))
        return np.concatenate([self._sentence(self.symbol_ids(to_ipa(one)), rng) for one in spoken])

    def _sentence(self, ids: list[int], rng: np.random.Generator) -> npt.NDArray[np.float64]:
        n = len(ids)
        feeds = {
            "input": np.array([ids], dtype=np.int64),
            "input_lengths": np.array([n], dtype=np.int64),
            "scales": np.array(self._scales, dtype=np.float32),
            "duration_noise": rng.standard_normal((1, DURATION_CHANNELS, n)).astype(np.float32),
            "latent_noise": rng.standard_normal((1, LATENT_CHANNELS, n * FRAMES_A_SYMBOL)).astype(np.float32),
        }
        return np.asarray(self._session.run(None, feeds)[0], dtype=np.float64).reshape(-1)
