"""Dialogues of a chat model and of a file in a lake: kept, counted, never paid for twice, and made into scenes."""

import json
from dataclasses import replace

import pytest

from sonolake.cares.banks import default_banks
from sonolake.cares.records import Timeline, Utterance
from sonolake.cares.writer import WRITER, write
from sonolake.cares.writers.chat import MAX_TOKENS
from sonolake.cares.writers.prompts import SYSTEM, brief
from sonolake.errors import InvalidInput, LimitReached
from sonolake.lake.step import Counts
from tasks.dialogues import Writing, dialogues_of, preview_dialogues, ready, write_dialogues
from tasks.opening import lake_at
from tasks.scenes import render_scenes
from tasks.scripts import allocate_scenarios, scenarios, template_of


@pytest.fixture
def made(own_lake):
    """A lake of two scenes with six more scenarios."""
    lake = lake_at(str(own_lake))
    allocate_scenarios.fn(str(own_lake), "run", 8)
    return lake


@pytest.fixture
def missing(made):
    have = {row["scenario_id"] for row in made.rows("SELECT scenario_id FROM scenes")}
    return [s for s in scenarios(made) if s.scenario_id not in have]


@pytest.fixture
def words(made, missing):
    """A good dialogue for each scenario, by id."""
    templates = template_of(made)
    return {s.scenario_id: write(s, templates[s.template_id], default_banks(), "short") for s in missing}


@pytest.fixture
def how(made, missing, provider, words):
    templates = template_of(made)
    briefs = {brief(s, templates[s.template_id], default_banks(), "short"): s.scenario_id for s in missing}
    empty = {"speaker": "", "text": "", "event_id": ""}

    def answer(body):
        scenario = briefs[body["messages"][1]["content"]]
        return {"items": [{**empty, **row} for row in words[scenario].to_plain()]}

    provider.answer = answer
    return Writing(f"openai:author@{provider.url}", "short", price_in=1.0, price_out=1.0, licence="CC0-1.0")


def test_a_chat_models_dialogues_are_kept(made, missing, words, how, provider):
    root = str(made.root)
    counts, spent = write_dialogues.fn(root, "run", scenarios(made), how)
    assert counts == Counts(taken=8, done=6, already=2, made=6), "what has a scene needs no dialogue"
    assert (spent.requests, spent.input_tokens, spent.output_tokens) == (6, 600, 60)
    found = dialogues_of(made, missing)
    assert {name: timeline for name, (_, timeline) in found.items()} == {
        s.scenario_id: words[s.scenario_id] for s in missing
    }
    assert {writer for writer, _ in found.values()} == {f"chat:openai:author@{provider.url} cares-dialogue:1"}
    (row,) = made.rows("SELECT * FROM chat_use")
    assert (row["requests"], row["cached"], row["cost"]) == (6, 0, pytest.approx(0.00066))
    assert ready(made, scenarios(made)) == scenarios(made)
    again, _ = write_dialogues.fn(root, "run", scenarios(made), how)
    assert again == Counts(taken=8, already=8)
    assert len(provider.requests) == 6


def test_answers_outlive_what_was_made_of_them(made, missing, how, provider):
    write_dialogues.fn(str(made.root), "run", missing, how)
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM dialogues")
    counts, spent = write_dialogues.fn(str(made.root), "run-2", missing, how)
    assert counts.done == 6
    assert (spent.requests, spent.cached) == (0, 6)
    assert len(provider.requests) == 6


