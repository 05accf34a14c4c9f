"""Folders of responses whose names say where they were measured and whose channels have to be put together first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sonolake.audio.decode import decode
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.sources.channels import ChannelMap
from sonolake.sources.layout import PEAK, flac_24, write_manifest, write_once
from sonolake.sources.named import NamedLayout, named_rows, names_in
from sonolake.sources.records import Refusal

Row = Mapping[str, str]


@dataclass(frozen=True)
class UnpackedNames:
    """What became of a folder: ``responses = written + len(left_out)``; ``others`` are files that are none."""

    folder: Path
    responses: int
    written: int
    left_out: tuple[Refusal, ...]
    others: tuple[str, ...]


def unpack_named(folder: Path, layout: NamedLayout, dest: Path) -> UnpackedNames:
    """Write the responses of a folder as FLAC of four channels and 24 bits, with a manifest.

    Each is brought to one peak; what was done to its level is in the tag ``gain_db``.

    Args:
        folder: with files that the layout's pattern matches.
        layout: with ``channels``.
        dest: a folder outside of it; files that are there already and equal stay.

    Raises:
        NotFound: when there is no such folder.
        InvalidInput: for a ``dest`` inside of it, or a layout without channels.
    """
    if layout.channels is None:
        raise InvalidInput("layout", "a table [channels]", None, "without it the manifest is enough")
    if dest.resolve().is_relative_to(folder.resolve()):
        raise InvalidInput("dest", f"a folder outside of {folder}", str(dest))
    rows, others = named_rows(names_in(folder), layout)
    written: list[Row] = []
    left_out: list[Refusal] = []
    responses = _responses(rows, layout.channels)
    for name, parts in sorted(responses.items()):
        try:
            written.append(_unpacked(folder, dest, name, parts, layout.channels))
        except ItemRefused as refusal:
            left_out.append(Refusal(name, refusal.reason, refusal.detail))
    write_manifest(dest, written)
    return UnpackedNames(dest, len(responses), len(written), tuple(left_out), others)


def _responses(rows: Sequence[Row], channels: ChannelMap) -> dict[str, dict[str, Row]]:
    """Rows by response and channel; by the path of its first file a response is called."""
    if not channels.files:
        return {row["path"]: {"": row} for row in rows}
    together: dict[tuple[tuple[str, str], ...], dict[str, Row]] = {}
    for row in rows:
        same = tuple(sorted((k, v) for k, v in row.items() if k not in ("path", "channel")))
        together.setdefault((*same, ("in", _without(row))), {})[row["channel"]] = row
    return {min(row["path"] for row in parts.values()): parts for parts in together.values()}


def _without(row: Row) -> str:
    """The folder that a file lies in: channels of one response lie together."""
    return row["path"].rpartition("/")[0]


def _unpacked(folder: Path, dest: Path, name: str, parts: Mapping[str, Row], channels: ChannelMap) -> Row:
    row = next(iter(parts.values()))
    if lacking := [channel for channel in channels.files if channel not in parts]:
        raise ItemRefused("missing", f"no file of channel {', '.join(lacking)}")
    files = [parts[channel] for channel in channels.files] or [row]
    sounds = [_sound(folder / one["path"]) for one in files]
    if len({rate for _, rate in sounds}) > 1:
        raise ItemRefused("unknown_convention", "its channels differ in sample rate")
    x = channels.joined([sound for sound, _ in sounds]) if channels.files else sounds[0][0]
    four = channels.four(x)
    top = float(np.abs(four).max(initial=0.0))
    if not np.abs(four[:, 0]).max(initial=0.0) > 0:
        raise ItemRefused("silent", "its first channel, W, has no sound")
    path = f"{name.rpartition('.')[0] or name}.flac"
    write_once(dest / path, flac_24(four * (PEAK / top), sounds[0][1]))
    facts = {key: value for key, value in row.items() if key != "channel"}
    return {**facts, "path": path, "gain_db": f"{20 * np.log10(PEAK / top):.2f}"}


def _sound(path: Path) -> tuple[Signal, int]:
    decoded = decode(path.read_bytes(), path.name)
    return decoded.samples, decoded.sample_rate
