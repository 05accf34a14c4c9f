"""The layers of a scene put together: the whole of it, and the same without one of its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sonolake.audio.encode import Pcm16, quantise
from sonolake.audio.levels import apply_gain, fade, pcm16_ceiling
from sonolake.audio.limiter import limit
from sonolake.audio.signals import Signal
from sonolake.cares.measure import Asked
from sonolake.cares.placement import Placement
from sonolake.cares.settings import MixSettings
from sonolake.cares.voice_track import with_gain

Placed = tuple[Placement, Signal, Asked]
"""An event where it falls, its sound at its level, and what was asked of it."""
Layers = Mapping[str, Signal]
"""Voice, events and ambience, ``(frames,)`` each; their sum in this order is the mix."""


def layers_of(voice: Signal, bed: Signal, placed: Sequence[Placed], settings: MixSettings) -> Layers:
    """The layers with their fades: the voice lowered under what breaks it off, the events, the ambience.

    Args:
        voice: at its level, as nobody has lowered it.
        bed: the ambience at its level.
        placed: the events.
        settings: the numbers of the mix.
    """
    events = np.zeros(len(voice))
    for placement, sound, asked in placed:
        if placement.plan.reaction == "behavioral":
            ramp = round(settings.duck_ramp_s * settings.rate)
            voice = with_gain(voice, placement.onset, placement.over, -asked.duck_db, ramp)
        events[placement.start : placement.end] += sound
    layers = {"voice": voice, "events": events, "ambience": bed}
    return {name: fade(x, settings.rate, settings.fade_s, settings.fade_s) for name, x in layers.items()}


def at_gain(layers: Layers, gain_db: float) -> Layers:
    """Every layer louder by a gain."""
    return {name: apply_gain(x, gain_db) for name, x in layers.items()}


def total(layers: Layers) -> Signal:
    """The mix before the limiter."""
    return layers["voice"] + layers["events"] + layers["ambience"]


def limited(mix: Signal, settings: MixSettings) -> Pcm16:
    """The mix as it is written: under the ceiling, 16 bits."""
    return quantise(limit(mix, settings.rate, pcm16_ceiling(settings.peak_dbfs)))


def without_each(
    voice: Signal, bed: Signal, placed: Sequence[Placed], settings: MixSettings, master_db: float
) -> dict[str, Pcm16]:
    """The scene without each of its events, by event id: as if it had not sounded, and nothing else changed.

    The voice is not lowered for it, and the master gain stays that of the whole scene. So every sample is the whole
    scene's, but where the event is heard, the voice was lowered for it, or the limiter was at work on either.
    """
    found = {}
    for one in placed:
        others = [other for other in placed if other is not one]
        layers = at_gain(layers_of(voice, bed, others, settings), master_db)
        found[one[0].plan.event_id] = limited(total(layers), settings)
    return found
