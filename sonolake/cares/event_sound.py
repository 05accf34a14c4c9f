"""One event's take as it is heard in the scene, before its level."""

from __future__ import annotations

import math

import numpy as np

from sonolake.audio.activity import falls_at, loudest, rises_at
from sonolake.audio.convolve import convolve
from sonolake.audio.levels import fade, peak
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.cares.filters import low_pass
from sonolake.cares.recipe import EventPlan, SceneRecipe
from sonolake.cares.scene import Clip
from sonolake.errors import ItemRefused
from sonolake.ids import rng_of

HEARD_DB = 40.0
"""A take is heard from this far under its peak."""
OVER_DB = 30.0
"""A sound is over when it stays this far under its peak: the label ends there, and what is left is its tail."""
PAD_S = 0.03
"""Kept before and after the heard part of a take."""
FADE_S = 0.02
NEAR_M = 2.0
"""Beyond this distance a sound loses treble and gains room."""
WET_CAP = 0.25


def event_sound(plan: EventPlan, take: Clip, recipe: SceneRecipe, response: Signal | None) -> Signal:
    """The take as people trimmed it and without silence, cut to a drawn length, dulled by distance and put into the
    room; level as recorded.

    Args:
        plan: the event.
        take: its recording.
        recipe: the scene's.
        response: of the room, normalised by :func:`room`, or None for dry.

    Raises:
        ItemRefused: ``silent``, for a take without sound.
    """
    settings = recipe.settings
    x = resample(_kept(take, plan), take.rate, settings.rate)
    if not len(x) or not peak(x) > 0:
        raise ItemRefused("silent", f"take {plan.take_id} of {plan.event_id}")
    x = _trimmed(x, settings.rate)
    longest = rng_of(recipe.scene_id, f"length {plan.event_id}").uniform(*settings.longest_s)
    x = _cut(x, settings.rate, round(float(longest) * settings.rate), settings.clear_s, settings.release_s)
    if plan.distance_m > NEAR_M:
        x = low_pass(x, settings.rate, max(3_500.0, 18_000.0 * (NEAR_M / plan.distance_m) ** 0.6))
    if response is None:
        return x
    return convolve(x, shared(response, wet_at(recipe.wet, plan.distance_m)))


def _kept(take: Clip, plan: EventPlan) -> Signal:
    """What a person left of the take."""
    if plan.trim_s is None:
        return take.samples
    start, end = (round(second * take.rate) for second in plan.trim_s)
    return take.samples[start:end]


def distance_gain_db(plan: EventPlan, limits: tuple[float, float]) -> float:
    """``-20 log10(distance / reference)`` within ``limits``: the inverse distance law, bounded."""
    return float(np.clip(-20.0 * math.log10(plan.distance_m / plan.reference_m), *limits))


def wet_at(wet: float, distance_m: float) -> float:
    """Share of the room at a distance: grows with it, capped at :data:`WET_CAP`."""
    return min(WET_CAP, wet * max(1.0, distance_m / NEAR_M))


def room(response: Signal) -> tuple[Signal, int]:
    """A response of unit energy from its direct sound on, and how many samples came before that."""
    direct = int(np.argmax(np.abs(response)))
    kept = response[direct:]
    return kept / math.sqrt(float(np.sum(np.square(kept)))), direct


def shared(response: Signal, wet: float) -> Signal:
    """The response of a source that is heard dry with a share of the room.

    Args:
        response: unit energy, direct sound at index 0.
        wet: share of amplitude, 0 to 1.
    """
    mixed = response * wet
    mixed[0] += 1.0 - wet
    return mixed


def _trimmed(x: Signal, rate: int) -> Signal:
    pad = round(PAD_S * rate)
    first, last = max(0, rises_at(x, HEARD_DB) - pad), min(len(x), falls_at(x, HEARD_DB) + pad)
    return fade(x[first:last], rate, FADE_S, FADE_S)


def _cut(x: Signal, rate: int, longest: int, clear_s: float, release_s: float) -> Signal:
    """At most ``longest`` samples that hold the loudest moment, early in them, with a release at a cut end."""
    if len(x) <= longest:
        return x
    window = round(clear_s * rate)
    first = min(max(0, loudest(x, window) - longest // 3), len(x) - longest)
    return fade(x[first : first + longest], rate, FADE_S, release_s)
