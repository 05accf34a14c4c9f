"""The packaged YAMNet, made whole again.

The package ships the network as an 8-bit graph whose weights are still 32-bit: each is rounded by a pair of
quantise and dequantise nodes when the graph runs. Those pairs are taken out, the batch is set free, and the
1024 averages before the classifier become an output beside the 521 logits.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

PAIR = ("QuantizeLinear", "DequantizeLinear")


def unquantised(archive: Path) -> bytes:
    """The 32-bit model of the package's zip: ``audio (n, 1, 96, 64)`` to ``embedding`` and ``logits``."""
    import onnx
    from onnx import external_data_helper

    model = onnx.ModelProto()
    with zipfile.ZipFile(archive) as bundle:
        names = {Path(name).name: name for name in bundle.namelist()}
        model.ParseFromString(bundle.read(names["model.onnx"]))
        weights = bundle.read(names["model.data"])
    for tensor in model.graph.initializer:
        if external_data_helper.uses_external_data(tensor):
            _internalise(tensor, weights)
    _strip(model.graph)
    _set_ends(model.graph)
    return bytes(model.SerializeToString())


def _internalise(tensor: Any, weights: bytes) -> None:
    place = {entry.key: int(entry.value) for entry in tensor.external_data if entry.key != "location"}
    start = place.get("offset", 0)
    tensor.raw_data = weights[start : start + place["length"]]
    del tensor.external_data[:]
    tensor.data_location = 0


def _strip(graph: Any) -> None:
    source = {node.output[0]: node.input[0] for node in graph.node if node.op_type in PAIR}
    kept = [node for node in graph.node if node.op_type not in PAIR]
    for node in kept:
        for i, name in enumerate(node.input):
            while name in source:
                name = source[name]
            node.input[i] = name
    del graph.node[:]
    graph.node.extend(kept)
    used = {name for node in kept for name in node.input}
    tensors = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.initializer[:]
    graph.initializer.extend(tensors)


def _set_ends(graph: Any) -> None:
    from onnx import TensorProto, helper

    gemm = graph.node[-1]
    graph.node[-1].output[0] = "logits"
    embedding = gemm.input[0]
    for node in graph.node:
        for i, name in enumerate(node.output):
            if name == embedding:
                node.output[i] = "embedding"
    gemm.input[0] = "embedding"
    _let_batch_be_free(graph)
    inputs = [helper.make_tensor_value_info("audio", TensorProto.FLOAT, ["n", 1, 96, 64])]
    outputs = [
        helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", 1024]),
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", 521]),
    ]
    for field, values in (("input", inputs), ("output", outputs), ("value_info", [])):
        del getattr(graph, field)[:]
        getattr(graph, field).extend(values)


def _let_batch_be_free(graph: Any) -> None:
    """The reshape before the classifier asks for ``[1, -1]``: ask for ``[-1, 1024]``."""
    import numpy as np
    from onnx import numpy_helper

    shape = next(node.input[1] for node in graph.node if node.op_type == "Reshape")
    for tensor in graph.initializer:
        if tensor.name == shape:
            tensor.CopyFrom(numpy_helper.from_array(np.array([-1, 1024], dtype=np.int64), shape))
