"""Simulated Ambisonics recordings: a quiet room in which takes are heard from known directions, with DCASE labels.

They stand in for real recordings where there are none, and say so (``synthetic``). Each is made in a room of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from sonolake.audio.convolve import convolve
from sonolake.audio.encode import flac_bytes, quantise
from sonolake.audio.levels import trim
from sonolake.audio.resample import resample
from sonolake.audio.rooms import simulate_foa
from sonolake.audio.signals import Signal
from sonolake.ids import make_id, rng_of
from sonolake.sources.making import MadeFolder, Product, write_products
from sonolake.sources.procedural.parts import RATE
from sonolake.sources.procedural.recipe import SoundRecipe
from sonolake.sources.responses import Direction, directions, room
from sonolake.sources.synthetic import FOA_RATE, diffuse

_HEARD = (
    "door_knock",
    "phone_ring",
    "keyboard_typing",
    "vocal_laughs",
    "glass_clink",
    "alarm_clock",
    "vocal_cough",
    "keys_jingle",
    "dish_clatter",
    "footsteps",
    "faucet",
    "doorbell",
)
"""Domestic sounds that the recordings draw from, so that any two of them share classes."""
_VARIANTS_FROM = 100
"""Recordings use variants from here on: none that a folder of takes has."""
AUDIBLE_DB = 30.0
"""A sound begins and ends where it first and last is this near its peak: labels hold what can be heard."""
_FRAME_S = 0.1
_SOUND_SPEED = 343.0


@dataclass(frozen=True)
class Heard:
    """One sound of a recording: what, when (seconds) and from where (degrees, metres)."""

    sound: SoundRecipe
    onset_s: float
    place: Direction

    def dry(self) -> Signal:
        """The sound without what a listener in the room could not tell from the room tone."""
        return trim(self.sound.render(), AUDIBLE_DB)


def write_foa_recordings(
    dest: Path, recordings: int = 4, duration_s: float = 40.0, events: int = 12
) -> MadeFolder:
    """Write simulated recordings, four-channel AmbiX FLAC at 24 kHz, and their labels.

    Labels are CSV as in STARSS23: 100 ms frame from 0, class, source, azimuth, elevation (whole degrees), distance
    (cm). The manifest names the file (``labels``), the classes in order (``classes``, with semicolons) and the unit
    (``distance_unit``).

    Args:
        dest: the folder.
        recordings: how many, one a room.
        duration_s: seconds of each.
        events: sounds in each.
    """
    return write_products(dest, _recordings(recordings, duration_s, events), "room")


def score(name: str, duration_s: float, events: int) -> list[Heard]:
    """What is heard in the recording ``name``: ``events`` sounds, evenly spread in time, each from its own place."""
    rng = rng_of(name, "score")
    places = directions(room(name), events)
    slot = (duration_s - 4.0) / events
    names = [_HEARD[i] for _ in range(events // len(_HEARD) + 1) for i in rng.permutation(len(_HEARD))]
    return [
        Heard(
            SoundRecipe(names[i], _VARIANTS_FROM + int(rng.integers(50))),
            round(0.3 + slot * (i + float(rng.uniform(0.0, 0.6))), 2),
            places[int(place)],
        )
        for i, place in enumerate(rng.permutation(events))
    ]


def perform(name: str, heard: list[Heard], duration_s: float) -> Signal:
    """The recording: AmbiX ``(frames, 4)``, 24 kHz, peak 0.8; every sound in its room, over a diffuse room tone."""
    frames = round(duration_s * FOA_RATE)
    scene = np.zeros((frames, 4))
    for one in heard:
        dry = resample(one.dry(), RATE, FOA_RATE)
        response = simulate_foa(room(name), *one.place, FOA_RATE)
        wet = convolve(dry / np.sqrt(np.mean(dry**2)), response)
        start = round(one.onset_s * FOA_RATE)
        part = wet[: max(0, frames - start)]
        scene[start : start + len(part)] += part
    bed = SoundRecipe("home_indoor_ambience", _VARIANTS_FROM + int(rng_of(name, "bed").integers(50))).render()
    tone = diffuse(bed)
    tone = np.stack([resample(tone[:, channel], RATE, FOA_RATE) for channel in range(4)], axis=1)
    looped = tone[np.arange(frames) % len(tone)]
    scene += looped * (0.05 * np.sqrt(np.mean(scene[:, 0] ** 2)) / np.sqrt(np.mean(looped[:, 0] ** 2)))
    return np.asarray(scene * (0.8 / np.abs(scene).max()))


def label_rows(heard: list[Heard], classes: list[str], duration_s: float) -> str:
    """The DCASE table of a recording; a frame is active when the direct sound fills any of it."""
    rows: list[tuple[int, int, int, int, int, int]] = []
    for index, one in enumerate(heard):
        azimuth, elevation, distance = one.place
        source = sum(earlier.sound.kind == one.sound.kind for earlier in heard[:index])
        start = one.onset_s + distance / _SOUND_SPEED
        end = min(start + one.dry().size / RATE, duration_s)
        for frame in range(int(start / _FRAME_S), int(np.ceil(end / _FRAME_S - 1e-9))):
            kind = classes.index(one.sound.kind.event_id)
            rows.append((frame, kind, source, round(azimuth), round(elevation), round(100 * distance)))
    return "".join(",".join(str(value) for value in row) + "\n" for row in sorted(rows))


def _recordings(recordings: int, duration_s: float, events: int) -> Iterator[Product]:
    for index in range(recordings):
        name = f"stand-in-room-{index + 1:02d}"
        heard = score(name, duration_s, events)
        classes = sorted({one.sound.kind.event_id for one in heard})
        path, labels = f"simulated/{name}.flac", f"labels/{name}.csv"
        row = {
            "path": path,
            "source_id": f"simulated:{name}",
            "title": f"Simulated Ambisonics recording {index + 1}",
            "room": name,
            "convention": "ambix",
            "labels": labels,
            "classes": ";".join(classes),
            "distance_unit": "cm",
        }
        parts = [[one.sound.recipe_id, one.onset_s, *one.place] for one in heard]
        recipe_id = make_id("foa-recording", {"name": name, "duration_s": duration_s, "heard": parts})
        yield Product(row, recipe_id, partial(_files, name, heard, classes, duration_s, (path, labels)))


def _files(
    name: str, heard: list[Heard], classes: list[str], duration_s: float, paths: tuple[str, str]
) -> Mapping[str, bytes]:
    return {
        paths[0]: flac_bytes(quantise(perform(name, heard, duration_s)), FOA_RATE),
        paths[1]: label_rows(heard, classes, duration_s).encode(),
    }
