"""How answers and categories are read."""

import pytest

from sonolake.errors import InvalidInput
from sonolake.spatial.benchmark import read_answer
from sonolake.spatial.dimensions import dimension_of


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
        ("b", "B"),
        ("c.", "C"),
        ("answer: c", "C"),
        ("The answer is b", "B"),
        ("<Final answer>: (B) A dog and rain.", "B"),
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
        ("the answer is a dog", "A"),
        ("E", None),
        ("", None),
    ],
)
def test_answers_are_read_in_the_published_order(text, letter):
    assert read_answer(text) == letter
