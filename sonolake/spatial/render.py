"""From a recipe and its sounds to a clip: 10 s at 24 kHz, four channels AmbiX, PCM16, with exact labels.

Each take is resampled, trimmed to its sound, cut to its event and convolved with its four-channel response, or with the
responses that it passes; the stem is brought to its level on W, so that loudness does not depend on direction. The
ambience stays four-channel. One gain brings the clip to its loudness on W, another one keeps all channels under the
ceiling: the ratios between channels, and so every direction, are those of the responses.

Labels follow from the construction: a sound is heard from the moment its direct sound arrives (the take's start plus
the delay of the response) for as long as the take lasts. Whenever a moving one passes a response it is where that
response puts it. Reverberation after that is not labelled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonolake.audio.arrival import direct_index
from sonolake.audio.convolve import glide
from sonolake.audio.encode import Pcm16, quantise
from sonolake.audio.levels import db_to_gain, fade, gain_to_db, peak, round_db, trim
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal, as_mono
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of
from sonolake.spatial.ambience import four_channels
from sonolake.spatial.layers import Kept, Layer, Mix, levelled
from sonolake.spatial.motion import TrackPoint
from sonolake.spatial.records import CLIP_FRAMES, CLIP_RATE, ClipEvent, ClipRecipe, SourcePlacement, Waypoint

CEILING_DBFS = -1.0
"""Highest sample of any channel."""
TRIM_DB = 40.0
"""A take starts and ends where it first and last reaches this level under its peak."""
CUT_FADE_S = 0.02
"""Fade at the end of a take that is cut short."""

Sound = tuple[Signal, int]
"""Samples and their rate in Hz."""


@dataclass(frozen=True)
class ClipInputs:
    """The sounds of a recipe by asset id: takes (one channel), responses (AmbiX), and its ambience."""

    takes: Mapping[str, Sound]
    responses: Mapping[str, Sound]
    ambience: Sound | None = None


@dataclass(frozen=True)
class Clip:
    """A rendered clip.

    Attributes:
        samples: int16 ``(240000, 4)``, AmbiX.
        rate: 24000 Hz.
        events: labels, ordered by onset.
        loudness_lufs: on W.
        peak_dbfs: highest sample of any channel.
        gain_db: what the peak rule took away, at most 0.
    """

    samples: Pcm16
    rate: int
    events: tuple[ClipEvent, ...]
    loudness_lufs: float
    peak_dbfs: float
    gain_db: float


def render(recipe: ClipRecipe, inputs: ClipInputs) -> Clip:
    """The clip of a recipe; the same inputs give the same samples.

    Raises:
        InvalidInput: when ``inputs`` lacks an asset of the recipe.
        ItemRefused: ``silent`` for a take, response or ambience that cannot be levelled.
    """
    mix, events = Mix(_ambience(recipe, inputs)), []
    for source in recipe.sources:
        stem, event = _stem(source, inputs)
        mix.add(stem)
        events.append(event)
    level = mix.level()
    gain_db = round_db(recipe.loudness_lufs - level)
    taken = peak_gain_db(peak(mix.samples) * db_to_gain(gain_db))
    mix.samples *= db_to_gain(gain_db) * db_to_gain(taken)
    samples = quantise(mix.samples)
    highest = max(int(samples.max()), -int(samples.min())) / 32768.0
    return Clip(
        samples,
        CLIP_RATE,
        _ordered(events),
        round_db(level + gain_db + taken),
        round_db(gain_to_db(highest)),
        taken,
    )


def stems(recipe: ClipRecipe, inputs: ClipInputs) -> tuple[list[Kept], tuple[ClipEvent, ...]]:
    """Every source's four channels and last the ambience's, each ``(240000, 4)``, at the mix's levels; and the labels.

    The mix is their sum, before the clip's one gain.
    """
    layers, events = [], []
    for source in recipe.sources:
        stem, event = _stem(source, inputs)
        layers.append(stem.whole())
        events.append(event)
    if background := _ambience(recipe, inputs):
        layers.append(background.whole())
    return layers, _ordered(events)


def _ordered(events: Sequence[ClipEvent]) -> tuple[ClipEvent, ...]:
    return tuple(sorted(events, key=lambda e: (e.onset_s, e.offset_s, e.event)))


def _stem(source: SourcePlacement, inputs: ClipInputs) -> tuple[Layer, ClipEvent]:
    """One source in its room at its level, and its label."""
    take = _event_of(source, _sound(inputs.takes, source.take_id, "take"))
    responses = [_response(inputs, name) for name in source.response_ids]
    start = round(source.onset_s * CLIP_RATE)
    wet = glide(take, responses)[: CLIP_FRAMES - start]
    step = (len(take) - 1) / max(1, len(source.path))
    passed = [
        start + round(number * step) + direct_index(response, CLIP_RATE)
        for number, response in enumerate(responses)
    ]
    event = _label(source, passed, passed[-1] + 1 if source.path else passed[0] + len(take))
    return levelled(wet, start, source.level_db, f"take {source.take_id}"), event


def _response(inputs: ClipInputs, name: str) -> Signal:
    response, rate = _sound(inputs.responses, name, "response")
    response = resample(response, rate, CLIP_RATE)
    if response.ndim != 2 or response.shape[1] != 4:
        raise InvalidInput("response", "shape (taps, 4), AmbiX", response.shape)
    return response


def _label(source: SourcePlacement, passed: Sequence[int], offset: int) -> ClipEvent:
    """The label of a source that is heard from its responses' places at these frames."""
    onset = passed[0]
    if onset >= CLIP_FRAMES:
        raise InvalidInput(
            "onset", "a direct sound inside the clip", onset / CLIP_RATE, "a response with a long delay"
        )
    points: list[SourcePlacement | Waypoint] = [source, *source.path]
    return ClipEvent(
        event=source.event,
        onset_s=onset / CLIP_RATE,
        offset_s=min(offset, CLIP_FRAMES) / CLIP_RATE,
        azimuth_deg=source.azimuth_deg,
        elevation_deg=source.elevation_deg,
        distance_m=source.distance_m,
        cut_end=offset > CLIP_FRAMES,
        moving=bool(source.path),
        track=tuple(
            TrackPoint(frame / CLIP_RATE, point.azimuth_deg, point.elevation_deg, point.distance_m)
            for frame, point in zip(passed, points, strict=True)
            if source.path
        ),
    )


