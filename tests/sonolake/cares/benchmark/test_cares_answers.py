"""Answers as models give them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.cares.benchmark import read_predictions
from sonolake.cares.benchmark.predictions import keys_of
from sonolake.cares.benchmark.reading import read_option, read_reaction
from sonolake.cares.records import REACTIONS

PLACES = ("a café", "an airport hall", "a street with traffic", "a car on the road")
SOUNDS = ("bell", "bicycle bell", "dog barking", "phone ringing")


@pytest.mark.parametrize(
    ("text", "reaction"),
    [
        ('{"reaction": "pivot"}', "pivot"),
        ('```json\n{"reaction": "Verbal"}\n```', "verbal"),
        ("{'reaction': 'ambient'}", "ambient"),
        ("{reaction: 'ambient'}", "ambient"),
        ("behavioral", "behavioral"),
        ("**Behavioral.**", "behavioral"),
        ("The answer is ambient, since nobody reacts.", "ambient"),
        ("<think>pivot or verbal? pivot</think>verbal", "verbal"),
        ("<think>it must be a pivot", None),
        ('First {"reaction": "pivot"}, no: {"reaction": "verbal"}', "verbal"),
        ("pivot or verbal", None),
        ('{"reaction": "pivot or verbal"}', None),
        ('{"reaction": "shrug"}', None),
        ("nonverbal", None),
        ("", None),
    ],
)
def test_reactions(text, reaction):
    assert read_reaction(text) == reaction


@pytest.mark.parametrize(
    ("text", "options", "option"),
    [
        ("a café", PLACES, "a café"),
        ("A CAFÉ.", PLACES, "a café"),
        ("They are in an airport hall.", PLACES, "an airport hall"),
        ("Either a café or an airport hall.", PLACES, None),
        ("- a street with traffic", PLACES, "a street with traffic"),
        ("the bicycle bell", SOUNDS, "bicycle bell"),
        ("bell", SOUNDS, "bell"),
        ("A bell, or rather a dog barking", SOUNDS, None),
        ("a library", PLACES, None),
    ],
)
def test_options(text, options, option):
    assert read_option(text, options) == option


@given(st.text())
def test_whatever_a_model_says_is_one_of_the_options_or_none(text):
    assert read_option(text, SOUNDS) in (*SOUNDS, None)


@given(
    st.sampled_from(REACTIONS), st.sampled_from(["", " ", "\n", "Answer: ", '"']), st.sampled_from("., !*\n")
)
def test_a_word_alone_is_read_whatever_is_around_it(reaction, before, after):
    assert read_reaction(f"{before}{reaction}{after}") == reaction


def test_predictions_of_a_file(items, tmp_path):
    reaction = next(i for i in items if i.task == "reactions")
    summary = next(i for i in items if i.task == "summary")
    rows = [
        {"item_id": reaction.item_id, "answer": "pivot"},
        {"item_id": summary.item_id, "summary": "Two people talk.", "budget": 25},
        {"item_id": summary.item_id, "summary": "Two people talk.", "budget": 26},
        {"item_id": summary.item_id, "summary": "Two people talk."},
        {"item_id": reaction.item_id, "answer": "verbal"},
        {"item_id": "nobody", "answer": "verbal"},
        {"answer": "verbal"},
        {"item_id": reaction.item_id},
        [1],
    ]
    text = "\n".join(json.dumps(row) for row in rows)
    path = tmp_path / "p.jsonl"
    path.write_text(f"{text}\n\n{{not json\n", encoding="utf-8")
    read = read_predictions(path, items)
    assert read.answers == {(reaction.item_id, 0): "pivot", (summary.item_id, 25): "Two people talk."}
    assert {t.line: t.why for t in read.troubles} == {
        3: "no budget 26 of this item",
        4: "no budget 0 of this item",
        5: "answered before",
        6: "no item nobody",
        7: "no object with an item_id",
        8: "neither answer nor summary",
        9: "no object with an item_id",
        11: "no JSON: Expecting property name enclosed in double quotes",
    }


def test_an_object_for_an_answer_is_read_as_its_text(items, tmp_path):
    reaction = next(i for i in items if i.task == "reactions")
    path = tmp_path / "p.jsonl"
    path.write_text(
        json.dumps({"item_id": reaction.item_id, "answer": {"reaction": "ambient"}}), encoding="utf-8"
    )
    ((key, text),) = read_predictions(path, items).answers.items()
    assert key == keys_of(reaction)[0]
    assert read_reaction(text) == "ambient"
