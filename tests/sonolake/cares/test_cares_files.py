"""Files of users, with what is wrong in them: refused with the line and the reason."""

import json

import pytest

from sonolake.cares.banks import load_banks
from sonolake.cares.banks.model import Relation
from sonolake.cares.validation import read_transcripts
from sonolake.cares.writers import ImportedWriter, chat_templates, import_templates
from sonolake.errors import InvalidInput
from sonolake.models.chat import Asker

GOOD = {"title": "Parking", "description": "Where to leave the car.", "theme": "cars", "category": "city"}
LATIN = b'{"title": "a"}\n{"title": "caf\xe9"}\n'


@pytest.mark.parametrize(
    "read", [import_templates, read_transcripts, lambda path: ImportedWriter(path, load_banks(None))]
)
def test_what_is_no_utf8_is_refused_with_its_line(read, tmp_path):
    path = tmp_path / "theirs.jsonl"
    path.write_bytes(b"\n" + LATIN)
    with pytest.raises(InvalidInput, match=r"theirs\.jsonl line 3: expected UTF-8, received b'\\xe9'"):
        read(path)


def test_a_bank_that_is_no_utf8_is_refused_with_its_line(tmp_path):
    (tmp_path / "tags.json").write_bytes(b'{"version": 1,\n"tags": [{"tag": "caf\xe9"}]}')
    with pytest.raises(InvalidInput, match=r"tags\.json line 2: expected UTF-8"):
        load_banks(tmp_path)


@pytest.mark.parametrize("bank", ["relations", "matters", "events", "locations"])
def test_a_bank_without_a_row_is_refused(bank, tmp_path):
    (tmp_path / f"{bank}.json").write_text(json.dumps({"version": 1, bank: []}), encoding="utf-8")
    with pytest.raises(InvalidInput, match=rf"{bank}\.json line 1: expected at least one row"):
        load_banks(tmp_path)


def test_a_bank_may_forbid_nothing(tmp_path):
    (tmp_path / "forbidden.json").write_text('{"version": 1, "forbidden": []}', encoding="utf-8")
    assert load_banks(tmp_path).forbidden == frozenset()


@pytest.mark.parametrize("scenario_id", [["a"], {}, 7, None])
def test_a_scenario_is_named_by_a_text(scenario_id, tmp_path, banks):
    path = tmp_path / "theirs.jsonl"
    path.write_text(json.dumps({"scenario_id": scenario_id, "timeline": []}), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"line 1: expected an object with scenario_id, a text"):
        ImportedWriter(path, banks)


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path):
    templates, transcripts = tmp_path / "t.jsonl", tmp_path / "w.jsonl"
    row = {**GOOD, "description": "Where to leave\u2028the car."}
    templates.write_text(json.dumps(row, ensure_ascii=False) + "\r\n", encoding="utf-8", newline="")
    (made,) = import_templates(templates)
    assert made.description == row["description"]
    said = {"scene_id": "s", "text": "one\u2028two\x85three"}
    transcripts.write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
    assert read_transcripts(transcripts) == {"s": said["text"]}


@pytest.mark.parametrize(
    "role",
    ["children", "Kids", "sixteen-year-old", "9 year old", "girls", "babies", "grandson", "pre-schooler"],
)
def test_roles_of_minors(role):
    with pytest.raises(InvalidInput, match="expected two adult roles"):
        Relation("x", ("parent", role))


@pytest.mark.parametrize(
    "role",
    [
        "childminder",
        "kids' coach",
        "children's nurse",
        "child psychologist",
        "babysitter",
        "mother of two children",
        "boyfriend",
        "grown-up daughter",
        "thirty-one-year-old",
        "60-year-old",
    ],
)
def test_roles_of_adults(role):
    assert Relation("x", ("parent", role)).roles[1] == role


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"description": "Car again."}, "topic_too_short: 2 words"),
        ({"description": "word " * 61}, "topic_too_long: 61 words"),
        ({"description": 'He says "no" to it.'}, "topic_enacted"),
        ({"description": "Car again.", "topics": ["Too short."]}, "topic_too_short: 2 words"),
        ({"theme": None}, "an object with title"),
        ({"category": 3}, "an object with title"),
        ({"topics": 3}, "an object with title"),
    ],
)
def test_a_template_that_no_dialogue_could_be_about(change, reason, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, (GOOD, {**GOOD, **change}))), encoding="utf-8")
    with pytest.raises(InvalidInput, match=rf"t\.jsonl line 2: .*{reason}"):
        import_templates(path)


def test_a_short_description_is_no_matter_where_there_are_topics(tmp_path):
    path = tmp_path / "t.jsonl"
    row = {**GOOD, "description": "Car again.", "topics": ["Where to leave the car overnight."]}
    path.write_text(json.dumps(row), encoding="utf-8")
    assert len(import_templates(path)) == 1


def test_a_model_is_told_which_of_its_situations_were_no_use(provider, chat):
    def answer(body):
        told = json.dumps(body["messages"])
        title, description = (
            ("Fine", "Where to leave the car.") if "Of your last" in told else ("Bad", "Car.")
        )
        return {"situations": [{"title": title, "description": description, "topics": []}]}

    provider.answer = answer
    (made,) = chat_templates(1, Asker(chat(f"openai:author@{provider.url}")), [("city", "cars")])
    assert made.title == "Fine"
    said = json.dumps(provider.requests[1]["messages"])
    assert "Bad: topic_too_short: 1 words, at least 4 are needed" in said
