"""How fast files are fetched: several at once, so many bytes a second, and an end at the first mistake."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.releases import pull, verify
from sonolake.releases.offered import offered
from sonolake.releases.origins import FolderOrigin
from sonolake.releases.pace import Pace, Rate, Stopped, parse_rate


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 10**6), st.floats(0, 3)), min_size=1, max_size=40),
    st.integers(1, 10**6),
)
def test_over_any_stretch_no_more_than_the_rate_passes(taken, bytes_per_s):
    """Whoever waits as told has passed, after t seconds since the first byte, at most t times the rate."""
    clock = Clock()
    rate = Rate(bytes_per_s, clock)
    began, passed = clock.now, 0
    for size, idle in taken:
        clock.now += rate.book(size)
        passed += size
        assert passed <= (clock.now - began) * bytes_per_s * (1 + 1e-9) + 1e-6
        clock.now += idle


def test_what_is_slow_anyway_does_not_wait():
    clock = Clock()
    rate = Rate(1000, clock)
    assert rate.book(500) == pytest.approx(0.5)
    clock.now += 10
    assert rate.book(500) == pytest.approx(0.5)
    assert rate.book(1000) == pytest.approx(1.5)
    assert Rate().book(10**12) == 0


@pytest.mark.parametrize(
    ("text", "rate"),
    [("500k", 500e3), ("5M", 5e6), ("5MB", 5e6), ("1.5MB/s", 1.5e6), ("2 G", 2e9), ("800000", 8e5), ("1", 1)],
)
def test_a_rate_is_written_as_people_write_it(text, rate):
    assert parse_rate(text) == rate


@pytest.mark.parametrize("text", ["", "0", "fast", "-5M", "5m", "5MiB", "0.5", "1e6", "５M", "nan"])
def test_what_is_no_rate_is_refused(text):
    with pytest.raises(InvalidInput, match="rate: expected bytes a second"):
        parse_rate(text)


@pytest.mark.parametrize("workers", [0, -1, 65])
def test_workers_are_some(workers):
    with pytest.raises(InvalidInput, match="workers"):
        Pace(workers)


def test_so_many_files_are_fetched_at_once(release, tmp_path):
    meeting = threading.Barrier(3, timeout=20)

    class Meeting(FolderOrigin):
        def stream(self, path, start=0, end=None):
            if path.startswith("data/cares"):
                meeting.wait()
            yield from super().stream(path, start, end)

    source = offered(Meeting(release))
    pull(source, tmp_path / "mine", pace=Pace(3))
    assert verify(tmp_path / "mine") == []


def test_the_first_mistake_ends_what_is_under_way(tmp_path):
    begun = threading.Event()
    ended = []

    def work(thing, gate):
        if thing == "wrong":
            begun.wait(20)
            raise ValueError("wrong")
        begun.set()
        try:
            while True:
                gate.take(1)
        except Stopped:
            ended.append(thing)
            raise

    with pytest.raises(ValueError, match="wrong"):
        Pace(2).each(work, ["endless", "wrong", *"never begun"])
    assert "endless" in ended and len(ended) <= 3, "the rest is never begun"


def test_a_slow_pull_is_whole(release, tmp_path):
    clock = Clock()
    waited = []

    class Slow(Rate):
        def book(self, size):
            pause = super().book(size)
            waited.append(size)
            clock.now += pause
            return 0.0

    result = pull(release, tmp_path / "mine", pace=Pace(1, Slow(1000, clock)))
    assert sum(waited) == result.fetched_bytes
    assert clock.now - 100 == pytest.approx(result.fetched_bytes / 1000)
