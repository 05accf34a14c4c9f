"""Staged speech: sentences in packaged voices with synthetic vocal events between them, at known places.

It stands in for web speech where there is none: everything in it may be released, and what a miner should find is
known. Marked synthetic.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np

from sonolake.audio.encode import flac_bytes, quantise
from sonolake.audio.levels import db_to_gain, peak, round_db
from sonolake.audio.loudness import loudness
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.ids import make_id, seed_of
from sonolake.models import get
from sonolake.models.base import Voice
from sonolake.sources.licences import licence_of_mix
from sonolake.sources.making import MadeFolder, Product, write_products
from sonolake.sources.procedural.recipe import LICENCE, SoundRecipe

RATE = 24_000
"""Sample rate in Hz of what is staged."""
SPEECH_LUFS, EVENT_LUFS = -23.0, -26.0
GAP_S = 0.12
"""Silence on both sides of an event."""
CEILING = db_to_gain(-1.0)
_EVENT = re.compile(r"\[(\w+)\]")


@dataclass(frozen=True)
class Script:
    """A short monologue in one voice; ``text`` has discrete tags where events belong.

    ``recording_id`` is the hash of everything, and seeds the speech.
    """

    name: str
    voice: str
    text: str

    @property
    def recording_id(self) -> str:
        """The recording's name: the same script is the same recording."""
        return make_id("staged", {"name": self.name, "voice": self.voice, "text": self.text})

    @property
    def spoken(self) -> str:
        """The text without tags."""
        return " ".join(_EVENT.sub(" ", self.text).split())


def scripts() -> tuple[Script, ...]:
    """The packaged monologues."""
    text = files(__package__).joinpath("staged_scripts.json").read_text("utf-8")
    return tuple(Script(**row) for row in json.loads(text))


def stage(script: Script, voice: Voice) -> tuple[Signal, list[tuple[str, float, float]]]:
    """The monologue as mono speech at 24 kHz, and each event with its start and end in seconds.

    Raises:
        InvalidInput: for a tag that has no synthetic sound.
    """
    pieces: list[Signal] = []
    events: list[tuple[str, float, float]] = []
    at = 0
    for number, part in enumerate(_EVENT.split(script.text)):
        is_event = number % 2 == 1
        if not is_event and not part.strip():
            continue
        piece = _event(script, part, number) if is_event else _speech(script, part.strip(), number, voice)
        if is_event:
            gap = np.zeros(round(GAP_S * RATE))
            events.append((part, (at + len(gap)) / RATE, (at + len(gap) + len(piece)) / RATE))
            piece = np.concatenate([gap, piece, gap])
        pieces.append(piece)
        at += len(piece)
    return np.concatenate(pieces), events


def _speech(script: Script, text: str, number: int, voice: Voice) -> Signal:
    spoken = voice.speak(text, seed_of(script.recording_id, f"speech:{number}") % 2**31)
    return _at_level(resample(spoken, voice.sample_rate, RATE), SPEECH_LUFS)


def _event(script: Script, tag: str, number: int) -> Signal:
    variant = seed_of(script.recording_id, f"event:{number}") % 2**31
    return _at_level(resample(SoundRecipe(f"vocal_{tag}", variant).render(), 44_100, RATE), EVENT_LUFS)


def _at_level(x: Signal, lufs: float) -> Signal:
    gained = x * db_to_gain(round_db(lufs - loudness(x, RATE)))
    top = peak(gained)
    return gained if top <= CEILING else gained * (CEILING / top)


def write_staged(dest: Path, chosen: Sequence[Script] | None = None) -> MadeFolder:
    """Write the monologues as a source folder; those that are there already are left alone.

    The column ``tagged`` has the text with its tags; ``labels`` names an Audacity label file (start,
    end in seconds, tag, separated by tabs) with the times of the events.

    Raises:
        MissingPackage: when a voice is not installed.
    """
    return write_products(
        dest, (_product(script, get(script.voice)) for script in chosen or scripts()), "speaker"
    )


def _product(script: Script, voice: Voice) -> Product:
    sound, labels = f"{script.name}.flac", f"{script.name}.labels.txt"

    def make() -> dict[str, bytes]:
        samples, events = stage(script, voice)
        lines = (f"{start:.3f}\t{end:.3f}\t{tag}\n" for tag, start, end in events)
        return {sound: flac_bytes(quantise(samples), RATE), labels: "".join(lines).encode()}

    row = {
        "path": sound,
        "source_id": script.recording_id,
        "title": f"Staged monologue: {script.name.replace('-', ' ')}",
        "author": "sonolake",
        "licence": licence_of_mix([voice.licence, LICENCE]),
        "speaker": script.voice,
        "language": "en",
        "transcript": script.spoken,
        "tagged": script.text,
        "labels": labels,
    }
    return Product(row, make_id("staged", {"of": script.recording_id, "weights": voice.weights_sha256}), make)
