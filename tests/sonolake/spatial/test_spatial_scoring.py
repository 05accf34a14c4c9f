"""Grounded scores by hand, and how answers and categories are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.spatial.dimensions import dimension_of
from sonolake.spatial.scoring import Accuracy, Pair, read_answer, score


def test_scores_by_hand():
    pairs = [
        Pair("Sound Counting", "A", "B", "A", "B"),
        Pair("SC", "A", "B", "A", "C"),
        Pair("Spatial location", "C", "D", "B", "D"),
        Pair("Temporal Relations", "C", "D", "(C) the cat", "final answer: (D)"),
        Pair("Temporal relation(s)", "A", "A", None, "no idea"),
    ]
    scores = score(pairs)
    assert scores.overall == Accuracy(5, 0.6, 0.6, 0.4)
    assert scores.by_dimension["SC"] == Accuracy(2, 1.0, 0.5, 0.5)
    assert scores.by_dimension["SL"] == Accuracy(1, 0.0, 1.0, 0.0)
    assert scores.by_dimension["TR"] == Accuracy(2, 0.5, 0.5, 0.5)
    assert scores.by_dimension["AP"] == Accuracy(0, 0.0, 0.0, 0.0)
    assert (scores.missing, scores.unreadable) == (1, 1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Sound Counting", "SC"),
        ("Source Localization", "SL"),
        ("Spatial location", "SL"),
        ("Temporal Detection", "TD"),
        ("Spatial Relations", "SR"),
        ("Spatial relation(s)", "SR"),
        ("Temporal relation", "TR"),
        ("Temporal Relations", "TR"),
        ("action prediction", "AP"),
        ("ap", "AP"),
    ],
)
def test_both_numberings_are_read_by_name(name, expected):
    assert dimension_of(name) == expected


def test_a_number_alone_is_refused():
    with pytest.raises(InvalidInput, match="give the name"):
        dimension_of("4")
    with pytest.raises(InvalidInput, match="category name"):
        dimension_of("Colour")


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("B", "B"),
        ("(c)", "C"),
        ("b", None),
        ("<answer>D</answer>", "D"),
        ("First I thought <answer>A</answer>, no: <answer> (B) it is left </answer>", "B"),
        ("Option A is tempting. Final answer: C", "C"),
        ("The answer is (D) from the rear.", "D"),
        ("The correct option is **B**.", "B"),
        ("C. It comes from the left.", "C"),
        ("I think of the sound.\nA) no\nD) yes", "D"),
        ("It must be B, so B.", "B"),
        ("Either B or C.", None),
        ("A dog is heard.", "A"),
        ("the answer is a dog", None),
        ("E", None),
        ("", None),
    ],
)
def test_answers_are_read_in_the_published_order(text, letter):
    assert read_answer(text) == letter


LETTERS = st.sampled_from("ABCD")
PAIRS = st.lists(
    st.builds(
        Pair,
        st.sampled_from(["SC", "SL", "TD", "SR", "TR", "AP"]),
        LETTERS,
        LETTERS,
        st.none() | LETTERS,
        st.none() | LETTERS,
    ),
    min_size=1,
)


@given(PAIRS, st.randoms(use_true_random=False))
def test_grounded_is_at_most_either_and_order_does_not_matter(pairs, random):
    scores = score(pairs)
    shuffled = list(pairs)
    random.shuffle(shuffled)
    assert score(shuffled) == scores
    assert scores.overall.grounded <= min(scores.overall.stage_1, scores.overall.stage_2)
    total = sum(a.grounded * a.n for a in scores.by_dimension.values())
    assert total == pytest.approx(scores.overall.grounded * scores.overall.n)


def test_keys_must_be_letters():
    with pytest.raises(InvalidInput, match="answer key"):
        score([Pair("SC", "left", "B", "A", "B")])
