"""What an export is made from: an item with its row, its sound as a file's bytes, and a name that any format takes."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from sonolake.errors import Damaged
from sonolake.releases.exports.labels import Labels, labels_of
from sonolake.releases.layout import is_device
from sonolake.releases.shards import audio_name

_OTHERS = re.compile(r"[^A-Za-z0-9_-]+")
LONGEST = 120
"""Characters of a key at most: file systems take 255 bytes, with folders and endings."""


def key_of(item_id: str) -> str:
    """A file's name without ending: letters, digits, ``_`` and ``-`` only, so that no point starts an ending.

    An id that is one already, and no device's, stays as it is; any other is cut and gets eight digits of its hash, so
    that two ids never share a key.
    """
    plain = _OTHERS.sub("_", item_id)
    if plain == item_id and 0 < len(item_id) <= LONGEST and not is_device(item_id):
        return item_id
    return f"{plain[: LONGEST - 9]}-{hashlib.sha256(item_id.encode()).hexdigest()[:8]}"


class Heard(NamedTuple):
    """What a sound's file holds: samples a second (Hz), channels, and frames as they are decoded."""

    rate: int
    channels: int
    frames: int

    @property
    def duration_s(self) -> float:
        """Its length in seconds."""
        return self.frames / self.rate


@dataclass(frozen=True)
class Item:
    """An item of a release.

    Attributes:
        item_id: its id. config, split, shard: where it is.
        row: all its columns but the sound.
        sound: the bytes of its file; None when it has none, or they were not asked for.
    """

    item_id: str
    config: str
    split: str
    shard: int
    row: Mapping[str, Any] = field(repr=False)
    sound: bytes | None = field(repr=False)

    @cached_property
    def key(self) -> str:
        """See :func:`key_of`."""
        return key_of(self.item_id)

    @cached_property
    def suffix(self) -> str:
        """The ending of its sound's file, without a point, by its first bytes."""
        return audio_name("x", self.sound or b"").rpartition(".")[2]

    @cached_property
    def labels(self) -> Labels:
        """What is said and heard in it."""
        return labels_of(self.row)

    @cached_property
    def heard(self) -> Heard:
        """What its sound's file holds, frames as they are decoded and not as a header of a lossy format guesses.

        Raises:
            Damaged: when libsndfile cannot read it.
        """
        import soundfile

        try:
            with soundfile.SoundFile(io.BytesIO(self.sound or b"")) as file:
                frames = file.frames if file.format in _EXACT else _counted(file)
                return Heard(file.samplerate, file.channels, frames)
        except soundfile.LibsndfileError as error:
            raise Damaged(f"the sound of {self.item_id} cannot be decoded: {error.error_string}") from error

    @property
    def duration_s(self) -> float:
        """Its length in seconds: of its sound, or as its row says where the sound was not asked for."""
        return self.heard.duration_s if self.sound is not None else float(self.row.get("duration_s") or 0.0)


_EXACT = ("FLAC", "WAV", "WAVEX", "RF64", "AIFF", "CAF", "W64")
"""Formats whose headers say how many frames there are."""
_BLOCK = 1 << 16


def _counted(file: Any) -> int:
    return sum(len(block) for block in file.blocks(_BLOCK, dtype="int16", always_2d=True))
