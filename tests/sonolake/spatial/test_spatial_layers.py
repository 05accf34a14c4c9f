"""Levels of layers and of their sum, by another meter."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pyebur128.pyebur128 import MeasurementMode, R128State, get_loudness_global

from sonolake.errors import ItemRefused
from sonolake.spatial.layers import Mix, levelled

RATE, FRAMES = 24000, 240000


def lufs(mono):
    """Integrated loudness by libebur128."""
    meter = R128State(1, RATE, MeasurementMode.MODE_I)
    meter.add_frames(np.ascontiguousarray(mono, dtype=np.float64), len(mono))
    return get_loudness_global(meter)


def tone(seconds, hertz, scale=1.0):
    """Four channels that end abruptly, wherever in their period."""
    x = np.sin(2 * np.pi * hertz * np.arange(round(seconds * RATE)) / RATE + 0.4) * scale
    return x[:, None] * np.array([1.0, 0.5, -0.3, 0.2])


PLACED = st.tuples(
    st.floats(0.5, 3.0), st.sampled_from([12.0, 40.0, 700.0, 6000.0]), st.floats(0, 7), st.floats(-20, 0)
)


@settings(max_examples=8, deadline=None)
@given(st.lists(PLACED, min_size=1, max_size=4))
def test_the_sum_has_the_level_that_another_meter_reads(layers):
    mix, whole = Mix(), np.zeros((FRAMES, 4), np.float32)
    for seconds, hertz, start_s, level in layers:
        layer = levelled(tone(seconds, hertz), round(start_s * RATE), level, "tone")
        mix.add(layer)
        whole += layer.whole()
    w, read = whole[:, 0], lufs(whole[:, 0])
    # Else blocks lie on the edge of the relative gate, where a hundredth of a decibel decides over several.
    assume(all(abs(lufs(np.append(gain * w[:RATE], w[RATE:])) - read) < 0.5 for gain in (0.98, 1.02)))
    assert mix.level() == pytest.approx(read, abs=0.03)
    np.testing.assert_array_equal(mix.samples, whole)


@pytest.mark.parametrize("scale", [1e-7, 1.0, 1e5])
def test_a_level_does_not_depend_on_the_scale_of_the_samples(scale):
    layer = levelled(tone(2.0, 500, scale), 0, -17.0, "tone")
    assert lufs(layer.samples[:, 0]) == pytest.approx(-17.0, abs=0.03)


def test_an_event_up_to_the_last_frame_leaves_no_room_to_ring_on():
    layer = levelled(tone(1.0, 40), FRAMES - RATE, -20.0, "tone")
    mix = Mix(levelled(tone(10.0, 1000), 0, -30.0, "ambience"))
    mix.add(layer)
    assert mix.level() == pytest.approx(lufs(mix.samples[:, 0]), abs=0.03)


def test_silence_is_named():
    with pytest.raises(ItemRefused, match="bell has no sound on W"):
        levelled(np.zeros((RATE, 4)), 0, -20.0, "bell")
    with pytest.raises(ItemRefused, match="the mix has no sound on W"):
        Mix().level()
