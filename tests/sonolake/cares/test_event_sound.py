from dataclasses import replace

import numpy as np
import pytest

from sonolake.audio.convolve import convolve
from sonolake.cares.event_sound import distance_gain_db, event_sound, room, shared, wet_at
from sonolake.cares.filters import high_pass, low_pass
from sonolake.cares.recipe import EventPlan
from sonolake.cares.scene import Clip
from sonolake.cares.voice_track import with_gain


def plan(distance, reference=2.0):
    return EventPlan("general/zip", "ambient", None, "core", "early", 1, "take", distance, reference)


def test_distance_follows_the_inverse_law_within_limits():
    limits = (-9.0, 4.0)
    assert distance_gain_db(plan(2.0), limits) == 0.0
    assert distance_gain_db(plan(4.0), limits) == pytest.approx(-6.0206, abs=1e-4)
    assert distance_gain_db(plan(20.0), limits) == -9.0
    assert distance_gain_db(plan(0.1), limits) == 4.0


def test_the_room_grows_with_distance_up_to_a_quarter():
    assert wet_at(0.05, 1.0) == 0.05
    assert wet_at(0.05, 4.0) == 0.1
    assert wet_at(0.1, 20.0) == 0.25


def test_the_direct_sound_stays_in_place_and_the_tail_is_kept():
    h = np.zeros(1000)
    h[300], h[700] = 2.0, -1.0
    response, before = room(h)
    assert before == 300
    assert np.sum(response**2) == pytest.approx(1.0)
    x = np.zeros(50)
    x[10] = 1.0
    y = convolve(x, shared(response, 0.2))
    assert len(y) == 50 + 700 - 1
    assert int(np.argmax(np.abs(y))) == 10
    assert y[10] == pytest.approx(0.8 + 0.2 * 2 / 5**0.5)
    assert y[410] == pytest.approx(-0.2 / 5**0.5)


@pytest.mark.parametrize(("filtered", "passes", "stops"), [(low_pass, 100, 8_000), (high_pass, 8_000, 100)])
def test_filters_pass_and_stop_as_a_second_order_butterworth(filtered, passes, stops):
    rate, hz = 44_100, 1_000
    t = np.arange(rate) / rate
    level = {}
    for f in (passes, stops, hz):
        y = filtered(np.sin(2 * np.pi * f * t), rate, hz)[rate // 2 :]
        level[f] = 20 * np.log10(np.sqrt(2 * np.mean(y**2)))
    assert level[passes] == pytest.approx(0.0, abs=0.1)
    assert level[hz] == pytest.approx(-3.01, abs=0.05)
    assert level[stops] < -35


def test_a_gain_is_exact_inside_and_leaves_the_rest_alone():
    y = with_gain(np.ones(1000), 400, 600, -4.0, 80)
    assert np.all(y[400:600] == pytest.approx(10 ** (-4 / 20)))
    assert np.all(y[:320] == 1.0)
    assert np.all(y[680:] == 1.0)
    assert np.all(np.diff(y[320:401]) < 0)
    assert np.abs(np.diff(y)).max() < 0.01


def test_of_a_trimmed_take_only_what_was_left_is_heard(cast_scene, rich):
    recipe, inputs = cast_scene(rich)
    event = recipe.events[0]
    take = inputs.takes[event.take_id]
    trimmed = replace(event, trim_s=(0.4, 0.9))
    left = Clip(take.samples[round(0.4 * take.rate) : round(0.9 * take.rate)], take.rate)
    heard = event_sound(trimmed, take, recipe, None)
    assert np.array_equal(heard, event_sound(event, left, recipe, None))
    assert len(heard) < len(event_sound(event, take, recipe, None))
