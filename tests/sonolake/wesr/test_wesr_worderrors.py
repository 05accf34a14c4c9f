"""Word errors against hand counts."""

import pytest

from sonolake.wesr.worderrors import WordErrors, word_errors


@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors"),
    [
        ("Hello, world! [laughs]", "hello world", WordErrors(2, 0, 0, 0)),
        ("one two three", "one <singing> too </singing> three four", WordErrors(3, 1, 0, 1)),
        ("今天天气好", "今天气好啊", WordErrors(5, 0, 1, 1)),
        ("don’t １２", "don't 12", WordErrors(2, 0, 0, 0)),
        ("再见", "在见", WordErrors(2, 1, 0, 0)),
        ("", "a b", WordErrors(0, 0, 0, 2)),
    ],
)
def test_counts(reference, hypothesis, errors):
    assert word_errors(reference, hypothesis) == errors


def test_the_rate_is_of_the_references_words():
    assert WordErrors(4, 1, 1, 1).rate == 0.75
    assert WordErrors(0, 0, 0, 2).rate is None