def test_the_budget_ends_it_with_what_is_done(made, missing, how, provider):
    templates = template_of(made)
    longest = max(len(brief(s, templates[s.template_id], default_banks(), "short")) for s in missing)
    aside = (MAX_TOKENS + (len(SYSTEM) + longest) // 4) / 1e6
    small = Writing(how.writer, "short", aside + 2.5 * 0.00011, 1.0, 1.0, workers=1, licence="CC0-1.0")
    with pytest.raises(LimitReached, match="goes on where this ends"):
        write_dialogues.fn(str(made.root), "run", missing, small)
    first = len(dialogues_of(made, missing))
    assert len(ready(made, missing)) == first
    assert first >= 3, "what is set aside for one request, and two and a half answers"
    assert first < 6
    write_dialogues.fn(str(made.root), "run-2", missing, how)
    assert len(dialogues_of(made, missing)) == len(provider.requests) == 6


def test_a_preview_is_kept_for_the_run(made, missing, how, provider):
    plan = preview_dialogues.fn(str(made.root), "run", scenarios(made), how)
    assert (plan.scenarios, len(plan.previews), plan.spent.requests) == (6, 5, 5)
    assert dialogues_of(made, missing) == {}
    write_dialogues.fn(str(made.root), "run", missing, how)
    assert len(provider.requests) == 6
    with pytest.raises(InvalidInput, match="a chat model as writer"):
        preview_dialogues.fn(str(made.root), "run", missing, Writing())


def test_what_never_passes_is_in_the_quarantine(made, missing, how, provider):
    provider.answer = lambda body: {"items": []}
    counts, _ = write_dialogues.fn(str(made.root), "run", missing[:1], how)
    assert counts == Counts(taken=1, quarantined=1)
    (row,) = made.rows("SELECT reason, detail FROM quarantine WHERE step = 'write-dialogues'")
    assert row["reason"] == "dialogue_rejected"
    assert "too_few_utterances" in row["detail"]


def test_a_file_of_dialogues_becomes_a_scene(made, missing, words, tmp_path):
    scenario = missing[0]
    first = words[scenario.scenario_id]
    at = next(i for i, item in enumerate(first.items) if isinstance(item, Utterance))
    theirs = Timeline(
        (
            *first.items[:at],
            Utterance(first.items[at].speaker, f"Well then. {first.items[at].text}"),
            *first.items[at + 1 :],
        )
    )
    path = tmp_path / "theirs.jsonl"
    path.write_text(
        json.dumps({"scenario_id": scenario.scenario_id, "timeline": theirs.to_plain()}), encoding="utf-8"
    )
    root = str(made.root)
    counts, _ = write_dialogues.fn(
        root, "run", missing[:2], Writing(str(path), "short", licence="CC-BY-NC-4.0")
    )
    assert counts == Counts(taken=2, done=1, quarantined=1, made=1)
    assert render_scenes.fn(root, "run", [scenario], "short").done == 1
    (scene,) = made.rows("SELECT scene_id, licence FROM scenes WHERE scenario_id = ?", [scenario.scenario_id])
    assert scene["licence"].startswith("CC-BY-NC"), "as its words are"
    said = made.rows("SELECT text FROM turns WHERE scene_id = ? ORDER BY turn", [scene["scene_id"]])
    assert [row["text"] for row in said] == [u.text for u in theirs.utterances]
    writers = made.rows("SELECT child, parent FROM lineage WHERE role = 'writer'")
    by = {row["child"]: row["parent"] for row in writers}
    assert by[scene["scene_id"]].startswith("writer:imported:theirs.jsonl@")
    assert set(by.values()) - {by[scene["scene_id"]]} == {f"writer:{WRITER}"}


@pytest.mark.parametrize("licence", ["", "CC-BY-ND-4.0", "all rights reserved"])
def test_what_others_write_has_a_licence_that_allows_mixing(licence):
    with pytest.raises(InvalidInput, match="one that allows mixing, as in --text-licence"):
        Writing("anthropic:author", licence=licence)


def test_a_writer_keeps_the_licence_that_something_was_made_under(made, missing, how, provider):
    root, others = str(made.root), replace(how, licence="CC BY 4.0")
    answer, provider.answer = provider.answer, lambda body: {"items": []}
    assert write_dialogues.fn(root, "run", missing[:1], others)[0].quarantined == 1
    provider.answer = answer
    write_dialogues.fn(root, "run", missing[1:2], how)
    assert render_scenes.fn(root, "run", missing[1:2], "short").done == 1
    asked = len(provider.requests)
    with pytest.raises(InvalidInput, match=r"expected CC0-1.0, received 'CC-BY-4.0'.*made under it already"):
        write_dialogues.fn(root, "run", missing[2:3], others)
    assert len(provider.requests) == asked


def test_writers_that_are_none(tmp_path):
    with pytest.raises(InvalidInput, match="embedded, a chat model"):
        Writing("nobody")
    with pytest.raises(InvalidInput, match="embedded, a chat model"):
        Writing(str(tmp_path / "missing.jsonl"))
