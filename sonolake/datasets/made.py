"""Sounds that the lake makes: FLAC bytes in media and a row of ``assets``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sonolake.audio.encode import flac_bytes
from sonolake.audio.levels import gain_to_db, peak, round_db
from sonolake.audio.loudness import loudness
from sonolake.lake.lake import Lake


def keep_made(
    lake: Lake,
    kind: str,
    item: str,
    pcm: npt.NDArray[np.int16],
    rate: int,
    licence: str,
    title: str,
    **facts: object,
) -> dict[str, object]:
    """Keep PCM16 ``(frames,)`` or ``(frames, channels)`` as FLAC and describe it; loudness is W's of four channels.

    Returns:
        The row of ``assets``; the sound itself is in media when this returns.
    """
    asset_id = lake.media.put(flac_bytes(pcm, rate))
    heard = pcm.astype(np.float64) / 32768.0
    channels = 1 if pcm.ndim == 1 else pcm.shape[1]
    return {
        "asset_id": asset_id,
        "kind": kind,
        "item": item,
        "source_id": item,
        "title": title,
        "author": "sonolake",
        "licence": licence,
        "container": "FLAC",
        "codec": "PCM_16",
        "sample_rate": rate,
        "channels": channels,
        "frames": len(pcm),
        "duration_s": len(pcm) / rate,
        "declared_frames": len(pcm),
        "peak_dbfs": round_db(gain_to_db(peak(heard))),
        "loudness_lufs": round_db(loudness(heard if channels == 1 else heard[:, 0], rate)),
        "dc": [float(v) for v in np.atleast_1d(heard.mean(axis=0))],
        "flags": [],
        **facts,
    }
