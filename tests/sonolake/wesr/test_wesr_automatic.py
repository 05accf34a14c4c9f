"""Events of a tagger put between words, and answers of models checked against the transcript."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput, ItemRefused, Refused
from sonolake.models.chat import Asker
from sonolake.models.registry import get
from sonolake.wesr.automatic.asking import ChatAnnotator, Utterance
from sonolake.wesr.automatic.checking import accepted, findings_in
from sonolake.wesr.automatic.events import CLASSES, Event, events_in
from sonolake.wesr.automatic.placing import moved, onto, placed, times_onto
from sonolake.wesr.tagged import parse, words_of
from sonolake.wesr.taxonomy import BY_NAME
from sonolake.wesr.writing import insert, without_tags

LABELS = tuple(dict.fromkeys(name for names in CLASSES.values() for name in names))
TEXT = "Well, I think so."
TIMES = [(0.0, 0.4), (1.6, 1.8), (1.8, 2.2), (2.2, 2.6)]


def scores(**windows):
    """Scores of ten windows: class (with _ for blanks) to {window: score}."""
    made = np.zeros((10, len(LABELS)))
    for name, at in windows.items():
        for window, value in at.items():
            made[window, LABELS.index(name.replace("_", " "))] = value
    return made


def found(**windows):
    return events_in(scores(**windows), LABELS, 0.48, 0.96, 0.3)


def event(tag, peak, start=None, end=None):
    return Event(tag, 0.9, peak, peak - 0.5 if start is None else start, peak + 0.5 if end is None else end)


def test_windows_in_a_row_are_one_event_where_it_is_best():
    (one,) = found(Cough={2: 0.4, 3: 0.8, 4: 0.35})
    # Window 3 begins at 3 · 0.48 s and lasts 0.96 s; the run goes from window 2 to the end of window 4.
    assert (one.tag, one.score) == ("cough", 0.8)
    assert [round(at, 2) for at in (one.peak_s, one.start_s, one.end_s)] == [1.92, 0.96, 2.88]


def test_the_likeliest_of_a_kind_stands_for_it_and_kinds_are_apart():
    events = found(Laughter={2: 0.5}, Giggle={2: 0.6}, Sigh={7: 0.3}, Cough={7: 0.29})
    assert [one.tag for one in events] == ["giggle", "sigh"]
    assert [one.tag for one in found(Cough={0: 0.9, 5: 0.9})] == ["cough", "cough"]
    assert found() == []


def test_an_event_stands_at_the_gap_nearest_to_it():
    # Between "Well," (ends 0.4) and "I" (begins 1.6) the gap's middle is 1.0.
    assert placed(TEXT, TIMES, [event("laughs", 1.1)]) == "Well, [laughs] I think so."
    assert placed(TEXT, TIMES, [event("inhale", -0.1)]) == "[inhale] Well, I think so."
    assert placed(TEXT, TIMES, [event("sigh", 3.0)]) == "Well, I think so. [sigh]"
    assert placed("", [], [event("cough", 1.0)]) == "[cough]"


def test_a_way_of_speaking_is_around_the_words_inside_it():
    made = placed(TEXT, TIMES, [event("whispering", 2.0, 1.65, 2.3)])
    assert made == "Well, <whispering> I think </whispering> so."
    assert placed(TEXT, TIMES, [event("singing", 1.0, 0.6, 1.4)]) == TEXT
    with pytest.raises(InvalidInput, match="4 words"):
        placed(TEXT, TIMES[1:], [])


def test_times_of_words_that_were_heard_otherwise():
    heard = [("Well", 0.0, 0.4), ("high", 1.0, 1.2), ("think", 1.4, 2.0)]
    # "I" shares the time between 0.4 and 1.4 with nobody; "so" has what is left of 3 s.
    assert times_onto(TEXT, heard, 3.0) == [(0.0, 0.4), (0.4, 1.4), (1.4, 2.0), (2.0, 3.0)]
    assert times_onto("你好", [], 2.0) == [(0.0, 1.0), (1.0, 2.0)]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Well, [laughs] I think so.", ""),
        ("well [laugh] I think so", ""),
        ("Well, [sneeze] I think so.", r"\[sneeze\] is none of the marks.*\[laughs\]"),
        ("Well, <laughs> I think so.", "<laughs> is none of the marks"),
        ("Well, <whispering> I think so.", "<whispering> is never closed"),
        ("Well, I think </whispering> so.", "closes what was not opened"),
        ("Well, [laughs I think so.", "half a mark"),
        (
            "Here is the transcript: Well, [laughs] I think so.",
            "4 words differ from the transcript of 4 words",
        ),
        ("Well, I think no.", "1 words differ"),
        ("  ", "empty"),
    ],
)
def test_what_is_wrong_with_an_answer(answer, said):
    findings = "\n".join(findings_in(answer, TEXT))
    if said:
        assert re.search(said, findings)
    else:
        assert findings == ""


def test_an_answer_becomes_the_transcript_with_its_tags():
    assert accepted("well [laugh] i think so", TEXT) == "Well, [laughs] I think so."
    assert accepted("【Laughter】好", "") == "[laughs]好"
    long = "one two three four five six seven eight nine ten eleven"
    said = "one two [cough] tree four <crying> five six </crying> seven eight nine ten eleven"
    assert findings_in(said, long) == []
    assert (
        accepted(said, long)
        == "one two [cough] three four <crying> five six </crying> seven eight nine ten eleven"
    )


@given(
    st.lists(st.sampled_from("abcd"), max_size=8),
    st.lists(st.sampled_from("abcd"), max_size=8),
)
def test_gaps_go_on_from_the_first_to_the_last(words, others):
    gaps = moved(words, others)
    assert len(gaps) == len(words) + 1 and gaps == sorted(gaps) and gaps[-1] == len(others)
    assert moved(words, words) == list(range(len(words) + 1))


@given(
    st.lists(st.sampled_from(["so", "well", "好", "you're"]), min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["laughs", "sigh"])), max_size=4, unique=True),
)
def test_a_tagged_text_onto_its_own_words_is_itself(words, points):
    text = " ".join(words)
    tagged = insert(text, [(min(gap, len(words_of(text))), tag) for gap, tag in points])
    assert onto(text, tagged) == tagged
    assert without_tags(onto(text, tagged)) == text


def test_every_class_is_audiosets_and_every_tag_the_taxonomys():
    assert set(LABELS) <= set(get("yamnet").labels)
    assert set(CLASSES) <= set(BY_NAME)


@pytest.fixture
def annotator(chat, provider):
    return ChatAnnotator(Asker(chat(f"openai:m@{provider.url}", pause=lambda _: None)))


def test_a_bad_answer_is_asked_for_again_with_what_was_wrong(annotator, provider):
    answers = iter(["Well, [sneeze] I think so.", "```\nwell, [cough] I think so\n```"])
    provider.answer = lambda body: next(answers)
    assert annotator.annotate(Utterance(TEXT, b"RIFF....")) == "Well, [cough] I think so."
    first, second = provider.requests
    assert TEXT in json.dumps(first["messages"]) and "[laughs]" in first["messages"][0]["content"]
    assert first["messages"][1]["content"][1]["type"] == "input_audio"
    assert "[sneeze] is none of the marks" in second["messages"][-1]["content"]
    assert second["messages"][-2] == {"role": "assistant", "content": "Well, [sneeze] I think so."}


def test_a_good_answer_is_remembered_and_three_bad_ones_are_a_refusal(annotator, provider):
    provider.answer = lambda body: "Well, I think so. [sigh]"
    for _ in range(2):
        assert parse(annotator.annotate(Utterance(TEXT))).points == ((4, "sigh"),)
    assert len(provider.requests) == 1
    provider.answer = lambda body: "I cannot hear anything."
    with pytest.raises(ItemRefused, match=r"annotation_refused: 3 answers, the last: .* words differ"):
        annotator.annotate(Utterance("Something else."))
    assert len(provider.requests) == 4


def test_who_reads_is_told_words_and_events(annotator, provider):
    provider.answer = lambda body: "Hm [laughs] yes"
    heard = ((("Hm", 0.0, 0.5), ("yes", 2.0, 2.4)), (event("laughs", 1.2),))
    assert annotator.annotate(Utterance("Hm yes", heard=heard)) == "Hm [laughs] yes"
    (asked,) = provider.requests
    said = asked["messages"][1]["content"]
    assert "yes 2.00-2.40" in said and "laughs at 1.20 s" in said


def test_a_wrong_key_ends_it(chat, provider, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    with pytest.raises(Refused):
        ChatAnnotator(Asker(chat(f"openai:m@{provider.url}"))).annotate(Utterance(TEXT))
