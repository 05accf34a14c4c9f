"""Writing source folders: files that are only written when they differ, and a manifest with the contract's headers."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.manifest import HEADERS

PEAK = 0.9
"""The highest sample of responses that are written anew."""


def write_once(path: Path, data: bytes) -> bool:
    """Write ``data`` to ``path`` unless it is there already; whole or not at all. Says whether it wrote."""
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)
    return True


def write_manifest(folder: Path, rows: Iterable[Mapping[str, str]]) -> Path:
    """Write ``manifest.csv`` of ``folder``: rows sorted by path, the contract's headers first, then all others."""
    ordered = sorted(rows, key=lambda row: row["path"])
    used = {header for row in ordered for header in row} | {"path"}
    headers = [*(header for header in HEADERS if header in used), *sorted(used - set(HEADERS))]
    text = io.StringIO()
    writer = csv.DictWriter(text, headers, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(ordered)
    path = folder / "manifest.csv"
    write_once(path, text.getvalue().encode())
    return path


def flac_24(x: Signal, rate: int) -> bytes:
    """Samples ``(frames, channels)`` as FLAC of 24 bits, rounded half to even."""
    import soundfile

    pcm = np.clip(np.rint(x * 2.0**23), -(2.0**23), 2.0**23 - 1).astype(np.int32) * 256
    out = io.BytesIO()
    soundfile.write(out, pcm, rate, format="FLAC", subtype="PCM_24")
    return out.getvalue()
