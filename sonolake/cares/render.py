"""A recipe and its inputs to a scene: one pure function.

Three layers: voice, events, ambience. Levels are measured on what is heard, after trimming, filtering, room and fades.
The three stems add up to the mix before the limiter; the record of the scene holds what was asked and what was
measured (CARES, section 3.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sonolake.audio.levels import apply_gain, gain_to_db, round_db
from sonolake.audio.loop import loop_to
from sonolake.audio.loudness import gain_db_to, loudness
from sonolake.audio.rate_change import convolve_at
from sonolake.audio.resample import resample, resampled_length
from sonolake.audio.signals import Real, Signal
from sonolake.audio.truepeak import true_peak_dbtp
from sonolake.cares.event_sound import distance_gain_db, event_sound, room, shared
from sonolake.cares.filters import low_pass
from sonolake.cares.layer import KEPT, Layer, Meter, add_up
from sonolake.cares.layers import Placed, finish, limited, put_in, stems_of, without_each
from sonolake.cares.measure import GAP_S, LEVEL_DB, Asked, Heard, duck_db, measured_duck_db, measured_event
from sonolake.cares.placement import Placement, place_event
from sonolake.cares.recipe import SceneRecipe
from sonolake.cares.scene import Clip, PlacedTurn, Scene, SceneInputs
from sonolake.cares.settings import MixSettings
from sonolake.cares.turn_places import placed_turns
from sonolake.cares.voice_track import VoiceTrack, build_voice_track
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of


def render(recipe: SceneRecipe, inputs: SceneInputs, stems: bool = False, muted: bool = False) -> Scene:
    """The scene of a recipe; the same recipe and inputs give the same bytes.

    Args:
        recipe: what to render.
        inputs: the sound it asks for.
        stems: also return the three stems.
        muted: also return the scene without each of its events.

    Raises:
        InvalidInput: for inputs that are not the recipe's.
        ItemRefused: ``alignment_failed`` or ``silent``, when a turn or take cannot be used.
    """
    settings = recipe.settings
    response = _room(recipe, inputs)
    track = build_voice_track(recipe, inputs.turns, inputs.takes)
    turns = placed_turns(recipe, track, inputs.turns)
    voice, track = _voice(track, response, recipe), track.places(settings.rate)
    bed, bed_lufs = _bed(recipe, inputs.ambience, track.frames)
    meter = Meter((voice, bed), settings.rate)
    voice.gain(meter.gain_db(settings.voice_lufs, voice))
    bed.gain(meter.gain_db(bed_lufs, bed))
    placed: list[Placed] = []
    for plan in recipe.events:
        if plan.take_id not in inputs.takes:
            raise InvalidInput("takes", f"take {plan.take_id} of {plan.event_id}", sorted(inputs.takes))
        sound = event_sound(plan, inputs.takes[plan.take_id], recipe, response)
        placement = place_event(plan, sound, recipe, track)
        level, asked = _level(placement, bed, bed_lufs, recipe)
        placed.append((placement, level, asked))
    untouched = (voice.copy(), bed.copy()) if muted else None
    mixed = _mixed(voice, bed, meter, placed, settings, stems)
    del voice, bed, meter
    scene = _mastered(recipe, turns, mixed, {"asked_ambience_lufs": bed_lufs}, placed)
    if untouched is None:
        return scene
    return replace(scene, muted=without_each(*untouched, placed, settings, scene.levels["master_gain_db"]))


def _voice(track: VoiceTrack, response: Signal | None, recipe: SceneRecipe) -> Layer:
    """The voice in its room at the scene's rate."""
    rate = recipe.settings.rate
    if response is None:
        samples = resample(track.samples, track.rate, rate).astype(KEPT)
    else:
        samples = convolve_at(track.samples, track.rate, shared(response, recipe.wet), rate, KEPT)
    return Layer(samples[: resampled_length(track.frames, track.rate, rate)])


def _room(recipe: SceneRecipe, inputs: SceneInputs) -> Signal | None:
    if (recipe.response_id is None) != (inputs.response is None):
        raise InvalidInput("response", f"the recipe's {recipe.response_id}", inputs.response)
    if inputs.response is None:
        return None
    return room(resample(inputs.response.samples, inputs.response.rate, recipe.settings.rate))[0]


