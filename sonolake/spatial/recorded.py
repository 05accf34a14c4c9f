"""Clips cut from labelled recordings: 10 s windows, labels cut with them.

A recording that was itself simulated stands in for a real one: its clips say ``stand-in``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from sonolake.audio.encode import Pcm16, quantise
from sonolake.audio.levels import db_to_gain, gain_to_db, peak, round_db
from sonolake.audio.loudness import loudness
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput
from sonolake.ids import make_id
from sonolake.spatial.records import CLIP_FRAMES, CLIP_RATE, CLIP_S, ORIGINS, ClipEvent
from sonolake.spatial.render import Clip, peak_gain_db
from sonolake.spatial.scene import SLIVER_S


@dataclass(frozen=True)
class Window:
    """Where a clip is cut from; ``clip_id`` is the hash of everything.

    Attributes:
        split, room: of the recording.
        origin: ``recorded`` or ``stand-in``.
        recording_id: its asset.
        start_s: where the window begins, seconds.
    """

    split: str
    room: str
    origin: str
    recording_id: str
    start_s: float

    def __post_init__(self) -> None:
        if self.origin not in ORIGINS[1:]:
            raise InvalidInput("origin", f"one of {ORIGINS[1:]}", self.origin)

    @property
    def clip_id(self) -> str:
        """``clip-`` and 20 hexadecimal digits."""
        return make_id("clip", asdict(self))

    def to_record(self) -> dict[str, Any]:
        """The window as a dictionary, with its id."""
        return {"clip_id": self.clip_id, **asdict(self)}


@dataclass(frozen=True)
class LeftOut:
    """A window that is not used, and why: ``no_events``, or ``sliver`` (an event cut to almost nothing)."""

    window: Window
    reason: str

    @property
    def detail(self) -> str:
        """The same as a sentence."""
        window = self.window
        what = {
            "no_events": "no labelled sound",
            "sliver": f"a sound of which an edge leaves less than {SLIVER_S:g} s",
        }[self.reason]
        span = f"{window.start_s:g} to {window.start_s + CLIP_S:g} s of recording {window.recording_id}"
        return f"{span} hold {what}"


def windows(
    recording_id: str,
    room: str,
    split: str,
    duration_s: float,
    events: Sequence[ClipEvent],
    stand_in: bool,
    keep_empty: bool = False,
) -> tuple[list[Window], list[LeftOut]]:
    """The whole windows of a recording, one after the other from its start, and those that are left out.

    Args:
        recording_id: its asset.
        room: where it was made.
        split: of the room.
        duration_s: its length in seconds; what does not fill a window is not used.
        events: its labels, in seconds from its start.
        stand_in: whether the recording was simulated.
        keep_empty: take windows without events, too.
    """
    kept, out = [], []
    for index in range(int((duration_s + 1e-9) // CLIP_S)):
        start = index * CLIP_S
        window = Window(split, room, ORIGINS[2 if stand_in else 1], recording_id, start)
        inside = labels(events, start)
        if any(e.duration_s < SLIVER_S and (e.cut_start or e.cut_end) for e in inside):
            out.append(LeftOut(window, "sliver"))
        elif not inside and not keep_empty:
            out.append(LeftOut(window, "no_events"))
        else:
            kept.append(window)
    return kept, out


def labels(events: Sequence[ClipEvent], start_s: float) -> tuple[ClipEvent, ...]:
    """The labels of a window: times from its start, cut at its edges and marked where cut, ordered by onset."""
    inside = [_cut(event, start_s) for event in events if _touches(event, start_s)]
    return tuple(sorted(inside, key=lambda e: (e.onset_s, e.offset_s, e.event)))


def _touches(event: ClipEvent, start_s: float) -> bool:
    return min(event.offset_s, start_s + CLIP_S) - max(event.onset_s, start_s) > 1e-9


def _cut(event: ClipEvent, start_s: float) -> ClipEvent:
    onset, offset = event.onset_s - start_s, event.offset_s - start_s
    azimuth, elevation, distance = event.position(max(event.onset_s, start_s))
    return replace(
        event,
        azimuth_deg=azimuth,
        elevation_deg=elevation,
        distance_m=distance,
        track=tuple(replace(point, at_s=round(point.at_s - start_s, 6)) for point in event.track),
        onset_s=round(max(0.0, onset), 6),
        offset_s=round(min(CLIP_S, offset), 6),
        cut_start=event.cut_start or onset < -1e-9,
        cut_end=event.cut_end or offset > CLIP_S + 1e-9,
    )


def cut(window: Window, samples: Signal, rate: int, events: Sequence[ClipEvent]) -> Clip:
    """The clip of a window: the recording as it is, resampled, attenuated only if its peak asks for it.

    Args:
        window: where.
        samples: the whole recording, ``(frames, 4)`` AmbiX.
        rate: Hz.
        events: its labels, in seconds from its start.

    Raises:
        InvalidInput: for other than four channels, or a window beyond the recording's end.
    """
    if samples.ndim != 2 or samples.shape[1] != 4:
        raise InvalidInput("samples", "shape (frames, 4), AmbiX", samples.shape)
    first, last = round(window.start_s * rate), round((window.start_s + CLIP_S) * rate)
    if last > len(samples):
        raise InvalidInput(
            "window", f"within {len(samples) / rate:.3f} s", window.start_s, "another recording"
        )
    part = _exactly(resample(samples[first:last], rate, CLIP_RATE))
    taken = peak_gain_db(peak(part))
    pcm: Pcm16 = quantise(part * db_to_gain(taken))
    heard = pcm.astype(np.float64) / 32768.0
    levels = round_db(loudness(heard[:, 0], CLIP_RATE)), round_db(gain_to_db(peak(heard)))
    return Clip(pcm, CLIP_RATE, labels(events, window.start_s), *levels, taken)


def _exactly(x: Signal) -> Signal:
    if len(x) >= CLIP_FRAMES:
        return x[:CLIP_FRAMES]
    return np.concatenate([x, np.zeros((CLIP_FRAMES - len(x), x.shape[1]))])
