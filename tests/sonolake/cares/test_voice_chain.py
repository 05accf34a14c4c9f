"""The chain of the voice: levels of tones, worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.cares.settings import Compressor, MixSettings
from sonolake.cares.voice_chain import compressed, through_chain

RATE = 24_000


def tone(peak_dbfs, seconds=1.0, hz=1000.0, rate=RATE):
    return 10 ** (peak_dbfs / 20) * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate)) / rate)


def peak_db(x):
    return 20 * np.log10(np.abs(x).max())


@pytest.mark.parametrize("rate", [16_000, 22_050, 44_100])
def test_of_what_is_over_the_threshold_two_and_a_half_decibels_become_one(rate):
    """CARES' published chain: -18 dB, 2.5:1. A tone 12 dB over ends 12 / 2.5 = 4.8 dB over."""
    heard = compressed(tone(-6.0, rate=rate), rate, Compressor())
    assert peak_db(heard[rate // 2 :]) == pytest.approx(-18.0 + 4.8, abs=0.1)


def test_what_is_under_the_threshold_stays_as_it_is():
    x = tone(-18.5)
    assert np.array_equal(compressed(x, RATE, Compressor()), x)


def test_it_takes_hold_and_lets_go_in_its_times():
    """After the attack time 63 % of the reduction is there; the level that is held falls 8.7 dB in the release time."""
    x = np.concatenate([tone(-40.0, 0.5), tone(-6.0, 0.5), tone(-40.0, 0.5)])
    gain_db = 20 * np.log10(np.abs(compressed(x, RATE, Compressor())[3::6] / x[3::6]))
    at = {ms: gain_db[round((0.5 + ms / 1000) * RATE / 6)] for ms in (-5, 10, 400, 600, 900)}
    assert at[-5] == pytest.approx(0.0, abs=1e-9) and at[900] == pytest.approx(0.0, abs=0.05)
    assert at[10] == pytest.approx(-7.2 * 0.63, abs=0.8)
    assert at[400] == pytest.approx(-7.2, abs=0.1)
    assert at[600] == pytest.approx(-(12 - 8.7) * 0.6, abs=0.7)


@pytest.mark.parametrize(
    ("hz", "gain_db", "within"), [(30, -17.0, 1.0), (250, -1.5, 0.4), (900, 0.0, 0.6), (3000, 1.5, 0.3)]
)
def test_the_equaliser_is_the_published_one(hz, gain_db, within):
    """CARES' published chain: high pass at 80 Hz (12 dB an octave), -1.5 dB at 250 Hz, +1.5 dB at 3 kHz."""
    flat = MixSettings(compressor=Compressor(ratio=1.0))
    x = tone(-20.0, hz=hz)
    heard = through_chain(x, RATE, flat)
    assert peak_db(heard[RATE // 2 :]) - peak_db(x) == pytest.approx(gain_db, abs=within)


def test_a_quiet_word_comes_nearer_to_a_loud_one_however_loud_the_recording_is():
    word, rest = np.hanning(RATE // 4), np.zeros(RATE // 8)
    said = [tone(0.0, 0.25) * word, rest, tone(-15.0, 0.25) * word, rest]
    for level in (1.0, 0.03):
        heard = through_chain(level * np.concatenate(said), RATE, MixSettings())
        loud, quiet = heard[: RATE // 4], heard[RATE * 3 // 8 : RATE * 5 // 8]
        assert 7.0 < peak_db(loud) - peak_db(quiet) < 11.0


@given(st.lists(st.floats(-1, 1), max_size=400), st.sampled_from([8000, 44_100]))
def test_any_sound_keeps_its_length_and_gets_no_louder(samples, rate):
    x = np.array(samples)
    heard = compressed(x, rate, Compressor())
    assert len(heard) == len(x) and np.all(np.abs(heard) <= np.abs(x))


def test_silence_stays_silent():
    assert not np.any(through_chain(np.zeros(1000), RATE, MixSettings()))
    assert len(through_chain(np.zeros(0), RATE, MixSettings())) == 0
