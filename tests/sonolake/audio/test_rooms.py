import time

import numpy as np
import pyroomacoustics
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.foa import direction, encode, normalisation_hint, wrap_azimuth
from sonolake.audio.images import image_sources
from sonolake.audio.rooms import RoomRecipe, farthest, simulate_foa, simulate_mono
from sonolake.errors import InvalidInput

LIVING = RoomRecipe("living", (5.0, 4.0, 2.7), 0.4)
HALL = RoomRecipe("hall", (25.0, 15.0, 8.0), 1.6)
CAR = RoomRecipe("car", (2.4, 1.5, 1.2), 0.08)
ROOMS = [LIVING, HALL, CAR]
RATE = 24000


def decay_time(response):
    """RT60 from the slope of the energy decay between -5 and -25 dB (ISO 3382-1, T20)."""
    energy = np.cumsum(response[::-1] ** 2)[::-1]
    level = 10 * np.log10(energy / energy[0])
    start, stop = (int(np.argmax(level < db)) for db in (-5, -25))
    return 3 * (stop - start) / RATE


def test_images_are_those_of_pyroomacoustics():
    size, source, mic = (5.0, 4.0, 2.7), (1.2, 3.1, 1.4), (3.3, 1.1, 1.0)
    room = pyroomacoustics.ShoeBox(size, fs=RATE, max_order=20)
    room.add_source(source)
    room.add_microphone(mic)
    room.image_source_model()
    theirs = room.sources[0].images.T - np.array(mic)
    distance = np.linalg.norm(theirs, axis=1)
    order = np.argsort(distance)
    order = order[distance[order] <= 20]
    ours = image_sources(size, source, mic, 20.0)
    assert len(ours.offsets) == len(order)
    assert np.sort(np.linalg.norm(ours.offsets, axis=1)) == pytest.approx(distance[order], abs=1e-4)
    assert sorted(ours.reflections) == sorted(room.sources[0].orders[order])


def test_the_first_image_is_the_source():
    images = image_sources((5, 4, 3), (1, 2, 1), (3, 1, 2), 10.0)
    assert images.offsets[0] == pytest.approx((-2, 1, -1))
    assert images.reflections[0] == 0


@pytest.mark.parametrize("recipe", ROOMS, ids=lambda r: r.room_id)
@pytest.mark.parametrize(("azimuth", "elevation"), [(0, 0), (90, 0), (-135, 20), (30, -25)])
def test_the_direct_sound_comes_when_and_whence_it_should(recipe, azimuth, elevation):
    distance = 0.8 * farthest(recipe, azimuth, elevation)
    response = simulate_foa(recipe, azimuth, elevation, distance, RATE)
    onset = distance / 343.0 * RATE
    peak = int(np.argmax(np.abs(response[: int(onset) + 3, 0])))
    assert abs(peak - onset) <= 1
    direct = response[: round(onset) + 1]
    az, el = direction(direct)
    assert abs(wrap_azimuth(az - azimuth)) < 1 and abs(el - elevation) < 1
    assert np.abs(response[: int(onset) - 33]).max(initial=0) == 0.0


def test_the_level_of_the_direct_sound_falls_with_distance():
    near, far = (np.abs(simulate_foa(HALL, 10, 0, d, RATE)[:, 0]).max() for d in (1.0005625, 4.00225))
    assert near == pytest.approx(1.0, abs=0.02)
    assert far == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("recipe", ROOMS, ids=lambda r: r.room_id)
def test_the_reverberation_time_is_kept(recipe):
    response = simulate_foa(recipe, 20, 0, 0.9 * farthest(recipe, 20, 0), RATE)
    late = response[:, 0][round(0.03 * RATE) :]
    assert decay_time(late) == pytest.approx(recipe.rt60_s, rel=0.2)


