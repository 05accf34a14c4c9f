"""What responses say of source and room, against rooms whose facts are known by construction."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.arrival import RoomFacts, apart, direct_direction, reverberation_time, room_facts
from sonolake.audio.foa import encode, from_ambix, to_ambix
from sonolake.audio.rooms import RoomRecipe, simulate_foa
from sonolake.errors import InvalidInput

RATE = 24_000


def decaying(rt60_s, drr_db=None, seconds=2.0, delay=100):
    """A unit impulse, and after 10 ms exponentially decaying noise: its decay and its energy are known."""
    time = np.arange(round(seconds * RATE)) / RATE
    tail = np.random.default_rng(1).standard_normal(time.size) * 10 ** (-3 * time / rt60_s)
    tail[: round(0.01 * RATE)] = 0.0
    tail *= math.sqrt(10 ** (-(drr_db or 0.0) / 10) / np.sum(tail**2))
    tail[0] = 1.0
    return np.concatenate([np.zeros(delay), tail])


@pytest.mark.parametrize("rt60_s", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("drr_db", [-6.0, 0.0])
def test_decay_and_ratio_of_a_made_response(rt60_s, drr_db):
    facts = room_facts(decaying(rt60_s, drr_db), RATE)
    assert facts.drr_db == pytest.approx(drr_db, abs=0.01)
    assert facts.azimuth_deg is None
    tail_alone = decaying(rt60_s)[101 + round(0.01 * RATE) :]
    assert reverberation_time(tail_alone, RATE) == pytest.approx(rt60_s, rel=0.05)


def test_what_does_not_decay_has_no_reverberation_time():
    assert reverberation_time(np.ones(50), RATE) is None
    assert reverberation_time(np.zeros(50), RATE) is None
    facts = room_facts(np.eye(1, 200, 20)[0], RATE)
    assert facts.rt60_s is None and facts.drr_db is None
    with pytest.raises(InvalidInput, match="direct sound"):
        room_facts(np.zeros((10, 4)), RATE)


@settings(deadline=None, max_examples=60)
@given(st.floats(-180, 179), st.floats(-80, 80), st.integers(0, 400))
def test_the_direct_sound_of_an_anechoic_response(azimuth, elevation, delay):
    facts = room_facts(encode(np.eye(1, delay + 100, delay)[0], azimuth, elevation), RATE)
    assert apart((facts.azimuth_deg, facts.elevation_deg), (azimuth, elevation)) < 1e-3
    assert not facts.differs(azimuth, elevation)


@pytest.mark.parametrize("azimuth", [-170, -90, -30, 0, 60, 120])
def test_the_direct_sound_in_a_room(azimuth):
    room = RoomRecipe("known", (7.0, 6.0, 3.0), 0.4)
    facts = room_facts(simulate_foa(room, azimuth, 5.0, 1.5, RATE), RATE)
    assert not facts.differs(azimuth, 5.0)
    assert facts.differs(azimuth + 90, 5.0)
    assert facts.rt60_s == pytest.approx(0.4, rel=0.25)
    assert -10 < facts.drr_db < 15


def test_a_wrong_convention_shows_in_the_direction():
    """From the left: taken for FuMa, the Y of AmbiX is X, and the sound comes from the front."""
    left = encode(np.eye(1, 100, 20)[0], 90, 0)
    assert direct_direction(to_ambix(left, "fuma"), RATE) == pytest.approx((0.0, 0.0), abs=1e-6)
    assert direct_direction(to_ambix(from_ambix(left, "fuma"), "fuma"), RATE) == pytest.approx((90.0, 0.0))


def test_angles_by_hand():
    assert apart((0, 0), (90, 0)) == pytest.approx(90)
    assert apart((179, 0), (-179, 0)) == pytest.approx(2)
    assert apart((0, 80), (180, 80)) == pytest.approx(20)
    facts = RoomFacts(None, None, 10.0, 0.0)
    assert not facts.differs(None, None)
    assert not facts.differs(24.0, None)
    assert facts.differs(26.0, None)


def test_a_response_without_flow_has_no_direction():
    assert direct_direction(np.array([[0.0, 0, 0, 0], [1.0, 0, 0, 0]]), RATE) is None


@pytest.mark.parametrize(
    ("drr_db", "distance_m", "contradicts"),
    [
        (0.0, 2.5, False),  # a critical distance of 2.5 m
        (0.0, 250.0, True),  # centimetres taken for metres: 250 m
        (-6.02, 0.025, True),  # metres divided by 100: 12.5 mm
        (-6.02, 8.0, False),
        (20.0, 1.0, False),  # 10 m, a large hall
    ],
)
def test_distances_that_no_room_allows(drr_db, distance_m, contradicts):
    """The critical distance is that at which direct sound and reverberation are equal."""
    assert RoomFacts(0.5, drr_db).contradicts(distance_m) is contradicts


def test_distances_are_not_judged_without_reverberation():
    assert not RoomFacts(0.1, 40.0).contradicts(3.0)
    assert not RoomFacts(None, 40.0).contradicts(3.0)
    assert not RoomFacts(0.5, None).contradicts(3.0)
    assert not RoomFacts(0.5, 0.0).contradicts(None)


@pytest.mark.parametrize("distance_m", [0.8, 3.0])
def test_the_distance_in_a_room(distance_m):
    facts = room_facts(
        simulate_foa(RoomRecipe("known", (9.0, 7.0, 3.0), 0.5), 20.0, 0.0, distance_m, RATE), RATE
    )
    assert not facts.contradicts(distance_m)
    assert facts.contradicts(100 * distance_m)
