"""A data lakehouse for audio data sets.

Public names are loaded when first used, so that ``import sonolake`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "Lake": "sonolake.lake.lake",
    "TableSpec": "sonolake.lake.spec",
    "Column": "sonolake.lake.spec",
    "running": "sonolake.lake.run",
    "load": "sonolake.loading",
}

__all__ = ["Column", "Lake", "TableSpec", "__version__", "load", "running"]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'sonolake' has no attribute {name!r}")
    return getattr(importlib.import_module(_PUBLIC[name]), name)
