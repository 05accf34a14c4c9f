"""A recipe and its inputs to a scene: one pure function.

Three layers: voice, events, ambience. Levels are measured on what is heard, after trimming, filtering, room and fades.
The three stems add up to the mix before the limiter; the record of the scene holds what was asked and what was
measured (CARES, section 3.4).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sonolake.audio.levels import apply_gain, fade, peak_dbfs, round_db
from sonolake.audio.loop import loop_to
from sonolake.audio.loudness import gain_db_to, loudness
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.audio.truepeak import true_peak_dbtp
from sonolake.cares.event_sound import distance_gain_db, event_sound, in_room, room
from sonolake.cares.filters import low_pass
from sonolake.cares.layers import Layers, Placed, at_gain, layers_of, limited, total, without_each
from sonolake.cares.measure import GAP_S, Asked, duck_db, measured_event
from sonolake.cares.placement import Placement, place_event
from sonolake.cares.recipe import SceneRecipe
from sonolake.cares.scene import Clip, PlacedEvent, PlacedTurn, Scene, SceneInputs
from sonolake.cares.turn_places import placed_turns
from sonolake.cares.voice_track import build_voice_track
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
    track = build_voice_track(recipe, inputs.turns, inputs.takes)
    frames = len(track.samples)
    response = _room(recipe, inputs)
    voice = track.samples if response is None else in_room(track.samples, response, recipe.wet)[:frames]
    voice = apply_gain(voice, gain_db_to(voice, settings.rate, settings.voice_lufs))
    bed, bed_lufs = _bed(recipe, inputs.ambience, frames)
    placed: list[Placed] = []
    for plan in recipe.events:
        if plan.take_id not in inputs.takes:
            raise InvalidInput("takes", f"take {plan.take_id} of {plan.event_id}", sorted(inputs.takes))
        sound = event_sound(plan, inputs.takes[plan.take_id], recipe, response)
        placement = place_event(plan, sound, recipe, track)
        level, asked = _level(placement, bed, bed_lufs, recipe)
        placed.append((placement, level, asked))
    turns = placed_turns(recipe, track, inputs.turns)
    scene = _mastered(recipe, turns, layers_of(voice, bed, placed, settings), bed_lufs, placed, stems)
    if not muted:
        return scene
    silent = without_each(voice, bed, placed, settings, scene.levels["master_gain_db"])
    return replace(scene, muted=silent)


def _room(recipe: SceneRecipe, inputs: SceneInputs) -> Signal | None:
    if (recipe.response_id is None) != (inputs.response is None):
        raise InvalidInput("response", f"the recipe's {recipe.response_id}", inputs.response)
    if inputs.response is None:
        return None
    return room(resample(inputs.response.samples, inputs.response.rate, recipe.settings.rate))[0]


def _bed(recipe: SceneRecipe, ambience: Clip, frames: int) -> tuple[Signal, float]:
    """The ambience at the scene's length, from a drawn place on, and the level that it is brought to."""
    settings, rng = recipe.settings, rng_of(recipe.scene_id, "ambience")
    needed = -(-frames * ambience.rate // settings.rate) + 1
    start = int(rng.integers(len(ambience.samples)))
    x = resample(loop_to(ambience.samples, needed, ambience.rate, start=start), ambience.rate, settings.rate)
    x = low_pass(x[:frames], settings.rate, settings.ambience_low_pass_hz)
    jitter = float(rng.uniform(-settings.ambience_jitter_db, settings.ambience_jitter_db))
    level = round_db(settings.ambience_lufs + jitter)
    return apply_gain(x, gain_db_to(x, settings.rate, level)), level


def _level(placement: Placement, bed: Signal, bed_lufs: float, recipe: SceneRecipe) -> tuple[Signal, Asked]:
    """The event at its level: its layer's by its distance, never less than the floor over the ambience under it."""
    settings, plan = recipe.settings, placement.plan
    under = max(bed_lufs, loudness(bed[placement.labelled], settings.rate))
    wanted = settings.layer_lufs(plan.layer) + distance_gain_db(plan, settings.near_gain_db)
    level = round_db(max(wanted, under + settings.event_over_ambience_db + 0.01))
    heard = placement.sound[placement.onset - placement.start : placement.over - placement.start]
    sound = apply_gain(placement.sound, gain_db_to(heard, settings.rate, level))
    duck = 0.0
    if plan.reaction == "behavioral":
        duck = round_db(duck_db(level, settings.voice_lufs, settings.duck_db))
    return sound, Asked(level, settings.event_over_ambience_db, duck)


def _mastered(
    recipe: SceneRecipe,
    turns: tuple[PlacedTurn, ...],
    layers: Layers,
    bed_lufs: float,
    placed: list[Placed],
    stems: bool,
) -> Scene:
    settings, rate = recipe.settings, recipe.settings.rate
    master_db = gain_db_to(total(layers), rate, settings.master_lufs)
    final = at_gain(layers, master_db)
    before = total(final)
    samples = limited(before, settings)
    heard = samples / 32768.0
    return Scene(
        scene_id=recipe.scene_id,
        samples=samples,
        rate=rate,
        duration_s=len(samples) / rate,
        turns=turns,
        events=tuple(_events(recipe, placed, final["ambience"], master_db)),
        loudness_lufs=loudness(heard, rate),
        peak_dbfs=peak_dbfs(heard),
        true_peak_dbtp=true_peak_dbtp(heard, rate),
        levels={
            "asked_voice_lufs": settings.voice_lufs,
            "asked_ambience_lufs": bed_lufs,
            "master_gain_db": master_db,
            "limited_db": max(0.0, peak_dbfs(before) - settings.peak_dbfs),
            **{f"measured_{n}_lufs": loudness(final[n], rate) - master_db for n in ("voice", "ambience")},
        },
        violates=None if all(_gap_holds(turn, settings.gap_s) for turn in turns) else "gap",
        stems=final if stems else {},
    )


def _gap_holds(turn: PlacedTurn, gap_s: tuple[float, float]) -> bool:
    return turn.measured_gap_s is None or gap_s[0] - GAP_S <= turn.measured_gap_s <= gap_s[1] + GAP_S


def _events(recipe: SceneRecipe, placed: list[Placed], bed: Signal, master_db: float) -> list[PlacedEvent]:
    """Each event measured on its own part of the mix."""
    settings = recipe.settings
    curve = fade(np.ones(len(bed)), settings.rate, settings.fade_s, settings.fade_s)
    events = []
    for placement, sound, asked in placed:
        span = slice(placement.start, placement.end)
        final = apply_gain(sound, master_db) * curve[span]
        events.append(measured_event(placement, final, bed[span], master_db, asked, settings))
    return events
