"""Tagged text: the paper's examples, odd tags, and the round trip."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sonolake.wesr.tagged import Span, parse, to_text

PIECES = st.sampled_from(
    [
        "hello",
        "don’t",
        "well-known",
        "你",
        "好的",
        "，",
        "。",
        " ",
        "[laughs]",
        "[crying]",
        "<singing>",
        "</singing>",
        "<laughing>",
        "</laughing>",
        "[unknown thing]",
        "［cough］",
        "【笑】",
        "＜crying＞",
        "〈/crying〉",
        "[S1]",
        "[",
        "<",
        "</",
        ">",
        "３",
        "3.5",
        "café",
    ]
)
TEXTS = st.lists(PIECES, max_size=25).map("".join) | st.text()


@settings(deadline=None, max_examples=300)
@given(TEXTS)
@example("<<a>>[[b]]【】</ ></>")
def test_nothing_is_lost(text):
    tagged = parse(text)
    assert to_text(tagged.tokens) == text
    assert len(tagged.positions()) == 2 * len(tagged.words) + 1
    assert [p.number for p in tagged.positions()] == list(range(2 * len(tagged.words) + 1))


@settings(deadline=None, max_examples=150)
@given(TEXTS)
def test_every_tag_is_a_point_a_span_or_a_finding(text):
    tagged = parse(text)
    points = sum(t.kind == "point" for t in tagged.tokens)
    opens = sum(t.kind == "open" for t in tagged.tokens)
    closes = sum(t.kind == "close" for t in tagged.tokens)
    problems = [f.problem for f in tagged.findings]
    assert len(tagged.points) == points
    assert len(tagged.spans) == opens - problems.count("opened_twice")
    assert closes == len(tagged.spans) - problems.count("unclosed") + problems.count("stray_close")


@given(st.lists(st.sampled_from(["one", "two", "你", "好", "3.5"]), max_size=8), st.data())
def test_positions_are_where_the_tags_were_put(words, data):
    gap = data.draw(st.integers(0, len(words)))
    first = data.draw(st.integers(0, len(words)))
    last = data.draw(st.integers(first, len(words)))
    parts = []
    for index in range(len(words) + 1):
        parts += ["</singing>"] if index == last and last > first else []
        parts += ["[cough]"] if index == gap else []
        parts += ["<singing>"] if index == first and last > first else []
        parts += [words[index]] if index < len(words) else []
    tagged = parse(" ".join(parts))
    expected = {2 * gap: ("cough",)} | {2 * i + 1: ("singing",) for i in range(first, last)}
    assert {p.number: p.events for p in tagged.positions() if p.events} == expected


def events(text):
    return {p.number: p.events for p in parse(text).positions() if p.events}


def test_examples_of_the_paper():
    mixed = "<shouting>住手,快点住手</shouting>[giggle]那我走了。"
    assert events(mixed) == {**dict.fromkeys((1, 3, 5, 7, 9, 11), ("shouting",)), 12: ("giggle",)}
    assert parse(mixed).findings == ()
    point = "Alexander! [laughs] Oh, my little warrior. Come here. Come on. [laughs]"
    assert events(point) == {2: ("laughs",), 18: ("laughs",)}
    assert events("<whispering> hello </whispering> [laughs]") == {1: ("whispering",), 2: ("laughs",)}


def test_full_width_brackets_are_read_and_reported():
    tagged = parse("【laughs】你＜singing＞好＜/singing＞")
    assert tagged.points == ((0, "laughs"),)
    assert tagged.spans == (Span("singing", 1, 1),)
    assert {f.problem for f in tagged.findings} == {"wide_brackets"}


def test_nested_and_crossing_spans():
    assert events("<laughing> a <shouting> b </shouting> c </laughing>") == {
        1: ("laughing",),
        3: ("laughing", "shouting"),
        5: ("laughing",),
    }
    tagged = parse("<laughing> a <shouting> b </laughing> c </shouting>")
    assert [f.problem for f in tagged.findings] == ["crossing"]
    assert tagged.spans == (Span("laughing", 0, 1), Span("shouting", 1, 2))


@pytest.mark.parametrize(
    ("text", "problem", "positions"),
    [
        ("a <singing> b c", "unclosed", {3: ("singing",), 5: ("singing",)}),
        ("a </singing> b", "stray_close", {}),
        ("<singing> a <singing> b </singing>", "opened_twice", {1: ("singing",), 3: ("singing",)}),
        ("a <singing></singing> b", "empty_span", {}),
        ("a [sneeze] b", "unknown_tag", {2: ("sneeze",)}),
        ("<laughs> a </laughs>", "unknown_tag", {1: ("laughs",)}),
        ("<唱歌>你</唱歌>", "unknown_tag", {1: ("唱歌",)}),
        ("a [crying] b", "alias", {2: ("cry",)}),
        ("a [laughs, cough] b", "unknown_tag", {2: ("laughs,_cough",)}),
        ("a [2 laughs] b", "unknown_tag", {2: ("2_laughs",)}),
        ("a <laughs/> b", "unknown_tag", {2: ("laughs/",)}),
        ("a [laugh b", "broken_bracket", {}),
        ("a [laugh\nb]", "broken_bracket", {}),
        ("3 < 5", "broken_bracket", {}),
    ],
)
def test_odd_tags_are_kept_and_reported(text, problem, positions):
    tagged = parse(text)
    assert problem in {f.problem for f in tagged.findings}
    assert events(text) == positions
    assert to_text(tagged.tokens) == text


def test_words():
    assert parse("[S1] It’s a well-known 3.5 café, hello_world你好 2nd").words == (
        *("It’s", "a", "well-known", "3.5", "café", "hello_world", "你", "好", "2nd"),
    )
    assert parse("cafe\u0301").words == ("café",)
    assert parse("don't'").words == ("don't",)
