"""onnxruntime sessions with one thread: equal input gives equal bytes on one kind of processor."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def session_of(model: bytes | Path) -> Any:
    """An inference session on the processor, over a model's bytes or its file, with a single thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
