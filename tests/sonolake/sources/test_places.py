import numpy as np
import pytest

from sonolake.errors import InvalidInput
from sonolake.sources.procedural.catalog import LOCATIONS
from sonolake.sources.procedural.places import PLACES, PlaceRecipe


def _decay_time(x, rate=44_100):
    """T30 by Schroeder's backward integration (ISO 3382-1): twice the time from -5 to -35 dB."""
    energy = np.cumsum(x[::-1] ** 2)[::-1]
    level = 10 * np.log10(energy / energy[0])
    return 2 * (np.argmax(level < -35) - np.argmax(level < -5)) / rate


def test_every_location_has_a_place():
    assert set(PLACES) == set(LOCATIONS)
    assert PLACES["car"].rt60_s == 0.08
    assert PLACES["train_station"].rt60_s == 2.5
    assert all(0.08 <= place.rt60_s <= 2.5 for place in PLACES.values())


@pytest.mark.parametrize("location", LOCATIONS)
def test_responses_decay_as_asked_and_start_with_the_direct_sound(location):
    rooms = [PlaceRecipe(location, variant) for variant in range(3)]
    for room in rooms:
        x = room.render()
        assert np.isfinite(x).all()
        assert np.abs(x).max() == pytest.approx(0.9)
        assert x[0] > 0
        assert not x[1:20].any() or np.abs(x[1:20]).max() < 0.2 * x[0]
        assert _decay_time(x[1:]) == pytest.approx(room.rt60_s, rel=0.15)
    assert len({round(room.rt60_s, 4) for room in rooms}) == 3
    assert np.array_equal(rooms[0].render(), PlaceRecipe(location, 0).render())


def test_unknown_places_are_named():
    with pytest.raises(InvalidInput, match="one of home_indoor"):
        PlaceRecipe("moon", 0)
