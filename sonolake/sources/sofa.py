"""SOFA files (AES69) with spatial room responses, unpacked to a source folder: a FLAC a measurement, and a manifest.

The source's place is seen from the listener: its offset from the listener's position, in a frame whose x axis is the
listener's view and whose z axis is its up vector, as azimuth counter-clockwise, elevation and metres. What SOFA files
do not say in a form that can be relied on is declared in a :class:`SofaLayout`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.arrival import direct_index
from sonolake.audio.foa import Convention
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput
from sonolake.extras import require
from sonolake.ids import sha256_hex
from sonolake.sources.layout import PEAK, flac_24, write_manifest, write_once

if TYPE_CHECKING:
    from sofar import Sofa

Vectors = NDArray[np.float64]
"""``(measurements, 3)``."""


@dataclass(frozen=True)
class SofaLayout:
    """What is declared of a SOFA file.

    Attributes:
        convention: of the four channels that are used; empty leaves the files undeclared, to be set aside at intake.
        channels: which receivers they are, in the convention's order; the first four of a higher order in ACN.
        emitter: which emitter, where responses are kept by emitter.
        room: its name; by default the file's short name of the room, or else the file's own name.
        licence: SPDX, where the file does not say or says it in other words.
        clockwise: whether spherical azimuths grow to the right, against the standard.
    """

    convention: Convention | None
    channels: tuple[int, ...] = (0, 1, 2, 3)
    emitter: int = 0
    room: str = ""
    licence: str = ""
    clockwise: bool = False


@dataclass(frozen=True)
class Unpacked:
    """What became of a SOFA file: ``measurements = written + len(silent)``; the numbers of silent ones, from 0."""

    folder: Path
    measurements: int
    written: int
    silent: tuple[int, ...]


def unpack_sofa(path: Path, dest: Path, layout: SofaLayout) -> Unpacked:
    """Write the responses of a SOFA file to a folder that ``ingest-responses`` takes.

    Args:
        path: the file, with FIR data by receiver, or by receiver and emitter.
        dest: a folder of its own; files that are there already and equal stay. One gain for all responses keeps their
            levels to each other.
        layout: what is declared.

    Raises:
        MissingPackage: without sofar.
        InvalidInput: when the file cannot be read, holds no such data, or has fewer receivers or emitters.
    """
    sofa = _read(path)
    responses, rate = _responses(sofa, path, layout)
    places = _places(sofa, len(responses), layout.clockwise)
    top = float(np.abs(responses).max(initial=0.0))
    silent = [i for i, response in enumerate(responses) if not np.abs(response[:, 0]).max(initial=0.0) > 0]
    source_id = f"sofa:{sha256_hex(path.read_bytes())[:16]}"
    room = layout.room or _text(sofa, "GLOBAL_RoomShortName") or path.stem
    rows = []
    for i, response in enumerate(responses):
        if i in silent:
            continue
        name = f"{path.stem}-{i + 1:05d}.flac"
        write_once(dest / name, flac_24(response * (PEAK / top), rate))
        azimuth, elevation, distance = places[i]
        rows.append(
            {
                "path": name,
                "source_id": source_id,
                "title": f"{_text(sofa, 'GLOBAL_Title') or path.stem}, measurement {i + 1}",
                "author": _text(sofa, "GLOBAL_AuthorContact"),
                "licence": layout.licence or _text(sofa, "GLOBAL_License"),
                "room": room,
                "convention": layout.convention or "",
                "azimuth_deg": f"{azimuth:.3f}",
                "elevation_deg": f"{elevation:.3f}",
                "distance_m": f"{distance:.4f}",
                "arrival_s": f"{direct_index(response, rate) / rate:.6f}",
                "gain_db": f"{20 * np.log10(PEAK / top):.2f}",
            }
        )
    write_manifest(dest, rows)
    return Unpacked(dest, len(responses), len(rows), tuple(silent))


def _read(path: Path) -> Sofa:
    require("sofar", "reading SOFA files")
    import sofar

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return sofar.read_sofa(str(path), verify=False, verbose=False)
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise InvalidInput(
            str(path), "a SOFA file of a known convention", type(error).__name__, str(error)[:200]
        ) from None


def _responses(sofa: Sofa, path: Path, layout: SofaLayout) -> tuple[list[Signal], int]:
    """A response ``(taps, channels)`` a measurement, delays put in, and the rate in Hz."""
    data = np.asarray(getattr(sofa, "Data_IR", 0.0), dtype=np.float64)
    if data.ndim == 2:
        data = data[None]
    if data.ndim == 4:
        if not 0 <= layout.emitter < data.shape[3]:
            raise InvalidInput("emitter", f"0 to {data.shape[3] - 1}", layout.emitter)
        data = data[..., layout.emitter]
    if data.ndim != 3 or not np.isfinite(data).all():
        raise InvalidInput(str(path), "finite FIR data by measurement and receiver", data.shape)
    if not layout.channels or not 0 <= min(layout.channels) <= max(layout.channels) < data.shape[1]:
        raise InvalidInput("channels", f"receivers from 0 to {data.shape[1] - 1}", layout.channels)
    rate = round(float(np.asarray(sofa.Data_SamplingRate).reshape(-1)[0]))
    delays = np.asarray(getattr(sofa, "Data_Delay", 0.0), dtype=np.float64)
    delays = delays[..., layout.emitter] if delays.ndim == 3 else np.atleast_2d(delays)
    delays = np.broadcast_to(np.rint(delays).astype(np.int64), data.shape[:2])
    chosen = list(layout.channels)
    return [_late(x[chosen], d[chosen]) for x, d in zip(data, delays, strict=True)], rate


def _late(x: Signal, delays: NDArray[np.int64]) -> Signal:
    """Channels ``(channels, taps)`` delayed by whole samples each, as ``(taps, channels)``."""
    out = np.zeros((x.shape[1] + int(delays.max()), x.shape[0]))
    for channel, (signal, delay) in enumerate(zip(x, delays, strict=True)):
        out[delay : delay + signal.size, channel] = signal
    return out


def _places(sofa: Sofa, count: int, clockwise: bool) -> list[tuple[float, float, float]]:
    """Azimuth and elevation in degrees and distance in metres of each measurement's source from its listener."""
    source, listener = (
        _cartesian(sofa, f"{name}Position", count, clockwise) for name in ("Source", "Listener")
    )
    view = _cartesian(sofa, "ListenerView", count, clockwise, (1.0, 0.0, 0.0))
    up = _cartesian(sofa, "ListenerUp", count, clockwise, (0.0, 0.0, 1.0), like="ListenerView")
    left = np.cross(up, view)
    away = source - listener
    frame = np.stack([_unit(view), _unit(left), _unit(np.cross(view, left))], axis=1)
    x, y, z = np.einsum("mij,mj->im", frame, away)
    azimuth, elevation = np.degrees(np.arctan2(y, x)), np.degrees(np.arctan2(z, np.hypot(x, y)))
    return list(zip(azimuth, elevation, np.linalg.norm(away, axis=1), strict=True))


