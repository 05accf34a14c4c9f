"""A public set of sounds, unpacked to a folder that ``ingest-takes`` takes: a FLAC a sound, and a manifest.

Only what is one clear sound of a home is kept, as :mod:`sonolake.spatial.dry` says; it is cut out of its file and
trimmed. What is not kept is listed beside the folder, in ``FOLDER-left-out.csv``, each with its reason.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from sonolake.audio.decode import decode
from sonolake.audio.encode import flac_bytes, quantise
from sonolake.audio.facts import facts_of
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.sources.layout import write_manifest, write_once
from sonolake.sources.records import Refusal
from sonolake.sources.takes import audioset, esc50, fsd50k
from sonolake.sources.takes.excerpts import Excerpt
from sonolake.spatial.domestic import class_of_labels
from sonolake.spatial.dry import checked, clipped

LAYOUTS: Mapping[str, Callable[[Path], Iterator[Excerpt]]] = MappingProxyType(
    {"esc50": esc50.excerpts, "fsd50k": fsd50k.excerpts, "audioset-strong": audioset.excerpts}
)
"""The layouts that are read, by name."""


@dataclass(frozen=True)
class UnpackedTakes:
    """What became of a set: ``taken = written + len(left_out)``."""

    folder: Path
    taken: int
    written: int
    left_out: tuple[Refusal, ...]


def unpack_takes(layout: str, folder: Path, dest: Path) -> UnpackedTakes:
    """Write the sounds of a set to ``dest``; files that are there already and equal stay.

    Args:
        layout: one of :data:`LAYOUTS`.
        folder: the set as it is published.
        dest: a folder outside of it.

    Raises:
        NotFound: when the set or one of its tables is not there.
        InvalidInput: for an unknown layout, a table of another form, or a ``dest`` inside of the set.
    """
    if layout not in LAYOUTS:
        raise InvalidInput("layout", f"one of {', '.join(LAYOUTS)}", layout)
    if not folder.is_dir():
        raise NotFound(f"no folder {folder}")
    if dest.resolve().is_relative_to(folder.resolve()):
        raise InvalidInput("dest", f"a folder outside of {folder}", str(dest))
    rows: list[Mapping[str, str]] = []
    left_out: list[Refusal] = []
    sounds = lru_cache(maxsize=1)(_sound)
    for excerpt in LAYOUTS[layout](folder):
        try:
            rows.append(_unpacked(excerpt, dest, sounds))
        except ItemRefused as refusal:
            left_out.append(Refusal(excerpt.name, refusal.reason, refusal.detail))
    dest.mkdir(parents=True, exist_ok=True)
    write_manifest(dest, rows)
    write_once(left_out_of(dest), _table(left_out))
    return UnpackedTakes(dest, len(rows) + len(left_out), len(rows), tuple(left_out))


def left_out_of(dest: Path) -> Path:
    """The table of what was not kept: not in the folder, all of whose files are sounds to be taken."""
    return dest.with_name(f"{dest.name}-left-out.csv")


def _unpacked(excerpt: Excerpt, dest: Path, sounds: Callable[[Path], tuple[Signal, int]]) -> dict[str, str]:
    meant = class_of_labels(excerpt.labels)
    if excerpt.doubt is not None:
        raise ItemRefused(*excerpt.doubt)
    x, rate = sounds(excerpt.path)
    end = None if excerpt.end_s is None else round(excerpt.end_s * rate)
    x, _ = checked(x[round(excerpt.start_s * rate) : end], rate)
    path = f"{meant.group}/{meant.name}/{excerpt.name}.flac".replace(" ", "-")
    write_once(dest / path, flac_bytes(quantise(x), rate))
    areas = ", ".join(meant.areas)
    return {**excerpt.facts, "path": path, "event": meant.event, "group": meant.group, "areas": areas}


def _sound(path: Path) -> tuple[Signal, int]:
    if not path.is_file():
        raise ItemRefused("missing", f"the set lists {path.name}, and there is no such file")
    decoded = decode(path.read_bytes(), path.name)
    if "clipped" in facts_of(decoded).flags:
        raise clipped(path.name)
    return decoded.samples.mean(axis=1), decoded.sample_rate


def _table(left_out: list[Refusal]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("item", "reason", "detail"))
    writer.writerows((one.item, one.reason, one.detail) for one in left_out)
    return text.getvalue().encode()
