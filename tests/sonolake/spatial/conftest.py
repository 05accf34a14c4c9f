"""A small world of sounds, made on the spot."""

import numpy as np
import pytest

from sonolake.spatial.pool import Pool, Response, Take

EVENTS = (
    "dog bark",
    "cat meow",
    "door knock",
    "telephone ring",
    "glass breaking",
    "tap running",
    "clock tick",
    "rooster crow",
)


def make_pool(takes_per_event=8, rooms=4, per_room=48):
    takes = [
        Take(f"take-{name}-{i}", name, 0.3 + (7 * i + 3 * n) % 40 / 10)
        for n, name in enumerate(EVENTS)
        for i in range(takes_per_event)
    ]
    responses = [
        Response(
            f"r{room}-{i}",
            f"room{room}",
            float((i * 47 + room * 11) % 360 - 180),
            float(i % 5 * 8 - 16),
            0.6 + i * 7 % 50 / 10,
        )
        for room in range(rooms)
        for i in range(per_room)
    ]
    return Pool(tuple(takes), tuple(responses), ("hum", "rain"))


@pytest.fixture(scope="session")
def pool():
    return make_pool()


def plane_wave(azimuth_deg, elevation_deg):
    """AmbiX gains from the definition: W, Y, Z, X."""
    a, e = np.radians(azimuth_deg), np.radians(elevation_deg)
    return np.array([1.0, np.sin(a) * np.cos(e), np.sin(e), np.cos(a) * np.cos(e)])


@pytest.fixture(scope="session")
def anechoic():
    """A response with one arrival: ``anechoic(azimuth, elevation, delay) -> (taps, 4)``."""

    def make(azimuth_deg, elevation_deg, delay):
        response = np.zeros((delay + 50, 4))
        response[delay] = plane_wave(azimuth_deg, elevation_deg)
        return response

    return make
