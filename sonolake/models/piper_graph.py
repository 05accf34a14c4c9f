"""A Piper voice (VITS, exported to ONNX) whose noise is an input.

As exported, two nodes draw unseeded noise inside the graph: one for the durations of the phonemes, one for
the voice itself. Both are replaced by inputs, so the caller's seed decides every sample. How many frames the
second needs is known only while the graph runs, so its input is a strip of any length that is read in a circle.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

DURATION_CHANNELS, LATENT_CHANNELS = 2, 192


def with_noise_inputs(path: Path) -> bytes:
    """The voice's graph with two more inputs.

    ``duration_noise`` is ``(1, 2, n_ids)``, ``latent_noise`` is ``(1, 192, n)`` with n at least 1; both float32.
    """
    import onnx

    model = onnx.load(str(path))
    graph = model.graph
    nodes = []
    for node in graph.node:
        if node.op_type != "RandomNormalLike":
            nodes.append(node)
        elif node.name.startswith("/dp/"):
            nodes.append(onnx.helper.make_node("Identity", ["duration_noise"], [node.output[0]]))
        else:
            nodes += _circular(graph, node.input[0], node.output[0])
    del graph.node[:]
    graph.node.extend(nodes)
    _add_input(graph, "duration_noise", [1, DURATION_CHANNELS, "noise_ids"])
    _add_input(graph, "latent_noise", [1, LATENT_CHANNELS, "noise_frames"])
    return bytes(model.SerializeToString())


def _circular(graph: Any, like: str, output: str) -> list[Any]:
    """Nodes that lay ``latent_noise`` out, again and again, over as many frames as ``like`` has."""
    import numpy as np
    from onnx import helper, numpy_helper

    for name, value in (("noise/two", 2), ("noise/zero", 0), ("noise/one", 1)):
        graph.initializer.append(numpy_helper.from_array(np.array(value, dtype=np.int64), name))
    make = helper.make_node
    return [
        make("Shape", [like], ["noise/like_shape"]),
        make("Gather", ["noise/like_shape", "noise/two"], ["noise/frames"]),
        make("Shape", ["latent_noise"], ["noise/strip_shape"]),
        make("Gather", ["noise/strip_shape", "noise/two"], ["noise/strip"]),
        make("Range", ["noise/zero", "noise/frames", "noise/one"], ["noise/at"]),
        make("Mod", ["noise/at", "noise/strip"], ["noise/around"]),
        make("Gather", ["latent_noise", "noise/around"], [output], axis=2),
    ]


def _add_input(graph: Any, name: str, shape: list[int | str]) -> None:
    from onnx import TensorProto, helper

    graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
