import math

import numpy as np
import pyebur128
import pytest

from sonolake.audio.loudness import gain_db_to, k_weighting, loudness
from sonolake.errors import InvalidInput


def libebur128(x, rate):
    channels = 1 if x.ndim == 1 else x.shape[1]
    state = pyebur128.R128State(channels, rate, pyebur128.MeasurementMode.MODE_I)
    flat = np.ascontiguousarray(x).reshape(-1)
    state.add_frames(flat, len(x))
    return pyebur128.get_loudness_global(state)


def tone(db, seconds, rate=48000, hz=1000.0):
    return 10 ** (db / 20) * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate)) / rate)


def stereo(*parts):
    x = np.concatenate([tone(db, seconds) for db, seconds in parts])
    return np.stack([x, x], axis=1)


# EBU Tech 3341 (2016), table 1, cases 1 to 5: stereo 1 kHz sines, tolerance 0.1 LU.
@pytest.mark.parametrize(
    ("parts", "lufs"),
    [
        ([(-23, 20)], -23.0),
        ([(-33, 20)], -33.0),
        ([(-36, 10), (-23, 60), (-36, 10)], -23.0),
        ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23.0),
        ([(-26, 20), (-20, 20.1), (-26, 20)], -23.0),
    ],
)
def test_ebu_tech_3341_sines(parts, lufs):
    assert loudness(stereo(*parts), 48000) == pytest.approx(lufs, abs=0.1)


def test_ebu_tech_3341_case_6_surround():
    """Five channels at -28 (left, right), -24 (centre) and -30 dBFS (surrounds) read -23 LUFS."""
    x = np.stack([tone(db, 20) for db in (-28, -28, -24, -30, -30)], axis=1)
    assert loudness(x, 48000) == pytest.approx(-23.0, abs=0.1)


def test_the_standard_s_own_anchor():
    """BS.1770-4: a 997 Hz sine at 0 dBFS in one front channel reads -3.01 LKFS."""
    assert loudness(tone(0, 5, hz=997.0), 48000) == pytest.approx(-3.01, abs=0.01)


def test_k_weighting_at_48_khz_is_the_standard_s_table():
    """BS.1770-4, tables 1 and 2."""
    shelf, high_pass = k_weighting(48000)
    assert shelf == pytest.approx(
        [1.53512485958697, -2.69169618940638, 1.19839281085285, 1.0, -1.69065929318241, 0.73248077421585],
        abs=1e-9,
    )
    assert high_pass == pytest.approx([1.0, -2.0, 1.0, 1.0, -1.99004745483398, 0.99007225036621], abs=1e-9)


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 44100, 48000, 96000])
@pytest.mark.parametrize("channels", [1, 2, 4, 5])
def test_within_two_hundredths_of_libebur128(rng, rate, channels):
    envelope = np.repeat(10 ** (rng.uniform(-50, -10, 12) / 20), rate // 2)
    x = rng.standard_normal((len(envelope), channels)) * envelope[:, None]
    assert loudness(x, rate) == pytest.approx(libebur128(x, rate), abs=0.02)


@pytest.mark.parametrize("frames", [19200, 19201, 23999, 24000, 48000])
def test_lengths_around_whole_blocks_match_libebur128(rng, frames):
    x = rng.standard_normal(frames) * 0.1
    assert loudness(x, 48000) == pytest.approx(libebur128(x, 48000), abs=0.02)


@pytest.mark.parametrize("seconds", [0.02, 0.1, 0.25, 0.399, 0.4, 0.401])
def test_short_clips_read_as_long_ones_on_both_sides_of_400_ms(seconds):
    assert loudness(tone(-20, seconds), 48000) == pytest.approx(loudness(tone(-20, 4), 48000), abs=0.15)


def test_silence_has_no_loudness():
    assert loudness(np.zeros(48000), 48000) == -math.inf
    assert loudness(np.zeros(0), 48000) == -math.inf
    assert loudness(tone(-75, 2), 48000) == -math.inf


def test_the_gate_ignores_pauses():
    x = np.concatenate([tone(-20, 3), np.zeros(20 * 48000)])
    assert loudness(x, 48000) == pytest.approx(loudness(tone(-20, 3), 48000), abs=0.3)


def test_weights_can_be_given(rng):
    x = rng.standard_normal((48000, 4)) * 0.1
    assert loudness(x, 48000, (1.0, 0.0, 0.0, 0.0)) == pytest.approx(loudness(x[:, 0], 48000), abs=1e-9)
    with pytest.raises(InvalidInput, match="4 numbers"):
        loudness(x, 48000, (1.0,))


def test_a_gain_brings_a_signal_to_its_target(rng):
    x = rng.standard_normal(96000) * 0.03
    gain = gain_db_to(x, 48000, -23.0)
    assert gain == round(gain, 2)
    assert loudness(x * 10 ** (gain / 20), 48000) == pytest.approx(-23.0, abs=0.006)


def test_silence_is_never_normalised():
    with pytest.raises(InvalidInput, match="silence"):
        gain_db_to(np.zeros(48000), 48000, -23.0)


def test_rates_too_low_for_the_filter_are_refused():
    with pytest.raises(InvalidInput, match="4000"):
        loudness(np.ones(1000), 3000)
