"""What the bytes of made things depend on beside code, models and sounds: the kind of processor, and libraries."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from functools import cache

PREFIX = "environment:"
ROLE = "environment"
LIBRARIES = (
    "numpy",
    "scipy",
    "soxr",
    "soundfile",
    "av",
    "onnxruntime",
    "tokenizers",
    "pocketsphinx",
    "hibari-tts",
    "pyroomacoustics",
)
"""Of Python; those that are installed are told."""


@cache
def environment() -> Mapping[str, str]:
    """The versions of what computes, by name: ``processor``, ``python``, ``libc``, libraries."""
    import soundfile

    found = {
        "processor": _processor(),
        "python": platform.python_version(),
        "libc": " ".join(filter(None, platform.libc_ver())),
        "libsndfile": str(soundfile.__libsndfile_version__),
    }
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {name: version for name, version in found.items() if version}


def environment_name(facts: Mapping[str, str] | None = None) -> str:
    """What lineage calls an environment, this one when left out; it tells all of its facts."""
    told = environment() if facts is None else facts
    return PREFIX + "; ".join(f"{name}={told[name]}" for name in sorted(told))


def parse_environment(name: str) -> dict[str, str]:
    """The facts of :func:`environment_name`."""
    parts = (part.partition("=") for part in name.removeprefix(PREFIX).split("; "))
    return {name: version for name, _, version in parts if version}


def _processor() -> str:
    """System, machine, and the instructions beyond the least that numpy found and takes."""
    import numpy as np

    shown = np.show_config(mode="dicts") or {}
    found = shown.get("SIMD Extensions", {}).get("found", [])
    return " ".join([platform.system(), platform.machine(), *found])
