"""Windows of labelled recordings."""

import numpy as np
import pytest

from sonolake.errors import InvalidInput
from sonolake.spatial.recorded import Window, cut, labels, windows
from sonolake.spatial.records import ClipEvent

EVENTS = (
    ClipEvent("cat", 2.0, 3.0, 0, 0, 1),
    ClipEvent("dog", 9.0, 12.0, 90, 0, 5),
    ClipEvent("clock", 29.9, 31.0, 0, 0, 1),
    ClipEvent("cat", 42.0, 44.0, 10, 0, 2),
)


def test_labels_are_cut_at_the_edges_and_say_so():
    first, second = labels(EVENTS, 0.0)
    assert (first.event, first.onset_s, first.offset_s, first.cut_start, first.cut_end) == (
        "cat",
        2.0,
        3.0,
        False,
        False,
    )
    assert (second.event, second.onset_s, second.offset_s, second.cut_end, second.far) == (
        "dog",
        9.0,
        10.0,
        True,
        True,
    )
    (third,) = labels(EVENTS, 10.0)
    assert (third.onset_s, third.offset_s, third.cut_start) == (0.0, 2.0, True)


def test_windows_without_events_and_with_slivers_are_left_out():
    kept, out = windows("rec", "kitchen", "test", 59.9, EVENTS, stand_in=False)
    assert [w.start_s for w in kept] == [0.0, 10.0, 30.0, 40.0]
    assert [(one.window.start_s, one.reason) for one in out] == [(20.0, "sliver")]
    assert {w.origin for w in kept} == {"recorded"}
    kept, out = windows("rec", "kitchen", "test", 70.0, EVENTS, stand_in=True)
    assert [(one.window.start_s, one.reason) for one in out[1:]] == [(50.0, "no_events"), (60.0, "no_events")]
    assert out[1].detail == "50 to 60 s of recording rec hold no labelled sound"
    assert {w.origin for w in kept} == {"stand-in"}
    assert len(windows("rec", "kitchen", "test", 70.0, EVENTS, stand_in=True, keep_empty=True)[0]) == 6


def test_samples_are_those_of_the_recording():
    x = np.round(np.random.default_rng(0).uniform(-0.5, 0.5, (24000 * 20, 4)) * 32768) / 32768
    clip = cut(Window("test", "kitchen", "recorded", "rec", 10.0), x, 24000, EVENTS)
    assert np.array_equal(clip.samples, (x[240000:] * 32768).astype(np.int16))
    assert clip.events == labels(EVENTS, 10.0)
    assert clip.gain_db == 0.0


def test_other_rates_are_resampled_and_loud_ones_attenuated():
    t = np.arange(441000) / 44100
    x = np.sin(2 * np.pi * 500 * t)[:, None] * np.array([1.0, 0.5, 0.0, 0.25])
    clip = cut(Window("test", "kitchen", "recorded", "rec", 0.0), x, 44100, EVENTS)
    assert clip.samples.shape == (240000, 4)
    assert -1.02 < clip.peak_dbfs <= -1.0
    rms = np.sqrt(np.mean((clip.samples[1000:-1000] / 32768) ** 2, axis=0))
    assert rms / rms[0] == pytest.approx([1.0, 0.5, 0.0, 0.25], abs=1e-3)


def test_wrong_recordings_are_refused():
    window = Window("test", "kitchen", "recorded", "rec", 10.0)
    with pytest.raises(InvalidInput, match="within 15"):
        cut(window, np.zeros((24000 * 15, 4)), 24000, EVENTS)
    with pytest.raises(InvalidInput, match=r"shape \(frames, 4\)"):
        cut(window, np.zeros(24000 * 20), 24000, EVENTS)
    with pytest.raises(InvalidInput, match="origin"):
        Window("test", "kitchen", "simulated", "rec", 10.0)
