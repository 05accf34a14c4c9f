"""The recordings, as a model takes them: W alone, stereo, or all four channels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.spatial.benchmark.files import CONFIG, shards
from sonolake.spatial.benchmark.records import Record

if TYPE_CHECKING:
    from sonolake.audio.signals import Signal

FORMS = ("w", "stereo", "four", "nothing")
"""``w``: W at 16 kHz. ``stereo``: two cardioids, facing left and right. ``four``: AmbiX. ``nothing``: text alone."""
W_RATE = 16_000
Hear = Callable[[Record], bytes | None]
"""From a record to a WAV file of 16 bits, or None where nothing is to be heard."""


def hearing(place: Path, form: str, split: str = "test", audio: Path | None = None) -> Hear:
    """From a record to what a model hears of it; a record whose recording is not there is refused as ``missing``.

    Args:
        place: a release with its clips, or questions in the published layout.
        form: one of :data:`FORMS`.
        split: of the release.
        audio: a folder with ``CLIP.wav`` or ``CLIP.flac``, four channels, AmbiX, instead. Without it, a recording of
            the published layout is where its record says, or else ``train_audio/CLIP.wav`` or ``dev_audio/CLIP.wav``,
            as its name begins, in the questions' folder or the one above it.

    Raises:
        InvalidInput: for another form.
        NotFound: when ``audio`` is no folder.
    """
    if form not in FORMS:
        raise InvalidInput("form", f"one of {', '.join(FORMS)}", form)
    if form == "nothing":
        return lambda record: None
    if audio is None and (place / CONFIG).is_dir():
        read = _from_release(place, split)
    else:
        read = _from_folder(audio) if audio is not None else _as_published(place)
    return lambda record: heard(read(record), form)


def heard(data: bytes, form: str) -> bytes:
    """A recording in a form.

    Args:
        data: a file of four channels, AmbiX.
        form: ``w``, ``stereo`` or ``four``; the last two at the recording's own rate.

    Raises:
        ItemRefused: ``unknown_convention`` for other than four channels, or as decoding says.
    """
    from sonolake.audio.decode import decode
    from sonolake.audio.encode import quantise, wav_bytes
    from sonolake.audio.resample import resample

    decoded = decode(data)
    scene, rate = decoded.samples, decoded.sample_rate
    if scene.shape[1] != 4:
        raise ItemRefused("unknown_convention", f"{scene.shape[1]} channels, not the four of first order")
    if form == "w":
        return wav_bytes(quantise(resample(scene[:, 0], rate, W_RATE).clip(-1.0, 1.0)), W_RATE)
    return wav_bytes(quantise((stereo(scene) if form == "stereo" else scene).clip(-1.0, 1.0)), rate)


def stereo(scene: Signal) -> Signal:
    """An AmbiX scene as two coincident cardioids, facing +90 and -90 degrees: ``(frames, 2)``, left first."""
    w, y = scene[:, 0], scene[:, 1]
    return np.stack([(w + y) / 2, (w - y) / 2], axis=1)


def _as_published(place: Path) -> Callable[[Record], bytes]:
    folder = place if place.is_dir() else place.parent

    def read(record: Record) -> bytes:
        kind = record.clip_id.partition("-")[0]
        name = record.audio or f"{kind}_audio/{record.clip_id}.wav"
        found = next((root / name for root in (folder, folder.parent) if (root / name).is_file()), None)
        if found is None:
            raise ItemRefused("missing", f"no recording {name} in {folder} or above it: name its folder")
        return found.read_bytes()

    return read


def _from_folder(folder: Path) -> Callable[[Record], bytes]:
    if not folder.is_dir():
        raise NotFound(f"no folder {folder} with recordings")

    def read(record: Record) -> bytes:
        paths = [folder / f"{record.clip_id}{kind}" for kind in (".wav", ".flac")]
        found = next((path for path in paths if path.is_file()), None)
        if found is None:
            raise ItemRefused("missing", f"no recording of {record.clip_id} in {folder}")
        return found.read_bytes()

    return read


def _from_release(place: Path, split: str) -> Callable[[Record], bytes]:
    import pyarrow.compute as pc
    import pyarrow.dataset as ds

    table = ds.dataset(shards(place, split), format="parquet")

    def read(record: Record) -> bytes:
        rows = table.to_table(columns=["audio"], filter=pc.field("item_id") == record.clip_id).to_pylist()
        if not rows or not rows[0]["audio"]:
            raise ItemRefused("missing", f"the release has no audio of {record.clip_id}")
        return bytes(rows[0]["audio"]["bytes"])

    return read
