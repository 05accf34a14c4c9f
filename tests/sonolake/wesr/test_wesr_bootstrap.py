"""Bootstrap intervals against the normal approximation, and their independence of order."""

import math

import numpy as np
import pytest

from sonolake.wesr.bootstrap import Bootstrap, Interval, _poisson
from sonolake.wesr.counts import Counts
from sonolake.wesr.scoring import score


def test_weights_are_poisson_of_mean_one():
    shares = np.bincount(_poisson(), minlength=10) / 65_536
    assert shares[:10] == pytest.approx([math.exp(-1) / math.factorial(k) for k in range(10)], abs=2e-5)


def test_an_interval_is_as_wide_as_the_normal_approximation_says():
    # recall-like F1: 400 utterances, a quarter missed, nothing made up: F1 = 2R / (1 + R), dF1/dR = 2 / (1 + R)²
    bootstrap = Bootstrap(4000)
    for number in range(400):
        hit = number % 4 != 0
        counts = {"cough": Counts(int(hit), 0, int(not hit))}
        bootstrap.add(f"utterance-{number}", counts, {}, words=10, errors=int(not hit))
    found = bootstrap.intervals()
    sigma = math.sqrt(0.75 * 0.25 / 400)
    assert found.micro.low == pytest.approx(2 * 0.75 / 1.75 - 1.96 * sigma * 2 / 1.75**2, abs=0.004)
    assert found.micro.high == pytest.approx(2 * 0.75 / 1.75 + 1.96 * sigma * 2 / 1.75**2, abs=0.004)
    assert found.per_tag["cough"] == found.micro == found.macro == found.discrete
    assert found.continuous == Interval(0.0, 0.0)
    assert found.macro21.high == pytest.approx(found.micro.high / 21)
    assert found.wer.low < 0.025 < found.wer.high


def test_no_utterance_no_interval():
    assert score([], {}, resamples=50).intervals is None
    assert score([("a", "[laughs]")], {"a": ""}, resamples=50).intervals.wer is None


def test_order_does_not_matter():
    rows = [(f"u{n}", "one [laughs] two" if n % 3 else "one two [cough]") for n in range(30)]
    answers = {name: text.replace("[cough]", "[sigh]") for name, text in rows}
    forward, back = (score(order, answers, resamples=200).intervals for order in (rows, rows[::-1]))
    assert forward == back
    assert forward.micro.low < forward.micro.high
