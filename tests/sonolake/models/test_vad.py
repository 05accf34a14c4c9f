from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.models.base import VoiceActivity
from sonolake.models.silero import stretches


def test_is_voice_activity(silero):
    assert isinstance(silero, VoiceActivity)
    assert silero.licence == "MIT"


def test_speech_between_known_silences(silero, spaced):
    _, spans, x, rate = spaced
    found = silero.segments(x, rate)
    assert found[0][0] == pytest.approx(spans[0][0], abs=0.12)
    assert found[-1][1] == pytest.approx(spans[-1][1], abs=0.25)
    for (_, end), (start, _) in pairwise(spans):
        middle = (end + start) / 2
        assert not any(a < middle < b for a, b in found)
    for start, end in spans:
        covered = sum(max(0.0, min(b, end) - max(a, start)) for a, b in found)
        assert covered > 0.8 * (end - start)


def test_noise_and_silence_hold_no_speech(silero):
    noise = np.random.default_rng(0).normal(0, 0.1, 64_000)
    assert silero.segments(noise, 16_000) == []
    assert silero.segments(np.zeros(100), 16_000) == []


def test_state_is_carried_over_blocks(silero, spaced):
    _, _, x, rate = spaced
    long = np.concatenate([x] * 4)  # more than 512 steps of 32 ms
    assert len(silero.probabilities(long, rate)) == -(-round(len(long) * 16_000 / rate) // 512) > 512
    assert len(silero.segments(long, rate)) >= 12


def test_stretches_by_hand():
    # steps of 32 ms: 10 of speech, a dip of 2 that is too short to part them, 10 more, silence, 3 that are too few
    p = np.array([0.0] * 5 + [0.9] * 10 + [0.1] * 2 + [0.9] * 10 + [0.1] * 20 + [0.9] * 3 + [0.0] * 10)
    assert stretches(p, 60 * 0.032) == [(pytest.approx(5 * 0.032 - 0.03), pytest.approx(27 * 0.032 + 0.03))]


def test_a_probability_between_the_thresholds_keeps_the_state():
    p = np.array([0.4] * 10 + [0.6] + [0.4] * 20 + [0.0] * 10)
    assert stretches(p, 41 * 0.032) == [(pytest.approx(0.29), pytest.approx(31 * 0.032 + 0.03))]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=200))
def test_stretches_lie_in_order_inside_the_signal(p):
    duration = len(p) * 0.032
    found = stretches(np.array(p), duration)
    edges = [edge for pair in found for edge in pair]
    assert edges == sorted(edges)
    assert all(0 <= edge <= duration + 1e-6 for edge in edges)
    assert all(end - start >= 0.25 for start, end in found)


@settings(deadline=None, max_examples=20)
@given(st.integers(8, 200))
def test_speech_all_through_is_one_stretch(steps):
    assert stretches(np.ones(steps), steps * 0.032) == [(0.0, pytest.approx(steps * 0.032))]
