"""Utterances of 2 to 30 s from voice activity."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.wesr.utterances import LeftOut, Limits, Utterance, utterances

TIGHT = Limits(margin_s=0.0)


def test_neighbours_are_joined_over_short_gaps():
    made = utterances([(1.0, 3.0), (3.5, 6.0), (10.0, 13.0)], 20.0, limits=TIGHT)
    assert made.utterances == (Utterance(1.0, 6.0), Utterance(10.0, 13.0))


def test_margins_take_at_most_half_a_gap():
    made = utterances([(0.1, 3.0), (4.6, 9.0)], 9.1)
    assert made.utterances == (Utterance(0.0, 3.2), Utterance(4.4, 9.1))


def test_long_speech_is_cut_in_its_longest_pause():
    made = utterances([(0.0, 14.0), (14.2, 25.0), (25.1, 38.0)], 40.0, limits=TIGHT)
    assert made.utterances == (Utterance(0.0, 14.1), Utterance(14.1, 38.0))


def test_speech_without_pauses_is_cut_beside_the_event():
    made = utterances([(0.0, 40.0)], 40.0, protected=[(19.0, 22.0)], limits=TIGHT)
    assert made.utterances == (Utterance(0.0, 19.0), Utterance(19.0, 40.0))


def test_what_cannot_be_cut_or_is_too_short_is_left_out():
    made = utterances([(0.0, 0.5), (5.0, 40.0)], 50.0, protected=[(5.0, 40.0)], limits=TIGHT)
    assert made.utterances == ()
    assert made.left_out == (LeftOut(0.0, 0.5, "too_short"), LeftOut(5.0, 40.0, "too_long"))


def test_bad_intervals_and_limits_are_refused():
    with pytest.raises(InvalidInput, match="interval"):
        utterances([(1.0, 11.0)], 10.0)
    with pytest.raises(InvalidInput, match="limits"):
        Limits(shortest_s=40.0)


INTERVALS = st.lists(
    st.tuples(st.integers(0, 1200), st.integers(1, 500)).map(
        lambda p: (p[0] / 10, min(p[0] + p[1], 1300) / 10)
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=150)
@given(INTERVALS, INTERVALS, st.randoms(use_true_random=False))
def test_lengths_hold_events_stay_whole_and_no_speech_is_lost(segments, protected, random):
    made = utterances(segments, 130.0, protected)
    assert all(2.0 - 1e-6 <= u.end_s - u.start_s <= 30.0 + 1e-6 for u in made.utterances)
    parts = sorted(
        [(u.start_s, u.end_s) for u in made.utterances] + [(o.start_s, o.end_s) for o in made.left_out]
    )
    assert all(a[1] <= b[0] + 1e-6 for a, b in pairwise(parts))
    for start, end in protected:
        inside = [p for p in parts if p[0] - 1e-6 <= start and end <= p[1] + 1e-6]
        assert len(inside) == 1
    for start, end in segments:
        covered = sum(max(0.0, min(end, b) - max(start, a)) for a, b in parts)
        assert covered == pytest.approx(end - start, abs=1e-4)
    shuffled = list(segments)
    random.shuffle(shuffled)
    assert utterances(shuffled, 130.0, protected) == made
