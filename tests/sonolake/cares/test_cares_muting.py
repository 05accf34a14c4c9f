"""The muted control: a scene once more without each of its events, and nothing else changed."""

import numpy as np
import pytest

from sonolake.cares.render import render


@pytest.fixture(scope="module")
def made(cast_scene, rich):
    recipe, inputs = cast_scene(rich)
    scene = render(recipe, inputs, stems=True, muted=True)
    return scene, render(recipe, inputs)


def others(scene, event):
    """Where no other event sounds, with a second around each for its room."""
    free = np.ones(len(scene.samples), dtype=bool)
    for one in scene.events:
        if one.event_id != event.event_id:
            free[max(0, round((one.onset_s - 1) * scene.rate)) : round((one.offset_s + 3) * scene.rate)] = (
                False
            )
    return free


def test_every_event_has_its_muted_scene_and_the_scene_stays_as_it_is(made):
    scene, plain = made
    assert set(scene.muted) == {event.event_id for event in scene.events}
    assert np.array_equal(scene.samples, plain.samples)
    assert plain.muted == {}
    assert all(len(samples) == len(scene.samples) for samples in scene.muted.values())


def test_samples_differ_only_around_the_event(made):
    scene, _ = made
    for event in scene.events:
        changed = np.flatnonzero(scene.muted[event.event_id] != scene.samples) / scene.rate
        assert changed.min() > event.onset_s - 0.5
        assert changed.max() < event.offset_s + 3.0
        within = (changed >= event.onset_s) & (changed <= event.offset_s)
        assert within.mean() > 0.5


def test_what_is_missing_is_the_event_to_half_a_step(made):
    scene, _ = made
    assert scene.levels["limited_db"] == 0.0, "no limiter at work, so that samples can be subtracted"
    for event in scene.events:
        if event.reaction == "behavioral":
            continue
        free = others(scene, event)
        missing = scene.samples.astype(float) - scene.muted[event.event_id]
        stem = scene.stems["events"] * 32768.0
        assert np.abs(missing - stem)[free].max() <= 1.0
        assert np.abs(stem[free]).max() > 100


def test_the_voice_is_not_lowered_for_a_sound_that_is_not_there(made):
    scene, _ = made
    event = next(event for event in scene.events if event.reaction == "behavioral")
    assert event.duck_db > 0
    missing = scene.samples.astype(float) - scene.muted[event.event_id]
    lowered = missing - scene.stems["events"] * 32768.0
    heard = slice(round(event.onset_s * scene.rate), round(event.offset_s * scene.rate))
    voice = scene.stems["voice"][heard] * 32768.0
    loud = np.abs(voice) > 200
    if loud.any():
        gain = 10 ** (event.duck_db / 20) - 1
        assert np.median(lowered[heard][loud] / voice[loud]) == pytest.approx(-gain, rel=0.2)
