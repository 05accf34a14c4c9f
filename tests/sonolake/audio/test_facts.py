import numpy as np
import pytest

from sonolake.audio.encode import quantise, wav_bytes
from sonolake.audio.facts import inspect
from sonolake.audio.foa import encode, from_ambix
from sonolake.errors import ItemRefused

RATE = 48000


def tone(amplitude, seconds=1.0, hz=997.0):
    return amplitude * np.sin(2 * np.pi * hz * np.arange(round(seconds * RATE)) / RATE)


def facts_of(x, **options):
    return inspect(wav_bytes(quantise(x), RATE), **options)[0]


def test_the_facts_of_a_tone():
    facts = facts_of(tone(0.5))
    assert (facts.container, facts.codec, facts.sample_rate, facts.channels) == ("wav", "pcm_s16", RATE, 1)
    assert (facts.frames, facts.duration_s, facts.declared_frames) == (RATE, 1.0, RATE)
    assert facts.peak_dbfs == pytest.approx(-6.02, abs=0.01)
    assert facts.loudness_lufs == pytest.approx(-3.01 - 6.02, abs=0.05)
    assert facts.dc == pytest.approx((0.0,), abs=1e-4)
    assert facts.flags == ()
    assert len(facts.pcm_hash) == 64 and facts.fingerprint


def test_offsets_of_each_channel_are_measured_though_they_cancel():
    x = np.stack([tone(0.3) + 0.1, tone(0.3) - 0.1], axis=1)
    facts = facts_of(x)
    assert facts.dc == pytest.approx((0.1, -0.1), abs=1e-4)
    assert facts.flags == ("dc_offset",)


def test_clipping_is_a_flat_top_and_not_a_high_peak():
    assert facts_of(tone(0.999)).flags == ()
    assert facts_of(np.clip(tone(1.5), -1, 1)).flags == ("clipped",)
    assert facts_of(np.clip(tone(1.5), -0.5, 0.5)).flags == ()


def test_samples_over_full_scale_are_clipping(encoded):
    facts, _ = inspect(encoded(tone(1.2).astype(np.float32), RATE, "WAV", "FLOAT"))
    assert facts.flags == ("clipped",)
    assert facts.peak_dbfs == pytest.approx(1.58, abs=0.01)


def test_what_the_gate_does_not_pass_has_no_loudness():
    facts = facts_of(tone(10 ** (-75 / 20)))
    assert facts.loudness_lufs is None
    assert facts.flags == ("near_silent",)


@pytest.mark.parametrize("azimuth", [0, 90, 180, -45])
@pytest.mark.parametrize("convention", ["ambix", "n3d", "fuma"])
def test_ambisonics_is_as_loud_from_every_side(azimuth, convention):
    """Field notes: a four-channel meter reads one source 0.8 LU apart in front and at the left."""
    scene = from_ambix(encode(tone(0.25), azimuth, 0), convention)
    assert facts_of(scene, convention=convention).loudness_lufs == pytest.approx(-3.01 - 12.04, abs=0.05)


def test_a_convention_needs_four_channels():
    with pytest.raises(ItemRefused, match=r"stereo\.wav: ambix was declared for 2 channels") as refusal:
        facts_of(np.stack([tone(0.1)] * 2, axis=1), convention="ambix", name="stereo.wav")
    assert refusal.value.reason == "unknown_convention"


def test_the_facts_are_equal_in_every_run(rng):
    data = wav_bytes(quantise(rng.standard_normal((30000, 2)) * 0.1), 44100)
    assert inspect(data)[0] == inspect(data)[0]
