"""The layers of a scene put together: the whole of it, and the same without one of its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sonolake.audio.encode import Pcm16, quantise
from sonolake.audio.levels import db_to_gain, fade_curve, pcm16_ceiling
from sonolake.audio.limiter import limit
from sonolake.audio.signals import Signal
from sonolake.cares.layer import Layer, add_up
from sonolake.cares.measure import Asked
from sonolake.cares.placement import Placement
from sonolake.cares.settings import MixSettings
from sonolake.cares.voice_track import with_gain

Placed = tuple[Placement, Signal, Asked]
"""An event where it falls, its sound at its level, and what was asked of it."""


def finish(
    voice: Layer, bed: Layer, placed: Sequence[Placed], settings: MixSettings
) -> list[tuple[int, Signal]]:
    """Lower the voice under what breaks it off, and fade voice, ambience and events at the ends of the scene.

    Args:
        voice: at its level, as nobody has lowered it.
        bed: the ambience at its level.
        placed: the events.
        settings: the numbers of the mix.

    Returns:
        First frame and samples of each event.
    """
    for placement, _, asked in placed:
        if placement.plan.reaction == "behavioral":
            _lower(voice, placement, asked.duck_db, settings)
    frames = min(round(settings.fade_s * settings.rate), len(voice))
    curve = fade_curve(frames)
    for layer in (voice, bed):
        layer.change(0, layer.part(0, frames) * curve)
        layer.change(len(layer) - frames, layer.part(len(layer) - frames, len(layer)) * curve[::-1])
    return [(p.start, _at_the_ends(sound, p.start, len(voice), curve)) for p, sound, _ in placed]


def _lower(voice: Layer, placement: Placement, by_db: float, settings: MixSettings) -> None:
    ramp = round(settings.duck_ramp_s * settings.rate)
    first = max(0, placement.onset - ramp)
    part = voice.part(first, placement.over + ramp)
    voice.change(first, with_gain(part, placement.onset - first, placement.over - first, -by_db, ramp))


def _at_the_ends(sound: Signal, start: int, frames: int, curve: Signal) -> Signal:
    """An event under the fades of the whole scene."""
    heard = sound.copy()
    head = curve[start : start + len(heard)]
    heard[: len(head)] *= head
    into = frames - len(curve) - start
    tail = curve[::-1][max(0, -into) : len(heard) - into] if into < len(heard) else curve[:0]
    heard[max(0, into) : max(0, into) + len(tail)] *= tail
    return heard


def put_in(mix: Layer, events: Sequence[tuple[int, Signal]]) -> None:
    """Mix events in."""
    for first, sound in events:
        mix.change(first, mix.part(first, first + len(sound)) + sound)


def stems_of(voice: Layer, bed: Layer, events: Sequence[tuple[int, Signal]]) -> Mapping[str, Signal]:
    """Voice, events and ambience as they are now, ``(frames,)`` each."""
    sounds = Layer(np.zeros(len(voice)))
    put_in(sounds, events)
    whole = 0, len(voice)
    return {"voice": voice.part(*whole), "events": sounds.samples, "ambience": bed.part(*whole)}


def limited(mix: Signal, highest: float, settings: MixSettings) -> Pcm16:
    """The mix as it is written: under the ceiling, 16 bits; ``highest`` is its highest magnitude."""
    ceiling = pcm16_ceiling(settings.peak_dbfs)
    over = highest > db_to_gain(ceiling)
    return quantise(limit(mix, settings.rate, ceiling) if over else mix)


def without_each(
    voice: Layer, bed: Layer, placed: Sequence[Placed], settings: MixSettings, master_db: float
) -> dict[str, Pcm16]:
    """The scene without each of its events, by event id: as if it had not sounded, and nothing else changed.

    The voice is not lowered for it, and the master gain stays that of the whole scene. So every sample is the whole
    scene's, but where the event is heard, the voice was lowered for it, or the limiter was at work on either.
    """
    found = {}
    for one in placed:
        mix, ambience = voice.copy(), bed.copy()
        put_in(mix, finish(mix, ambience, [other for other in placed if other is not one], settings))
        mix.gain(master_db)
        ambience.gain(master_db)
        found[one[0].plan.event_id] = limited(*add_up(mix, ambience), settings)
    return found
