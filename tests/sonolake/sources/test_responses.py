import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.foa import direction
from sonolake.audio.rooms import farthest
from sonolake.errors import InvalidInput
from sonolake.sources.folder import read_folder
from sonolake.sources.procedural.catalog import LOCATIONS
from sonolake.sources.responses import directions, room, write_foa_responses, write_responses


def test_every_location_has_rooms_of_its_own(tmp_path):
    made = write_responses(tmp_path)
    assert made.counts == dict.fromkeys(LOCATIONS, 3)
    items = read_folder(tmp_path).items
    assert len({entry.fields["room"] for entry in items}) == 39
    for entry in items:
        x, rate = soundfile.read(entry.path)
        assert (x.ndim, rate) == (1, 44_100)
        assert np.argmax(np.abs(x) > 0.05) == 0


def test_unknown_locations_are_refused(tmp_path):
    with pytest.raises(InvalidInput, match="one of home_indoor"):
        write_responses(tmp_path, ["moon"])


def test_ambisonics_responses_come_from_where_they_say(tmp_path):
    made = write_foa_responses(tmp_path, rooms=3, positions=10)
    assert sorted(made.counts.values()) == [10, 10, 10]
    for entry in read_folder(tmp_path).items:
        x, rate = soundfile.read(entry.path)
        assert (x.shape[1], rate, entry.fields["convention"]) == (4, 24_000, "ambix")
        arrival = round(entry.number("distance_m") / 343 * rate)
        azimuth, elevation = direction(x[max(0, arrival - 8) : arrival + 9])
        assert abs((azimuth - entry.number("azimuth_deg") + 180) % 360 - 180) < 1.0
        assert elevation == pytest.approx(entry.number("elevation_deg"), abs=1.0)


def test_the_same_folder_has_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_foa_responses(tmp_path / name, rooms=1, positions=2)
    names = [path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file()]
    assert len(names) == 4
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@given(st.text(max_size=8), st.integers(1, 30))
@settings(deadline=None, max_examples=50)
def test_places_lie_inside_their_room_and_go_all_around(name, number):
    of = room(name)
    places = directions(of, number)
    assert len(places) == number
    for azimuth, elevation, distance in places:
        assert -180 <= azimuth <= 180
        assert -50.1 <= elevation <= 50.1
        assert 0.8 <= distance <= min(5.0, farthest(of, azimuth, elevation))
    if number > 1:
        around = np.sort([azimuth for azimuth, _, _ in places])
        gaps = np.diff([*around, around[0] + 360])
        assert gaps.max() <= 1.7 * 360 / number


def test_rooms_reach_beyond_four_metres_somewhere():
    farthest_of_all = max(
        d for i in range(10) for _, _, d in directions(room(f"simulated-room-{i + 1:02d}"), 12)
    )
    assert farthest_of_all > 4.0
