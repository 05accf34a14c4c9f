"""Kappas against worked examples of others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.scoring.kappa import cohen, fleiss

GRANTS = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
"""Fifty proposals that two readers accept or reject: a worked example in the article on Cohen's kappa."""
PSYCHOLOGISTS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
"""Fourteen raters put ten subjects into five categories: a worked example in the article on Fleiss' kappa."""
LABELS = st.sampled_from(("pivot", "verbal", "behavioral", "ambient"))


def test_cohen_on_a_worked_example():
    kappa = cohen([a for a, _ in GRANTS], [b for _, b in GRANTS])
    assert kappa.n == 50
    assert kappa.observed == pytest.approx(0.7)
    assert kappa.expected == pytest.approx(0.5)
    assert kappa.value == pytest.approx(0.4)


def test_fleiss_on_a_worked_example():
    ratings = [[label for label, n in enumerate(row) for _ in range(n)] for row in PSYCHOLOGISTS]
    kappa = fleiss(ratings)
    assert kappa.observed == pytest.approx(0.378, abs=5e-4)
    assert kappa.expected == pytest.approx(0.213, abs=5e-4)
    assert kappa.value == pytest.approx(0.210, abs=5e-4)


def test_cohen_by_hand():
    """Five of six agree; by chance 3/6 x 2/6 + 2/6 x 3/6 + 1/6 x 1/6 = 13/36 would."""
    kappa = cohen(["p", "p", "p", "v", "v", "a"], ["p", "p", "v", "v", "v", "a"])
    assert kappa.observed == pytest.approx(5 / 6)
    assert kappa.value == pytest.approx((30 - 13) / (36 - 13))


def test_one_label_alone_has_no_kappa():
    assert cohen(["a", "a"], ["a", "a"]).value is None


@given(st.lists(LABELS, min_size=2, max_size=40).filter(lambda x: len(set(x)) > 1))
def test_who_agrees_with_himself_has_one(labels):
    assert cohen(labels, labels).value == pytest.approx(1.0)
    assert fleiss([(label, label, label) for label in labels]).value == pytest.approx(1.0)


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=40))
def test_kappa_is_symmetric_and_at_most_one(pairs):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = cohen(first, second), cohen(second, first)
    assert one.value == other.value
    assert one.value is None or one.value <= 1.0


@pytest.mark.parametrize("pair", [([], []), (["a"], ["a", "b"])])
def test_raters_rate_the_same_items(pair):
    with pytest.raises(InvalidInput, match="ratings"):
        cohen(*pair)


@pytest.mark.parametrize("ratings", [[], [["a"]], [["a", "b"], ["a", "b", "b"]]])
def test_items_are_rated_equally_often(ratings):
    with pytest.raises(InvalidInput, match="equally many"):
        fleiss(ratings)
