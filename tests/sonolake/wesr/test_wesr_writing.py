"""Tags put into transcripts and taken out again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.wesr.tagged import Span, parse
from sonolake.wesr.taxonomy import TAGS
from sonolake.wesr.writing import insert, tidy, without_tags

DISCRETE = [tag.name for tag in TAGS if tag.form == "discrete"]
CONTINUOUS = [tag.name for tag in TAGS if tag.form == "continuous"]
WORDS = st.sampled_from(["one", "don’t", "3.5", "café", "你", "好", "吗", "x1"])
BETWEEN = st.sampled_from([" ", ", ", "! ", "，", "。“", ' "', " — ", "… "])
TEXTS = st.lists(st.tuples(WORDS, BETWEEN), max_size=10).map(
    lambda pairs: "".join(word + sign for word, sign in pairs).strip()
)


@pytest.mark.parametrize(
    ("text", "points", "spans", "tagged"),
    [
        # the spacing of the paper's table 2
        ("Alexander! Oh, come on.", [(1, "laughs")], [], "Alexander! [laughs] Oh, come on."),
        ("Come on.", [(2, "laughs")], [], "Come on. [laughs]"),
        ("好的，那我们", [(2, "clear_throat")], [], "好的，[clear_throat]那我们"),
        ("住手,快点住手那我走了。", [(6, "giggle")], [Span("shouting", 0, 5)],
         "<shouting>住手,快点住手</shouting>[giggle]那我走了。"),
        ("Oh my face.", [], [Span("crying", 0, 2)], "<crying> Oh my face. </crying>"),
        ('he said "no" twice', [(2, "sigh")], [], 'he said [sigh] "no" twice'),
        ("他说“不”吗", [(2, "sigh")], [], "他说[sigh]“不”吗"),
        ("", [(0, "laughs"), (0, "sigh")], [], "[laughs][sigh]"),
        ("a b c", [], [Span("laughing", 0, 2), Span("shouting", 1, 2)],
         "<laughing> a <shouting> b c </shouting> </laughing>"),
    ],
)  # fmt: skip
def test_tags_stand_as_a_person_would_write_them(text, points, spans, tagged):
    assert insert(text, points, spans) == tagged
    assert without_tags(tagged) == text


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.data())
def test_what_was_put_in_is_read_back(text, data):
    words = len(parse(text).words)
    points = data.draw(st.lists(st.tuples(st.integers(0, words), st.sampled_from(DISCRETE)), max_size=4))
    spans = []
    for label in data.draw(st.sets(st.sampled_from(CONTINUOUS), max_size=3)) if words else ():
        first = data.draw(st.integers(0, words - 1))
        spans.append(Span(label, first, data.draw(st.integers(first, words - 1))))
    made = insert(text, points, spans)
    tagged = parse(made)
    assert sorted(tagged.points) == sorted(points)
    assert sorted(tagged.spans, key=str) == sorted(spans, key=str)
    assert {f.problem for f in tagged.findings} <= {"crossing", "unclosed"}
    assert "unclosed" not in {f.problem for f in tagged.findings}
    assert without_tags(made) == text


def test_spelling_becomes_that_of_the_taxonomy():
    assert tidy("【Laughter】你＜whisper＞好＜/whisper＞ [sneeze] ＜laughs/＞") == (
        "[laughs]你<whispering>好</whispering> [sneeze] <laughs/>"
    )


@given(st.text(alphabet="[]<>/ab 你［】＜＞", max_size=30))
def test_tidy_twice_is_tidy_once(text):
    assert tidy(tidy(text)) == tidy(text)
    assert parse(tidy(text)).words == parse(text).words


@pytest.mark.parametrize(
    ("text", "points", "spans", "message"),
    [
        ("a [laughs] b", [], [], "without tags"),
        ("a b", [(3, "laughs")], [], "gap of 0 to 2"),
        ("a b", [(0, "singing")], [], "discrete"),
        ("a b", [(0, "yawn")], [], "yawn"),
        ("a b", [], [Span("singing", 1, 2)], "words 0 to 1"),
        ("a b", [], [Span("laughs", 0, 1)], "continuous"),
        ("a b", [], [Span("singing", 0, 1), Span("singing", 1, 1)], "no word twice"),
    ],
)
def test_places_that_are_not_there_are_refused(text, points, spans, message):
    with pytest.raises(InvalidInput, match=message):
        insert(text, points, spans)
