"""A BERT encoder (Devlin et al., 2019, section 3; post-norm layers) as an ONNX graph, from a checkpoint's tensors.

The graph takes one sequence, so that a sentence's vector never depends on what it was batched with; onnxruntime
with one thread runs it, because numpy's matrix product gives other last bits with another number of threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
OPSET, IR_VERSION = 20, 10
EPSILON = 1e-12


def mean_pooled(weights: Mapping[str, Array], layers: int, heads: int) -> bytes:
    """The model ``embedded (n_tokens, width)`` to ``mean (width,)``: the last layer's mean over tokens.

    What is embedded is the sum of word, position and segment embeddings: see :func:`embedded`.

    Args:
        weights: tensors by their names in a Hugging Face ``BertModel`` checkpoint.
        layers: number of layers.
        heads: number of attention heads a layer.
    """
    from onnx import TensorProto, helper

    builder = _Builder(weights, heads)
    x = builder.norm("embedded", "embeddings.LayerNorm")
    for i in range(layers):
        x = builder.layer(x, f"encoder.layer.{i}")
    builder.add("ReduceMean", [x, builder.constant("axis", np.array([0]))], output="mean", keepdims=0)
    inputs = [helper.make_tensor_value_info("embedded", TensorProto.FLOAT, ["tokens", builder.width])]
    outputs = [helper.make_tensor_value_info("mean", TensorProto.FLOAT, None)]
    graph = helper.make_graph(builder.nodes, "bert", inputs, outputs, list(builder.tensors.values()))
    opset = [helper.make_opsetid("", OPSET)]
    return bytes(helper.make_model(graph, opset_imports=opset, ir_version=IR_VERSION).SerializeToString())


def embedded(weights: Mapping[str, Array], ids: npt.NDArray[np.int64]) -> Array:
    """Word, position and first segment's embeddings ``(n_tokens, width)`` of token ids, summed."""
    words = weights["embeddings.word_embeddings.weight"][ids]
    places = weights["embeddings.position_embeddings.weight"][: len(ids)]
    return np.asarray(words + places + weights["embeddings.token_type_embeddings.weight"][0])


class _Builder:
    """Nodes and tensors of the graph; each method returns the name of what it adds."""

    def __init__(self, weights: Mapping[str, Array], heads: int) -> None:
        self.weights, self.heads = weights, heads
        self.nodes: list[Any] = []
        self.tensors: dict[str, Any] = {}
        self.width = weights["embeddings.LayerNorm.weight"].shape[0]
        self.size = self.width // heads

    def add(self, kind: str, inputs: list[str], output: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = output or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def constant(self, name: str, value: npt.NDArray[Any]) -> str:
        from onnx import numpy_helper

        if name not in self.tensors:
            self.tensors[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str, transposed: bool = False) -> str:
        value = self.weights[name]
        return self.constant(name, value.T if transposed else value)

    def layer(self, x: str, at: str) -> str:
        """Attention, then the inner network with its exact GELU, each added to its input and normalised."""
        attended = self.add("Add", [x, self.attention(x, f"{at}.attention")])
        x = self.norm(attended, f"{at}.attention.output.LayerNorm")
        inner = self.add("Gelu", [self.dense(x, f"{at}.intermediate.dense")])
        return self.norm(
            self.add("Add", [x, self.dense(inner, f"{at}.output.dense")]), f"{at}.output.LayerNorm"
        )

    def attention(self, x: str, at: str) -> str:
        """Scaled dot-product attention over all heads (Vaswani et al., 2017, equation 1)."""
        query, value = (self.heads_of(x, f"{at}.self.{part}", [1, 0, 2]) for part in ("query", "value"))
        key = self.heads_of(x, f"{at}.self.key", [1, 2, 0])
        scale = self.constant("scale", np.array(self.size**-0.5, dtype=np.float32))
        scores = self.add("Softmax", [self.add("Mul", [self.add("MatMul", [query, key]), scale])], axis=-1)
        mixed = self.add("Transpose", [self.add("MatMul", [scores, value])], perm=[1, 0, 2])
        joined = self.add("Reshape", [mixed, self.constant("joined", np.array([-1, self.width]))])
        return self.dense(joined, f"{at}.output.dense")

    def heads_of(self, x: str, at: str, order: list[int]) -> str:
        """A dense layer's output ``(tokens, heads, size)``, transposed."""
        shape = self.constant("split", np.array([-1, self.heads, self.size]))
        return self.add("Transpose", [self.add("Reshape", [self.dense(x, at), shape])], perm=order)

    def dense(self, x: str, at: str) -> str:
        product = self.add("MatMul", [x, self.weight(f"{at}.weight", transposed=True)])
        return self.add("Add", [product, self.weight(f"{at}.bias")])

    def norm(self, x: str, at: str) -> str:
        scaled = [x, self.weight(f"{at}.weight"), self.weight(f"{at}.bias")]
        return self.add("LayerNormalization", scaled, axis=-1, epsilon=EPSILON)
