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


def audio_of(release: Path, muted: Path | None = None) -> Callable[[Item], bytes]:
    """From an item to its audio.

    Args:
        release: a pulled release with the config ``cares``.
        muted: a folder with a file ``ITEM_ID.flac`` (or ``.wav``) for each item of the muted control; without it those
            items are refused as ``missing``.

    Raises:
        NotFound: when the release has no such config.
    """
    import pyarrow.dataset as ds

    files = sorted((release / "data" / "cares").glob("*.parquet"))
    if not files:
        raise NotFound(f"no scenes under {release / 'data' / 'cares'}: pull the config cares of the release")
    table = ds.dataset(files, format="parquet")

    def wav(item: Item) -> bytes:
        if item.task != "muted":
            return _wav(_bytes(table, item.scene_id))
        paths = [muted / f"{item.item_id}{kind}" for kind in (".flac", ".wav")] if muted else []
        found = next((path for path in paths if path.is_file()), None)
        if found is None:
            raise ItemRefused("missing", f"no muted audio of {item.item_id}")
        return _wav(found.read_bytes())

    return wav


def _bytes(table: ds.Dataset, scene_id: str) -> bytes:
    import pyarrow.compute as pc

    rows = table.to_table(columns=["audio"], filter=pc.field("item_id") == scene_id).to_pylist()
    if not rows or not rows[0]["audio"]:
        raise ItemRefused("missing", f"the release has no audio of {scene_id}")
    return bytes(rows[0]["audio"]["bytes"])


def _wav(data: bytes) -> bytes:
    from sonolake.audio.decode import decode
    from sonolake.audio.encode import quantise, wav_bytes
    from sonolake.audio.resample import resample

    decoded = decode(data)
    mono = resample(decoded.samples.mean(axis=1), decoded.sample_rate, RATE)
    return wav_bytes(quantise(mono.clip(-1.0, 1.0)), RATE)
