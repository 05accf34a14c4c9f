"""Templates of a chat model and of a file in a lake: kept, counted, never paid for twice."""

import json

import pytest

from sonolake.cares.banks import default_banks
from sonolake.cares.records import Scenario
from sonolake.cares.templates import write_templates
from sonolake.errors import InvalidInput, LimitReached
from sonolake.lake.step import Counts
from tasks.dialogues import Writing
from tasks.scenes import render_scenes
from tasks.scripts import make_templates, split_templates
from tasks.situations import find_situations, require_situations, writer_of

ROW = {"description": "Something is to be decided.", "theme": "cars", "category": "city"}
TOPIC = "Whether to leave the car in the street overnight."


@pytest.fixture
def theirs(tmp_path):
    """A file of three templates, the first two with a topic."""
    rows = [{**ROW, "title": f"Parking {n}", "topics": [TOPIC] * (n < 2)} for n in range(3)]
    path = tmp_path / "theirs.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


@pytest.fixture
def how(provider):
    """A chat model with ten situations in each answer."""

    def answer(body):
        number = len(provider.requests)
        titles = [f"Problem {number}-{n}" for n in range(10)]
        return {"situations": [{"title": t, "description": t, "topics": [TOPIC]} for t in titles]}

    provider.answer = answer
    return Writing(f"openai:author@{provider.url}", price_in=1.0, price_out=1.0, licence="CC0-1.0")


def test_situations_of_a_chat_model_are_kept_and_counted(path, lake, how, provider):
    found = find_situations.fn(path, "run", 25, "model", how)
    assert make_templates.fn(path, "run", 25, found) == Counts(taken=25, done=25, made=25)
    assert len({t.theme for t in found}) == 3, "three requests, each for another theme"
    (row,) = lake.rows("SELECT requests, cached, cost FROM chat_use")
    assert (row["requests"], row["cached"], row["cost"]) == (3, 0, pytest.approx(3 * 0.00011))
    again = find_situations.fn(path, "run-2", 25, "model", how)
    assert make_templates.fn(path, "run-2", 25, again) == Counts(taken=25, already=25)
    assert len(provider.requests) == 3


def test_the_budget_ends_it_and_a_larger_one_goes_on(path, how, provider):
    """Before each request the cost of 6,000 tokens and more is set aside."""
    small = Writing(how.writer, budget=0.008, price_in=1.0, price_out=1.0, licence="CC0-1.0")
    with pytest.raises(LimitReached, match="goes on where this ends"):
        find_situations.fn(path, "run", 400, "model", small)
    asked = len(provider.requests)
    assert 0 < asked < 40
    assert len(find_situations.fn(path, "run-2", 400, "model", how)) == 400
    assert len(provider.requests) == 40


def test_situations_of_a_file(path, lake, how, theirs):
    found = find_situations.fn(path, "run", 2, theirs, how)
    made = make_templates.fn(path, "run", 2, found, writer_of(theirs, how))
    assert made == Counts(taken=2, done=2, made=2)
    (credit,) = lake.rows("SELECT * FROM credits")
    assert (credit["licence"], credit["changes"]) == ("CC0-1.0", "wrote the situations")
    edges = lake.rows("SELECT parent FROM lineage WHERE role = 'situations'")
    assert [edge["parent"] for edge in edges] == [credit["name"]] * 2
    rows = lake.rows("SELECT title, theme FROM templates ORDER BY title")
    assert [tuple(row.values()) for row in rows] == [("Parking 0", "cars"), ("Parking 1", "cars")]
    with pytest.raises(InvalidInput, match=r"templates: expected at most 3, as in .*, received 4"):
        find_situations.fn(path, "run", 4, theirs, how)


def test_without_a_source_the_banks_are_it(path, lake):
    assert find_situations.fn(path, "run", 2, "embedded", Writing()) is None
    make_templates.fn(path, "run", 2)
    expected = sorted(t.template_id for t in write_templates(2, default_banks()))
    assert [row["template_id"] for row in lake.rows("SELECT * FROM templates ORDER BY 1")] == expected


def test_sources_that_do_not_go_with_a_writer(how, theirs):
    require_situations("embedded", Writing())
    require_situations("model", how)
    require_situations(theirs, Writing(theirs, licence="CC0-1.0"))
    for source, writer, said in (
        ("model", Writing(), "model only with a chat model"),
        ("nowhere.jsonl", how, "a file that is there"),
        (theirs, Writing(), "the embedded writer knows its own templates alone"),
    ):
        with pytest.raises(InvalidInput, match=said):
            require_situations(source, writer)


def test_the_embedded_writer_sets_aside_what_is_not_its_own(path, lake, add_assets, how, theirs):
    (template,) = find_situations.fn(path, "run", 1, theirs, how)
    make_templates.fn(path, "run", 1, [template])
    split_templates.fn(path, "run")
    (asset,) = add_assets({"name": "hum", "kind": "ambience", "location": "office", "event": None})
    row = {"item": asset, "kind": "ambience", "group_id": "hum", "split": "train", "batch": "b"}
    lake.table("partitions").append([{**row, "stratum": "office", "keys": []}])
    scenario = Scenario.make(
        template_id=template.template_id,
        number=0,
        split="train",
        composition="P0V0B0A0",
        location="office",
        relation="close_friends",
        roles=("friend", "friend"),
        genders="FM",
        topic=TOPIC,
        events=(),
    )
    assert render_scenes.fn(path, "run", [scenario], "short") == Counts(taken=1, quarantined=1)
    (row,) = lake.rows("SELECT reason, detail FROM quarantine WHERE item = ?", [scenario.scenario_id])
    assert row["reason"] == "dialogue_missing"
    assert "the embedded writer writes about its own templates alone" in row["detail"]
    assert "Parking 0" in row["detail"]