def _event_of(source: SourcePlacement, sound: Sound) -> Signal:
    """The take at the clip's rate, trimmed to its sound, cut to the event's length with a short fade."""
    x = trim(resample(as_mono(sound[0], "take"), sound[1], CLIP_RATE), TRIM_DB)
    frames = round(source.offset_s * CLIP_RATE) - round(source.onset_s * CLIP_RATE)
    return x if len(x) <= frames else fade(x[:frames], CLIP_RATE, 0.0, CUT_FADE_S)


def _ambience(recipe: ClipRecipe, inputs: ClipInputs) -> Layer | None:
    """The background at the recipe's ratio under the quietest source, a channel after the other in memory."""
    if recipe.ambience_id is None:
        return None
    if inputs.ambience is None:
        raise InvalidInput("ambience", f"the sound of {recipe.ambience_id}", None)
    x, rate = inputs.ambience
    field = four_channels(x, rate, CLIP_FRAMES, CLIP_RATE, rng_of(recipe.clip_id, "ambience"))
    target = min(source.level_db for source in recipe.sources) - recipe.snr_db
    return levelled(np.asfortranarray(field), 0, target, f"ambience {recipe.ambience_id}")


def peak_gain_db(highest: float) -> float:
    """0, or the gain in dB (0.01 steps, downwards) that brings the highest magnitude under the ceiling."""
    over = gain_to_db(highest) - CEILING_DBFS
    return 0.0 if over <= 0.0 else -math.ceil(over * 100.0) / 100.0


def _sound(sounds: Mapping[str, Sound], asset_id: str, what: str) -> Sound:
    if asset_id not in sounds:
        raise InvalidInput(
            what, f"the sound of {asset_id}", sorted(sounds)[:5], "the inputs are of another recipe"
        )
    return sounds[asset_id]
