"""The requests that a key may make: never more than allowed in any minute or day, from process to process."""

import json
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput, LimitReached
from sonolake.sources.freesound.budget import Budget, Limits


class Server:
    """Counts as the real one does: requests of the last 60 seconds and of the last day."""

    def __init__(self, limits):
        self.limits, self.at = limits, []

    def ask(self, now):
        for seconds, most in ((60, self.limits.minute), (86_400, self.limits.day)):
            assert sum(at > now - seconds for at in self.at) < most, "a request more than allowed"
        self.at.append(now)


@given(
    st.integers(1, 5),
    st.integers(5, 30),
    st.lists(st.tuples(st.floats(0, 40_000), st.booleans()), max_size=60),
)
@settings(deadline=None, max_examples=60)
def test_no_window_ever_holds_more_than_allowed(tmp_path_factory, minute, day, pauses):
    """Whatever the pauses, and however often a new process goes on."""
    path = tmp_path_factory.mktemp("budget") / "b.json"
    limits = Limits(minute, day)
    server, now = Server(limits), [0.0]

    def sleep(seconds):
        assert 0 < seconds <= 61
        now[0] += seconds

    budget = Budget(path, limits, lambda: now[0], sleep)
    for pause, new in pauses:
        now[0] += pause
        if new:
            budget = Budget(path, limits, lambda: now[0], sleep)
        try:
            budget.take()
        except LimitReached:
            assert sum(at > now[0] - 86_402 for at in server.at) >= day
        else:
            server.ask(now[0])


def test_sixty_go_at_once_and_the_next_waits_for_the_first_to_be_a_minute_old(tmp_path, clock):
    budget = Budget(tmp_path / "b.json", clock=clock, sleep=clock.sleep)
    for _ in range(60):
        budget.take()
    assert clock.slept == []
    budget.take()
    assert clock.slept == [61.0], "a second more than the window, as requests do not arrive evenly"


def test_a_day_that_is_used_up_says_when_it_goes_on(tmp_path, clock):
    assert Limits().day == 2000
    budget = Budget(tmp_path / "b.json", Limits(5000, 200), clock, clock.sleep)
    for _ in range(200):
        budget.take()
    assert budget.left() == 0
    with pytest.raises(
        LimitReached, match="no more requests today: the same command goes on after 2027-01-16"
    ):
        budget.take()
    clock.now += 86_402
    budget.take()
    assert budget.left() == 199


def test_a_day_that_the_server_closed_stays_closed_for_an_hour(tmp_path, clock):
    Budget(tmp_path / "b.json", clock=clock).close_day()
    again = Budget(tmp_path / "b.json", clock=clock)
    with pytest.raises(LimitReached):
        again.take()
    clock.now += 3601
    again.take()


def test_a_file_that_was_damaged_and_a_clock_that_was_put_back(tmp_path, clock):
    budget = Budget(tmp_path / "b.json", Limits(2, 10), clock, clock.sleep)
    budget.take()
    budget.take()
    clock.now -= 1_000_000
    budget.take()
    assert 60 <= sum(clock.slept) <= 62, "what was asked in the future was asked just now"
    (tmp_path / "b.json").write_text("{")
    budget.take()
    assert json.loads((tmp_path / "b.json").read_text())["asked"] == [clock.now]


def test_threads_share_it(tmp_path):
    budget = Budget(tmp_path / "b.json", Limits(1000, 1000))
    threads = [
        threading.Thread(
            target=lambda: [Budget(tmp_path / "b.json", Limits(1000, 1000)).take() for _ in range(10)]
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.left() == 960


def test_limits_of_a_key_of_a_higher_level():
    assert Limits.of({}) == Limits(60, 2000)
    assert Limits.of({"FREESOUND_LIMITS": "300/minute,5000/day"}) == Limits(300, 5000)
    for text in ("300", "0/minute,5/day", "300/hour,5000/day"):
        with pytest.raises(InvalidInput, match="FREESOUND_LIMITS: expected two rates"):
            Limits.of({"FREESOUND_LIMITS": text})


def test_a_wait_is_never_longer_than_the_window_with_its_margin(tmp_path):
    """At 9.9 s the sum of the time and 61 is rounded up, to a wait of more than 61 s."""
    now, slept = [9.9], []
    assert 9.9 + 60.0 + 1.0 - 9.9 > 61

    def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    budget = Budget(tmp_path / "b.json", Limits(1, 10), lambda: now[0], sleep)
    budget.take()
    budget.take()
    assert max(slept) <= 61.0 and sum(slept) == pytest.approx(61.0)