def _cartesian(
    sofa: Sofa,
    name: str,
    count: int,
    clockwise: bool,
    default: Sequence[float] = (0.0, 0.0, 0.0),
    like: str = "",
) -> Vectors:
    """A position or vector of the file a measurement, in metres from the origin."""
    values: Any = np.atleast_2d(np.asarray(getattr(sofa, name, default), dtype=np.float64))
    if values.shape[-1] != 3:
        values = np.asarray([default], dtype=np.float64)
    values = np.broadcast_to(values, (count, 3))
    if _text(sofa, f"{like or name}_Type") != "spherical" or not hasattr(sofa, name):
        return np.array(values)
    azimuth, elevation = np.radians(values[:, 0] * (-1 if clockwise else 1)), np.radians(values[:, 1])
    flat = values[:, 2] * np.cos(elevation)
    return np.stack(
        [flat * np.cos(azimuth), flat * np.sin(azimuth), values[:, 2] * np.sin(elevation)], axis=1
    )


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (lengths > 1e-9).all():
        raise InvalidInput(
            "ListenerView and ListenerUp", "two directions that are not parallel", "parallel ones"
        )
    return np.asarray(vectors / lengths)


def _text(sofa: Sofa, name: str) -> str:
    value = getattr(sofa, name, "")
    return value.strip() if isinstance(value, str) else ""
