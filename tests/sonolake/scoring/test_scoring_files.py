"""Files of answers: read line by line, filled, and never mixed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput, LimitReached
from sonolake.scoring import Said, as_text, ask_each, objects, require_own

OWN = {"system": "me", "questions": "q1"}


def line(key, text):
    return {"item_id": key, "answer": text, **OWN}


def test_objects_or_why_they_are_none(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"item_id": "a"}\n\n{"item_id": 3}\n[1]\n{"item\n\xff\n')
    found = dict(objects(path, "item_id"))
    assert found[1] == {"item_id": "a"}
    assert found[3] == found[4] == "no object with an item_id"
    assert found[5].startswith("no JSON") and found[6].startswith("no JSON")
    assert set(found) == {1, 3, 4, 5, 6}


@given(st.one_of(st.text(), st.integers(), st.lists(st.text(max_size=3), max_size=3), st.booleans()))
def test_text_stays_and_everything_else_is_json(answer):
    text = as_text(answer)
    assert text == answer if isinstance(answer, str) else json.loads(text) == answer


def test_each_is_asked_and_written_in_order(tmp_path):
    path = tmp_path / "a.jsonl"

    def about(number):
        if number % 5 == 4:
            return Said(failures={number: "missing"})
        return Said({number: f"answer {number}"})

    said = ask_each(range(40), about, path, line, workers=3)
    assert sorted(said.failures) == [4, 9, 14, 19, 24, 29, 34, 39]
    written = [row["item_id"] for _, row in objects_of(path)]
    assert written == list(said.answers) == [n for n in range(40) if n % 5 != 4]


def objects_of(path):
    return [(number, json.loads(text)) for number, text in enumerate(path.read_text().splitlines(), 1)]


def test_what_is_answered_before_an_end_is_kept(tmp_path):
    path = tmp_path / "a.jsonl"

    def about(number):
        if number == 10:
            raise LimitReached("no money left")
        return Said({number: "yes"})

    with pytest.raises(LimitReached):
        ask_each(range(40), about, path, line, workers=1)
    assert [row["item_id"] for _, row in objects_of(path)] == list(range(10))


def test_a_line_that_was_cut_off_is_taken_out(tmp_path):
    path = tmp_path / "a.jsonl"
    require_own(path, OWN)
    whole = json.dumps(line("a", "x")) + "\n"
    path.write_text(whole + '{"item_id": "b", "ans')
    require_own(path, OWN)
    assert path.read_text() == whole


@pytest.mark.parametrize(
    "other", [line("a", "x") | {"system": "you"}, line("a", "x") | {"questions": "q2"}, {"item_id": "a"}, [1]]
)
def test_answers_of_others_are_not_mixed(tmp_path, other):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(line("a", "x")) + "\n" + json.dumps(other) + "\n")
    with pytest.raises(InvalidInput, match=r"a\.jsonl line 2: expected answers of 'me' to the questions q1"):
        require_own(path, OWN)