def test_images_and_tail_meet_without_a_step():
    """Energy in 20 ms windows around the mixing time falls by the room's own slope, to 3 dB."""
    response = simulate_foa(HALL, 20, 0, 3.0, RATE)[:, 0]
    window = round(0.02 * RATE)
    first = round((3 / 343 + 0.02) * RATE)
    energy = [np.sum(response[first + i * window :][:window] ** 2) for i in range(8)]
    expected = 60 * 0.02 / HALL.rt60_s
    assert -10 * np.log10(energy[-1] / energy[0]) == pytest.approx(7 * expected, abs=4)


def test_the_tail_is_a_diffuse_field():
    response = simulate_foa(HALL, 0, 0, 2.0, RATE)[round(0.2 * RATE) :]
    assert normalisation_hint(response) == pytest.approx(1.0, abs=0.05)
    correlation = np.corrcoef(response.T)
    assert np.abs(correlation - np.eye(4)).max() < 0.06


def test_equal_arguments_give_equal_responses_and_rooms_differ():
    a = simulate_foa(LIVING, 30, 0, 1.0, RATE)
    assert np.array_equal(a, simulate_foa(LIVING, 30, 0, 1.0, RATE))
    other = RoomRecipe("other", LIVING.size_m, LIVING.rt60_s)
    assert not np.array_equal(a, simulate_foa(other, 30, 0, 1.0, RATE))


def test_mono_is_an_omnidirectional_microphone_anywhere():
    source, mic = (1.0, 1.0, 1.2), (4.0, 3.0, 1.2)
    response = simulate_mono(LIVING, source, mic, 44100)
    distance = np.hypot(3, 2)
    assert abs(int(np.argmax(np.abs(response) > 0.6 / distance)) - distance / 343 * 44100) <= 1
    assert len(response) == pytest.approx((distance / 343 + 0.4) * 44100, abs=70)


@settings(deadline=None, max_examples=40)
@given(st.floats(-180, 179), st.floats(-80, 80), st.floats(0.15, 1.0))
def test_any_direction_up_to_the_wall(azimuth, elevation, share):
    distance = max(0.1, share * farthest(LIVING, azimuth, elevation))
    response = simulate_foa(LIVING, azimuth, elevation, distance, 8000)
    assert np.isfinite(response).all()
    assert abs(np.argmax(np.abs(response[:, 0]) > 0.3 / distance) - distance / 343 * 8000) <= 2


def test_a_response_costs_milliseconds():
    simulate_foa(HALL, 0, 0, 2.0, RATE)
    begin = time.process_time()
    simulate_foa(HALL, 40, 0, 2.0, RATE)
    assert time.process_time() - begin < 0.3


def test_a_response_encodes_what_it_is_convolved_with(rng):
    """An anechoic check of conventions: the direct part is the plane wave of its direction."""
    response = simulate_foa(LIVING, 90, 0, 1.0, RATE)[: round(RATE / 343) + 1]
    assert response / response[:, :1].max() == pytest.approx(
        encode(response[:, 0] / response[:, 0].max(), 90, 0), abs=1e-9
    )


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"size_m": (0.5, 4, 3)}, "size_m"),
        ({"rt60_s": 0.0}, "rt60_s"),
        ({"mic_m": (5.0, 2, 1)}, "mic_m"),
    ],
)
def test_rooms_that_cannot_be_are_refused(options, what):
    with pytest.raises(InvalidInput, match=what):
        RoomRecipe(**{"room_id": "r", "size_m": (5, 4, 3), "rt60_s": 0.4, **options})


def test_a_source_behind_the_wall_is_refused():
    with pytest.raises(InvalidInput, match="a wall is nearer"):
        simulate_foa(LIVING, 0, 0, 4.0, RATE)
    with pytest.raises(InvalidInput, match="source_m"):
        simulate_mono(LIVING, (6.0, 1, 1), (2, 2, 1), RATE)
    with pytest.raises(InvalidInput, match="from the microphone"):
        simulate_mono(LIVING, (2.0, 2, 1), (2, 2, 1), RATE)
