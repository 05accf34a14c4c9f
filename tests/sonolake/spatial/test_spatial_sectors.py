"""Sectors and the distance to their edges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.spatial.sectors import SECTORS, clear, edge_distance_deg, sector, wrap


@pytest.mark.parametrize(
    ("azimuth", "name"),
    [
        (0, "front"),
        (22, "front"),
        (23, "front-left"),
        (90, "left"),
        (-90, "right"),
        (135, "rear-left"),
        (180, "rear"),
        (-180, "rear"),
        (-135, "rear-right"),
        (-45, "front-right"),
        (337.6, "front"),
    ],
)
def test_names(azimuth, name):
    assert sector(azimuth) == name


@given(st.floats(-720, 720))
def test_the_sector_is_the_nearest_centre(azimuth):
    far = [abs((azimuth - 45 * i + 180) % 360 - 180) for i in range(8)]
    assert far[SECTORS.index(sector(azimuth))] <= 22.5 + 1e-6
    assert edge_distance_deg(azimuth) == pytest.approx(22.5 - min(far), abs=1e-6)
    assert -180 <= wrap(azimuth) < 180


def test_clear():
    assert clear(17.5)
    assert not clear(17.6)
    assert not clear(22.5)
    assert not clear(0, 61)