def _bed(recipe: SceneRecipe, ambience: Clip, frames: int) -> tuple[Layer, float]:
    """The ambience at the scene's length, from a drawn place on, and the level that it is to have."""
    settings, rng = recipe.settings, rng_of(recipe.scene_id, "ambience")
    needed = -(-frames * ambience.rate // settings.rate) + 1
    start = int(rng.integers(len(ambience.samples)))
    if len(ambience.samples) < needed:
        first = start * settings.rate // ambience.rate
        x = loop_to(_dull(ambience.samples, ambience.rate, settings), frames, settings.rate, start=first)
    else:
        x = _dull(loop_to(ambience.samples, needed, ambience.rate, start=start), ambience.rate, settings)[
            :frames
        ]
    jitter = float(rng.uniform(-settings.ambience_jitter_db, settings.ambience_jitter_db))
    return Layer(x), round_db(settings.ambience_lufs + jitter)


def _dull(x: Signal, rate: int, settings: MixSettings) -> Real:
    return low_pass(resample(x, rate, settings.rate), settings.rate, settings.ambience_low_pass_hz, KEPT)


def _level(placement: Placement, bed: Layer, bed_lufs: float, recipe: SceneRecipe) -> tuple[Signal, Asked]:
    """The event at its level: its layer's by its distance, never less than the floor over the ambience under it."""
    settings, plan = recipe.settings, placement.plan
    under = max(bed_lufs, loudness(bed.part(placement.onset, placement.over), settings.rate))
    wanted = settings.layer_lufs(plan.layer) + distance_gain_db(plan, settings.near_gain_db)
    level = round_db(max(wanted, under + settings.event_over_ambience_db + 0.01))
    heard = placement.sound[placement.onset - placement.start : placement.over - placement.start]
    sound = apply_gain(placement.sound, gain_db_to(heard, settings.rate, level))
    duck = 0.0
    if plan.reaction == "behavioral":
        duck = round_db(duck_db(level, settings.voice_lufs, settings.duck_db))
    return sound, Asked(level, settings.event_over_ambience_db, duck)


@dataclass(frozen=True)
class _Mixed:
    """A scene under its master gain, before the limiter: the mix, its highest sample, its loudness, the gain in dB.

    Each event, the ambience under it, how far the voice is lowered under it, levels, and stems if asked for, are as
    before the gain.
    """

    mix: Real
    highest: float
    lufs: float
    master_db: float
    sounds: list[tuple[int, Signal]]
    beds: list[Signal]
    ducks: list[float | None]
    levels: dict[str, float]
    stems: Mapping[str, Signal]


def _mixed(
    voice: Layer, bed: Layer, meter: Meter, placed: list[Placed], settings: MixSettings, stems: bool
) -> _Mixed:
    """The layers put together; the voice becomes the mix."""
    spoken = [_under(voice, p) for p, _, _ in placed]
    sounds = finish(voice, bed, placed, settings)
    ducks = [
        None if before is None else measured_duck_db(before, voice.part(p.onset, p.over), settings.rate)
        for before, (p, _, _) in zip(spoken, placed, strict=True)
    ]
    levels = {
        "measured_voice_lufs": round_db(meter.loudness(voice)),
        "measured_ambience_lufs": round_db(meter.loudness(bed)),
    }
    parts = stems_of(voice, bed, sounds) if stems else {}
    beds = [bed.part(p.start, p.end) for p, _, _ in placed]
    put_in(voice, sounds)
    master_db = meter.gain_db(settings.master_lufs, voice, bed)
    voice.gain(master_db)
    bed.gain(master_db)
    lufs = meter.loudness(voice, bed)
    mix, highest = add_up(voice, bed)
    return _Mixed(mix, highest, lufs, master_db, sounds, beds, ducks, levels, parts)


def _under(voice: Layer, placement: Placement) -> Signal | None:
    """The voice under a sound that it is lowered for."""
    behavioral = placement.plan.reaction == "behavioral"
    return voice.part(placement.onset, placement.over) if behavioral else None


def _mastered(
    recipe: SceneRecipe,
    turns: tuple[PlacedTurn, ...],
    mixed: _Mixed,
    levels: Mapping[str, float],
    placed: list[Placed],
) -> Scene:
    settings, rate, master_db = recipe.settings, recipe.settings.rate, mixed.master_db
    heard = [
        Heard(apply_gain(sound, master_db), apply_gain(bed, master_db), duck, master_db)
        for (_, sound), bed, duck in zip(mixed.sounds, mixed.beds, mixed.ducks, strict=True)
    ]
    events = [
        measured_event(p, one, asked, settings) for (p, _, asked), one in zip(placed, heard, strict=True)
    ]
    samples = limited(mixed.mix, mixed.highest, settings)
    level, over_db = mixed.lufs, max(0.0, gain_to_db(mixed.highest) - settings.peak_dbfs)
    if over_db > 0:
        level = loudness(np.divide(samples, 32768.0, out=mixed.mix), rate, kind=np.float32)
    return Scene(
        scene_id=recipe.scene_id,
        samples=samples,
        rate=rate,
        duration_s=len(samples) / rate,
        turns=turns,
        events=tuple(events),
        loudness_lufs=round_db(level),
        peak_dbfs=round_db(gain_to_db(max(int(samples.max()), -int(samples.min())) / 32768.0)),
        true_peak_dbtp=round_db(true_peak_dbtp(samples, rate)),
        levels={
            "asked_loudness_lufs": settings.master_lufs,
            "asked_voice_lufs": settings.voice_lufs,
            "master_gain_db": master_db,
            "limited_db": round_db(over_db),
            **levels,
            **mixed.levels,
        },
        violates=_violated(turns, level, settings),
        stems={name: apply_gain(x, master_db) for name, x in mixed.stems.items()},
    )


def _violated(turns: Sequence[PlacedTurn], lufs: float, settings: MixSettings) -> str | None:
    if not all(_gap_holds(turn, settings.gap_s) for turn in turns):
        return "gap"
    return "loudness" if abs(lufs - settings.master_lufs) > LEVEL_DB else None


def _gap_holds(turn: PlacedTurn, gap_s: tuple[float, float]) -> bool:
    return turn.measured_gap_s is None or gap_s[0] - GAP_S <= turn.measured_gap_s <= gap_s[1] + GAP_S
