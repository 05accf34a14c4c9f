"""The audio of a release's scenes, as a model that hears is sent it: mono WAV at 16 kHz."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.cares.benchmark.records import Item
from sonolake.errors import ItemRefused, NotFound

if TYPE_CHECKING:
    import pyarrow.dataset as ds

RATE = 16_000
SCENES, MUTED = "cares", "cares-muted"
"""The configs of a release that hold the audio: of the scenes, and of them without one of their sounds."""


def audio_of(release: Path) -> Callable[[Item], bytes]:
    """From an item to its audio; an item without is refused as ``missing``.

    Args:
        release: a pulled release with the config ``cares``, for the muted control with ``cares-muted`` as well.

    Raises:
        NotFound: when the release has no such config.
    """
    scenes = _table(release, SCENES)
    if scenes is None:
        raise NotFound(
            f"no scenes under {release / 'data' / SCENES}: pull the config {SCENES} of the release"
        )
    muted = _table(release, MUTED)

    def wav(item: Item) -> bytes:
        if item.task == "muted":
            return _wav(_bytes(muted, item.item_id))
        return _wav(_bytes(scenes, item.scene_id))

    return wav


def has_muted(release: Path) -> bool:
    """Whether the audio of the muted control is there."""
    return any((release / "data" / MUTED).glob("*.parquet"))


def _table(release: Path, config: str) -> ds.Dataset | None:
    import pyarrow.dataset as ds

    files = sorted((release / "data" / config).glob("*.parquet"))
    return ds.dataset(files, format="parquet") if files else None


def _bytes(table: ds.Dataset | None, item_id: str) -> bytes:
    import pyarrow.compute as pc

    found = table.to_table(columns=["audio"], filter=pc.field("item_id") == item_id) if table else None
    rows = found.to_pylist() if found else []
    if not rows or not rows[0]["audio"]:
        raise ItemRefused("missing", f"the release has no audio of {item_id}")
    return bytes(rows[0]["audio"]["bytes"])


def _wav(data: bytes) -> bytes:
    from sonolake.audio.decode import decode
    from sonolake.audio.encode import quantise, wav_bytes
    from sonolake.audio.resample import resample

    decoded = decode(data)
    mono = resample(decoded.samples.mean(axis=1), decoded.sample_rate, RATE)
    return wav_bytes(quantise(mono.clip(-1.0, 1.0)), RATE)
