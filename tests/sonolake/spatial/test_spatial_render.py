"""Rendered clips against their construction: times, directions, levels, sums."""

import numpy as np
import pytest
from pyebur128.pyebur128 import MeasurementMode, R128State, get_loudness_global

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.spatial.records import ClipRecipe, SourcePlacement
from sonolake.spatial.render import ClipInputs, render, stems

RATE = 24000


def source(onset=2.5, offset=4.5, azimuth=0.0, elevation=0.0, take="t", response="r", level=0.0, event="dog"):
    return SourcePlacement(event, take, response, onset, offset, azimuth, elevation, 2.0, level)


def recipe(*sources, ambience=None, snr=15.0, loudness=-26.0):
    return ClipRecipe("train", "room", "simulated", sources, ambience, snr, loudness, "SL", "sector_of")


def impulse(lead=0):
    x = np.zeros(lead + 1)
    x[lead] = 0.7
    return x


def noise(seconds, seed=0, rate=RATE):
    return np.random.default_rng(seed).standard_normal(round(seconds * rate)) * 0.1


def lufs(mono):
    """Integrated loudness by libebur128."""
    meter = R128State(1, RATE, MeasurementMode.MODE_I)
    meter.add_frames(np.ascontiguousarray(mono), len(mono))
    return get_loudness_global(meter)


@pytest.mark.parametrize(
    ("lead", "delay", "onset"), [(0, 0, 2.5), (0, 240, 2.5), (700, 33, 0.0), (12, 2400, 9.5)]
)
def test_unit_impulse_lands_at_its_label(anechoic, lead, delay, onset):
    inputs = ClipInputs({"t": (impulse(lead), RATE)}, {"r": (anechoic(40, 10, delay), RATE)})
    clip = render(recipe(source(onset, onset + 0.3)), inputs)
    loudest = int(np.abs(clip.samples[:, 0].astype(int)).argmax())
    assert abs(loudest - clip.events[0].onset_s * RATE) <= 1
    assert loudest == round(onset * RATE) + delay


def test_offset_is_where_the_direct_sound_ends(anechoic):
    inputs = ClipInputs({"t": (np.ones(6000) * 0.3, RATE)}, {"r": (anechoic(0, 0, 480), RATE)})
    event = render(recipe(source(1.0, 4.0)), inputs).events[0]
    assert (event.onset_s, event.offset_s) == pytest.approx((1.02, 1.27))


def test_long_takes_are_cut_to_their_event_and_at_the_clip_end(anechoic):
    inputs = ClipInputs({"t": (noise(5.0), RATE)}, {"r": (anechoic(0, 0, 0), RATE)})
    first, second = render(recipe(source(1.0, 2.5), source(8.0, 10.0)), inputs).events
    assert (first.onset_s, first.offset_s, first.cut_end) == pytest.approx((1.0, 2.5, False), abs=1e-3)
    assert (second.offset_s, second.cut_end) == (pytest.approx(10.0, abs=1e-3), False)
    late = ClipInputs({"t": (np.ones(90000) * 0.1, RATE)}, {"r": (anechoic(0, 0, 2400), RATE)})
    event = render(recipe(source(7.0, 10.0)), late).events[0]
    assert (event.onset_s, event.offset_s, event.cut_end) == (7.1, 10.0, True)


DIRECTIONS = [(az, el) for el in (-45, 0, 45) for az in range(-180, 180, 45)] + [(0, 90), (0, -90)]


@pytest.mark.parametrize(("azimuth", "elevation"), DIRECTIONS)
def test_direction_is_recovered_from_intensity(anechoic, azimuth, elevation):
    inputs = ClipInputs({"t": (noise(0.5), RATE)}, {"r": (anechoic(azimuth, elevation, 100), RATE)})
    clip = render(recipe(source(1.0, 1.5, azimuth, elevation)), inputs)
    w, y, z, x = clip.samples.astype(float).T
    flow = np.array([np.mean(w * x), np.mean(w * y), np.mean(w * z)])
    a, e = np.radians(azimuth), np.radians(elevation)
    asked = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
    assert np.degrees(np.arccos(np.clip(flow @ asked / np.linalg.norm(flow), -1, 1))) < 0.5


def test_stems_add_up_to_the_mix_within_one_step(anechoic):
    takes = {"t": (noise(1.0, 1), RATE), "u": (noise(2.0, 2, 44100), 44100)}
    responses = {"r": (anechoic(90, 0, 10), RATE), "s": (anechoic(-120, 20, 20), RATE)}
    made = recipe(source(1, 2), source(3, 5, take="u", response="s", level=-6.0), ambience="a")
    inputs = ClipInputs(takes, responses, (noise(3.0, 3), RATE))
    layers, _ = stems(made, inputs)
    assert [layer.shape for layer in layers] == [(240000, 4)] * 3
    clip, mix = render(made, inputs), sum(layers)
    gain = float((mix * clip.samples).sum() / (mix * mix).sum())
    assert np.abs(mix * gain - clip.samples).max() <= 1.0


