"""The clips of a corpus: what a reader hands on, and the bytes of their sound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from sonolake.errors import ItemRefused


@dataclass(frozen=True)
class Sound:
    """Where the bytes of a sound lie.

    Attributes:
        path: the file.
        column, row: in a Parquet file, the column that holds them and the row; ``row`` is -1 elsewhere.
        offset, size: within the file, bytes; ``size`` is -1 for the whole file.
    """

    path: Path
    column: str = ""
    row: int = -1
    offset: int = 0
    size: int = -1


@dataclass(frozen=True)
class Clip:
    """One clip.

    Attributes:
        item: its name, once in the corpus.
        text: its transcript as the corpus has it.
        sound: where its sound is.
        fields: ``speaker``, ``language``, where said.
        tags: everything else that is said.
    """

    item: str
    text: str
    sound: Sound
    fields: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Unusable:
    """A clip that cannot be offered: a reason code, and one sentence for a person."""

    item: str
    reason: str
    detail: str


def load(sounds: Iterable[Sound]) -> Iterator[bytes | ItemRefused]:
    """The bytes of sounds, in order; those of one Parquet row group in a row are read together.

    Yields:
        The bytes, or why there are none.
    """
    for (path, column), group in groupby(sounds, key=lambda sound: (sound.path, sound.column)):
        if column:
            yield from _rows(path, column, [sound.row for sound in group])
        else:
            yield from (_slice(sound) for sound in group)


def _slice(sound: Sound) -> bytes | ItemRefused:
    try:
        with sound.path.open("rb") as file:
            file.seek(sound.offset)
            data = file.read(sound.size)
    except OSError as error:
        return ItemRefused("unreadable", f"{sound.path.name}: {error.strerror}")
    if 0 <= sound.size != len(data):
        return ItemRefused("truncated", f"{sound.path.name} ends within the sound")
    return data


def _rows(path: Path, column: str, rows: list[int]) -> Iterator[bytes | ItemRefused]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        ends, end = [], 0
        for group in range(file.num_row_groups):
            end += file.metadata.row_group(group).num_rows
            ends.append(end)
        read, values = -1, None
        for row in rows:
            group = next(g for g, end in enumerate(ends) if row < end)
            if group != read:
                read, values = group, file.read_row_group(group, columns=[column])[column].combine_chunks()
            start = ends[group] - file.metadata.row_group(group).num_rows
            data = values[row - start]["bytes"].as_py() if values is not None else None
            yield data if data else ItemRefused("empty", f"row {row} of {path.name} has no sound")
