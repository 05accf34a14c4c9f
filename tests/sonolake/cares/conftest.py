"""A small pool, scenarios and synthetic speech, so that no model is needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sonolake.cares.allocator import allocate, slots
from sonolake.cares.banks import default_banks
from sonolake.cares.casting import CastVoice, Recordings, cast
from sonolake.cares.pool import Pool
from sonolake.cares.scene import Clip, SceneInputs, TurnAudio, Word
from sonolake.cares.templates import write_templates
from sonolake.cares.writer import write

SPLITS = ("train", "validation", "test")
RATE = 22_050


@pytest.fixture(scope="session")
def banks():
    return default_banks()


@pytest.fixture(scope="session")
def pool(banks):
    return Pool({split: frozenset(banks.sounds) for split in SPLITS})


@pytest.fixture(scope="session")
def templates(banks):
    """A hundred templates, eight in train to one in each other split."""
    split = ("train",) * 8 + SPLITS[1:]
    return [(template, split[i % 10]) for i, template in enumerate(write_templates(100, banks))]


@pytest.fixture(scope="session")
def scenarios(banks, pool, templates):
    """A thousand of them."""
    return allocate(slots(templates, 1000), banks, pool)


@pytest.fixture(scope="session")
def template_of(templates):
    return {template.template_id: template for template, _ in templates}


def speech(words, rng, rate=RATE):
    """Noise bursts of 0.25 s with 0.08 s between and 0.2 s of near silence around, one a word, and their times."""
    at, times, parts = 0.2, [], [np.zeros(round(0.2 * rate))]
    for word in words:
        burst = rng.standard_normal(round(0.25 * rate)) * np.hanning(round(0.25 * rate)) * 0.1
        parts += [burst, np.zeros(round(0.08 * rate))]
        times.append(Word(word, at, at + 0.25))
        at += 0.33
    samples = np.concatenate([*parts, np.zeros(round(0.2 * rate))])
    return TurnAudio(Clip(samples + rng.standard_normal(len(samples)) * 1e-6, rate), tuple(times))


def take(seed, seconds=1.2, rate=44_100):
    """A noise that rises fast and dies away, after 0.3 s and before 0.5 s of silence."""
    rng = np.random.default_rng(seed)
    n = round(seconds * rate)
    sound = rng.standard_normal(n) * np.exp(-np.arange(n) / (0.3 * rate)) * 0.3
    return Clip(np.concatenate([np.zeros(round(0.3 * rate)), sound, np.zeros(round(0.5 * rate))]), rate)


def response(rate=44_100):
    """A room of half a second with its direct sound after 5 ms."""
    rng = np.random.default_rng(5)
    n = round(0.5 * rate)
    h = rng.standard_normal(n) * np.exp(-np.arange(n) / (0.07 * rate)) * 0.05
    h[:220] = 0
    h[220] = 1.0
    return Clip(h, rate)


@pytest.fixture(scope="session")
def cast_scene(banks, template_of):
    """A function from a scenario to recipe and inputs."""
    voices = [CastVoice(f"voice:{g}{n}", "0" * 64, g) for g in "fm" for n in (1, 2)]
    recordings = Recordings(
        {event: (f"{event}#0", f"{event}#1") for event in banks.sounds},
        {place: (f"{place}-bed",) for place in banks.locations},
        dict.fromkeys(banks.locations, ("room",)),
    )

    def make(scenario, length="short", take_s=1.2, ambience_s=2.9):
        timeline = write(scenario, template_of[scenario.template_id], banks, length)
        recipe = cast(scenario, timeline, banks, voices, recordings)
        rng = np.random.default_rng(len(recipe.turns))
        bed = Clip(np.random.default_rng(1).standard_normal(round(ambience_s * 32_000)) * 0.02, 32_000)
        inputs = SceneInputs(
            tuple(speech(turn.words, rng) for turn in recipe.turns),
            {event.take_id: take(i, take_s) for i, event in enumerate(recipe.events)},
            bed,
            response(),
        )
        return recipe, inputs

    return make


@pytest.fixture(scope="session")
def rich(scenarios):
    """A scenario with a pivot, a verbal and a behavioral event that breaks inside its turn."""
    return next(
        s
        for s in scenarios
        if s.composition == "P1V1B1A0"
        and any(e.register in ("stall", "false_start", "loses_place") for e in s.events)
    )


@pytest.fixture
def changed():
    return replace