def test_levels_on_w_by_another_meter(anechoic):
    takes = {"t": (noise(3.0, 1), RATE), "u": (noise(3.0, 2), RATE)}
    responses = {"r": (anechoic(90, 0, 10), RATE), "s": (anechoic(-10, 70, 20), RATE)}
    made = recipe(source(1, 4), source(5, 8, take="u", response="s", level=-6.0), ambience="a", snr=12.0)
    inputs = ClipInputs(takes, responses, (noise(3.0, 3), RATE))
    first, second, background = (layer[:, 0] for layer in stems(made, inputs)[0])
    first, second = first[24000:96000], second[120000:192000]
    assert lufs(first) - lufs(second) == pytest.approx(6.0, abs=0.05)
    assert lufs(second) - lufs(background) == pytest.approx(12.0, abs=0.05)
    clip = render(made, inputs)
    assert lufs(clip.samples[:, 0] / 32768) == pytest.approx(-26.0, abs=0.05) == clip.loudness_lufs


def test_peak_rule_keeps_the_ratios_between_channels(anechoic):
    inputs = ClipInputs({"t": (impulse(), RATE)}, {"r": (anechoic(30, 0, 5), RATE)})
    clip = render(recipe(source(1.0, 1.5, 30.0), loudness=-10.0), inputs)
    assert clip.gain_db < 0
    assert -1.02 < clip.peak_dbfs <= -1.0
    w, y, z, x = clip.samples[24005] / clip.samples[24005, 0]
    assert (w, y, z, x) == pytest.approx((1.0, 0.5, 0.0, 3**0.5 / 2), abs=1e-4)


def test_four_channel_ambience_stays_as_recorded(anechoic):
    field = np.random.default_rng(1).standard_normal((RATE * 10, 4)) * np.array([1.0, 0.5, 0.2, 0.8])
    inputs = ClipInputs({"t": (noise(1.0), RATE)}, {"r": (anechoic(0, 0, 0), RATE)}, (field, RATE))
    background = stems(recipe(source(), ambience="a"), inputs)[0][-1]
    energy = np.mean(background**2, axis=0)
    assert np.sqrt(energy / energy[0]) == pytest.approx([1.0, 0.5, 0.2, 0.8], abs=0.02)


def test_ambience_with_one_channel_becomes_diffuse(anechoic):
    inputs = ClipInputs(
        {"t": (noise(1.0), RATE)}, {"r": (anechoic(0, 0, 0), RATE)}, (noise(30.0, 9, 48000), 48000)
    )
    w, *xyz = stems(recipe(source(), ambience="a"), inputs)[0][-1].T
    power = np.mean(w**2)
    assert sum(np.mean(c**2) for c in xyz) / power == pytest.approx(1.0, abs=0.1)
    assert max(abs(np.mean(w * c)) for c in xyz) / power < 0.05


def test_same_recipe_same_bytes_and_seed_from_its_id(anechoic):
    inputs = ClipInputs({"t": (noise(1.0), RATE)}, {"r": (anechoic(0, 0, 0), RATE)}, (noise(3.0, 9), RATE))
    a = render(recipe(source(), ambience="a"), inputs).samples.tobytes()
    assert a == render(recipe(source(), ambience="a"), inputs).samples.tobytes()
    assert a != render(recipe(source(), ambience="a", snr=15.5), inputs).samples.tobytes()


def test_silent_sounds_are_refused(anechoic):
    good = {"r": (anechoic(0, 0, 0), RATE)}
    with pytest.raises(ItemRefused, match="silent"):
        render(recipe(source()), ClipInputs({"t": (np.zeros(100), RATE)}, good))
    with pytest.raises(ItemRefused, match="silent"):
        render(
            recipe(source(), ambience="a"), ClipInputs({"t": (noise(1.0), RATE)}, good, (np.zeros(100), RATE))
        )


def test_missing_or_wrong_inputs_are_named(anechoic):
    with pytest.raises(InvalidInput, match="the sound of t"):
        render(recipe(source()), ClipInputs({}, {}))
    with pytest.raises(InvalidInput, match=r"shape \(taps, 4\)"):
        render(recipe(source()), ClipInputs({"t": (noise(1.0), RATE)}, {"r": (np.ones(10), RATE)}))


def test_reverberant_response_keeps_the_label_at_the_direct_sound(anechoic):
    response = np.zeros((12000, 4))
    response[:290] = anechoic(60, 0, 240)
    tail = np.random.default_rng(2).standard_normal((11000, 4)) * np.exp(-np.arange(11000) / 2000)[:, None]
    response[1000:] += 0.2 * tail
    inputs = ClipInputs({"t": (impulse(), RATE)}, {"r": (response, RATE)})
    clip = render(recipe(source(1.0, 1.2)), inputs)
    assert clip.events[0].onset_s * RATE == 24240
    assert np.abs(clip.samples[26000:30000]).max() > 0
