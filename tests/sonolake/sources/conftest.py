"""A clock that sleeping moves on, and catalogues of a server of our own."""

import pytest

from sonolake.sources.freesound import Catalogue
from sonolake.sources.freesound.secrets import Secret


class Clock:
    """Time that goes on when somebody sleeps."""

    def __init__(self):
        self.now = 1_800_000_000.0
        self.slept = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def catalogue(freesound, freesound_server, clock, tmp_path):
    """Makes a catalogue, as a new process would, that remembers what the ones before it did."""
    made = []

    def make(**options):
        options = {"key": Secret(freesound_server.KEY), "application": freesound_server.CLIENT_ID} | options
        one = Catalogue(
            state=tmp_path / "state", base=freesound.url, clock=clock, sleep=clock.sleep, **options
        )
        made.append(one)
        return one

    yield make
    for one in made:
        one.client.close()
