"""Mistakes as a person reads them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.wesr.comparing import compare
from sonolake.wesr.mistakes import mistakes
from sonolake.wesr.scoretext import surfaces


def listed(reference, hypothesis):
    found = mistakes(compare(reference, hypothesis), surfaces(reference))
    return [(m.kind, m.tag, m.found, m.first, m.last, m.shift, m.context) for m in found]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("He said [laughs] no", "he said no", [("missed", "laughs", "", 4, 4, 0, "He said ‸ no")]),
        ("he said no", "he [sigh] said no", [("added", "sigh", "", 2, 2, 0, "he ‸ said no")]),
        ("a [laughs] b", "a [chuckle] b", [("confused", "laughs", "chuckle", 2, 2, 0, "a ‸ b")]),
        ("a [laughs] b c", "a b c [laughs]", [("displaced", "laughs", "", 2, 2, 2, "a ‸ b c")]),
        ("今天<whispering>天气</whispering>好", "今天天气好",
         [("missed", "whispering", "", 5, 7, 0, "今 天 «天 气» 好")]),
        ("<crying> a b </crying> c d", "<shouting> a b c d </shouting>",
         [("confused", "crying", "shouting", 1, 3, 0, "«a b» c d"),
          ("added", "shouting", "", 5, 7, 0, "a b «c d»")]),
        ("a b c d e f [cough] g h i j k", "a b c d e f g h i j k",
         [("missed", "cough", "", 12, 12, 0, "… c d e f ‸ g h i j …")]),
        ("<singing> a b c </singing> d", "a <singing> b </singing> c d",
         [("missed", "singing", "", 1, 1, 0, "«a» b c d"), ("missed", "singing", "", 5, 5, 0, "a b «c» d")]),
        ("one [cough] two", "one [cough] two", []),
    ],
)  # fmt: skip
def test_by_hand(reference, hypothesis, expected):
    assert listed(reference, hypothesis) == expected


PIECES = st.sampled_from(
    ["a", "b", "c", "[laughs]", "[cough]", "<singing>", "</singing>", "<crying>", "</crying>"]
)
TEXTS = st.lists(PIECES, max_size=12).map(" ".join)


@settings(deadline=None, max_examples=200)
@given(TEXTS, TEXTS)
def test_every_wrong_position_is_in_the_list_once(reference, hypothesis):
    compared = compare(reference, hypothesis)
    found = mistakes(compared, surfaces(reference))
    size = {id(m): (m.last - m.first) // 2 + 1 for m in found}
    of = {kind: sum(size[id(m)] for m in found if m.kind == kind) for kind in ("missed", "added")}
    pairs = sum(size[id(m)] for m in found if m.kind in ("confused", "displaced"))
    assert of["missed"] + pairs == sum(c.fn for c in compared.per_tag.values())
    assert of["added"] + pairs == sum(c.fp for c in compared.per_tag.values())
