"""Summaries: what is mentioned, by a matcher of names and by a chat model that must quote."""

import json

import pytest

from sonolake.cares.benchmark import HeardSound, Item, LiteralMatcher
from sonolake.cares.benchmark.chat_judge import ChatJudge
from sonolake.cares.benchmark.judging import Verdict, checked
from sonolake.cares.benchmark.summaries import score_summaries
from sonolake.models.chat import Asker

DOG = HeardSound("shared/dog_bark", "dog barking", "verbal", 3.0)
STEAM = HeardSound("cafe_restaurant/espresso_steam", "steam of an espresso machine", "pivot", 9.0)
KEYS = HeardSound("general/keys_jingle", "keys jingling", "ambient", 12.0)


@pytest.mark.parametrize(
    ("summary", "sound", "quote"),
    [
        ("They talk. A dog barks twice.", DOG, "dog barks"),
        ("The barking of a dog stops them.", DOG, "barking of a dog"),
        ("DOG BARKING!", DOG, "DOG BARKING"),
        ("Steam hisses from the espresso machine.", STEAM, "Steam hisses from the espresso machine"),
        ("Some keys jingled.", KEYS, "keys jingled"),
        ("Their dog is ill. Somebody barked an order.", DOG, None),
        ("An animal makes itself heard.", DOG, None),
        ("The espresso is hot.", STEAM, None),
        ("", DOG, None),
    ],
)
def test_the_matcher_finds_names(summary, sound, quote):
    found = LiteralMatcher().judge(summary, [sound])[sound.event]
    assert found == (Verdict("heard", quote) if quote else Verdict("absent"))
    assert checked(found, summary) == found


@pytest.mark.parametrize(
    ("verdict", "holds"),
    [
        (Verdict("heard", "a dog barks"), True),
        (Verdict("heard", "A DOG   barks."), True),
        (Verdict("heard", "dog’s owner"), True),
        (Verdict("nature", "their dog"), False),
        (Verdict("heard", "dog"), False),
        (Verdict("heard", ""), False),
        (Verdict("heard", "a dog growls"), False),
        (Verdict("certainly", "a dog barks"), False),
        (Verdict("absent", ""), False),
    ],
)
def test_a_quote_that_is_none_voids_the_verdict(verdict, holds):
    summary = "Outside a dog barks, and the dog's owner — a neighbour — calls."
    assert (checked(verdict, summary).verdict != "absent") == holds


def summary_item(*sounds, n=0):
    return Item(f"sum-{n}", "summary", f"scene-{n}", "", None, (), "", sounds)


def test_recall_by_reaction():
    items = [summary_item(DOG, STEAM), summary_item(DOG, KEYS, n=1)]
    answers = {("sum-0", 200): "A dog barks.", ("sum-1", 200): "Keys jingle and nothing else."}
    made = score_summaries(items, answers, 200, LiteralMatcher(), 0)
    assert {name: score.value for name, score in made.per_class.items()} == {
        "pivot": 0.0,
        "verbal": 0.5,
        "behavioral": 0.0,
        "ambient": 1.0,
    }
    assert made.overall.value == 0.5
    assert made.counts == {"pivot": 1, "verbal": 2, "behavioral": 0, "ambient": 1}
    assert (made.n, made.missing, made.too_long) == (2, 0, 0)
    assert "literal" in made.judge


def test_words_beyond_the_budget_are_not_read():
    item = summary_item(DOG)
    text = " ".join(["word"] * 25) + " A dog barks."
    made = score_summaries([item], {("sum-0", 25): text}, 25, LiteralMatcher(), 0)
    assert (made.overall.value, made.too_long) == (0.0, 1)
    assert score_summaries([item], {("sum-0", 75): text}, 75, LiteralMatcher(), 0).overall.value == 1.0
    assert score_summaries([item], {}, 75, LiteralMatcher(), 0).missing == 1


@pytest.fixture
def judge(provider, chat):
    return ChatJudge(Asker(chat(f"openai:judge@{provider.url}")))


def test_a_chat_model_judges_by_names_alone(provider, judge):
    said = [
        {"sound": "dog barking", "verdict": "heard", "quote": "a hound gives voice"},
        {"sound": "steam of an espresso machine", "verdict": "nature", "quote": "the espresso machine"},
        {"sound": "keys jingling", "verdict": "heard", "quote": "a bunch of keys"},
    ]
    provider.answer = lambda body: {"sounds": said}
    summary = "By the espresso machine they talk until a hound gives voice."
    item = summary_item(DOG, STEAM, KEYS)
    made = score_summaries([item], {("sum-0", 200): summary}, 200, judge, 0)
    assert made.per_class["verbal"].value == 1.0
    assert made.per_class["pivot"].value == 0.0
    assert (made.per_class["ambient"].value, made.voided) == (0.0, 1), "its quote is not in the summary"
    assert made.judge == f"openai:judge@{provider.url}"
    kinder = score_summaries([item], {("sum-0", 200): summary}, 200, judge, 0, with_nature=True)
    assert (kinder.per_class["pivot"].value, kinder.rule) == (1.0, "heard or nature")
    assert len(provider.requests) == 1, "the same summary is judged once"
    sent = json.dumps(provider.requests[0])
    assert all(word not in sent for word in ("pivot", "verbal", "shared/dog_bark"))


def test_a_judge_that_says_nonsense_is_reported(provider, judge):
    provider.answer = lambda body: {"verdicts": []}
    made = score_summaries([summary_item(DOG)], {("sum-0", 200): "A dog barks."}, 200, judge, 0)
    assert (made.unjudged, made.overall.value) == (1, 0.0)
