"""Three writers behind one interface; the chat model is a local server that makes every mistake there is."""

import json
import re

import pytest

from sonolake.cares.checker import check
from sonolake.cares.placing import within
from sonolake.cares.records import Template
from sonolake.cares.topics import write_topic
from sonolake.cares.writer import write
from sonolake.cares.writers import (
    ChatWriter,
    EmbeddedWriter,
    ImportedWriter,
    chat_templates,
    import_templates,
    plan_run,
)
from sonolake.cares.writers.prompts import brief
from sonolake.errors import InvalidInput, ItemRefused, LimitReached, Refused, Unreachable
from sonolake.models.chat import Asker, InMemory, Meter, Price


@pytest.fixture(scope="module")
def some(scenarios):
    """Ten scenarios with sounds of every reaction."""
    return [s for s in scenarios if s.composition in ("P1V1B1A0", "P0V1B1A1", "P0V0B2A1", "P0V0B0A0")][:10]


@pytest.fixture
def rows_of(some, template_of, banks):
    """A good dialogue for the scenario that a request is about, as a model would write it."""
    by_topic = {s.topic: s for s in some}

    def rows(body):
        said = json.dumps(body["messages"], ensure_ascii=False)
        scenario = next(
            s for topic, s in by_topic.items() if json.dumps(topic, ensure_ascii=False)[1:-1] in said
        )
        timeline = write(scenario, template_of[scenario.template_id], banks)
        empty = {"speaker": "", "text": "", "event_id": ""}
        return [{**empty, **row} for row in timeline.to_plain()]

    return rows


@pytest.fixture
def writer(provider, chat, banks, rows_of):
    """A writer whose model is good; its parts can be replaced."""
    provider.answer = lambda body: {"items": rows_of(body)}

    def make(provider_name="openai", meter=None, answers=None, **more):
        model = chat(f"{provider_name}:author@{provider.url}", timeout_s=5.0, pause=lambda _: None)
        return ChatWriter(Asker(model, answers, meter=meter), banks, **more)

    return make


def spoiled(rows, fault):
    """A dialogue with a fault in its second utterance."""
    spoken = [row for row in rows if row["type"] == "utterance"]
    spoken[1]["text"] = f"Um, {spoken[1]['text']}" if fault == "filler" else spoken[1]["text"]
    return rows[1:] if fault == "short" else rows


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_a_good_model_is_asked_once(writer, provider, some, template_of, banks, name):
    author = writer(name)
    for scenario in some:
        timeline = author.write(scenario, template_of[scenario.template_id])
        assert check(timeline, scenario, banks) == []
    assert len(provider.requests) == len(some)
    assert author.name.startswith(f"chat:{name}:author@http")


def test_findings_are_fed_back_until_it_passes(writer, provider, rows_of, some, template_of):
    provider.answer = lambda body: {
        "items": rows_of(body) if len(body["messages"]) > 2 else spoiled(rows_of(body), "filler")
    }
    scenario = some[0]
    writer().write(scenario, template_of[scenario.template_id])
    first, second = provider.requests
    assert [m["role"] for m in second["messages"]] == ["system", "user", "assistant", "user"]
    assert second["messages"][1] == first["messages"][1]
    assert "Um, " in second["messages"][2]["content"]
    assert "filler at utterance 1: a filler: 'Um'" in second["messages"][3]["content"]


@pytest.mark.parametrize(
    "said", ["This is no JSON.", "[]", '{"dialogue": []}', '{"items": [1, "two", null]}']
)
def test_malformed_answers_are_asked_for_again(writer, provider, rows_of, some, template_of, said):
    answers = [said]
    provider.answer = lambda body: answers.pop() if answers else {"items": rows_of(body)}
    writer().write(some[0], template_of[some[0].template_id])
    assert len(provider.requests) == 2
    assert "The checker found" in provider.requests[1]["messages"][-1]["content"]


def test_a_fence_around_json_is_no_fault(writer, provider, rows_of, some, template_of):
    provider.answer = lambda body: f"```json\n{json.dumps({'items': rows_of(body)})}\n```"
    writer().write(some[0], template_of[some[0].template_id])
    assert len(provider.requests) == 1


def test_an_answer_that_is_cut_off_is_asked_for_again(writer, provider, some, template_of):
    provider.cut = True
    with pytest.raises(ItemRefused, match=r"dialogue_rejected: 2 attempts.*ends after 10 tokens"):
        writer(attempts=2).write(some[0], template_of[some[0].template_id])
    assert "ends after 10 tokens" in provider.requests[-1]["messages"][-1]["content"]


def test_who_never_learns_is_refused(writer, provider, rows_of, some, template_of):
    provider.answer = lambda body: {"items": spoiled(rows_of(body), "filler")}
    with pytest.raises(
        ItemRefused, match=r"dialogue_rejected: 3 attempts, the last with filler at utterance 1"
    ):
        writer(attempts=3).write(some[0], template_of[some[0].template_id])
    assert len(provider.requests) == 3
    assert len(provider.requests[-1]["messages"]) == 4, "only the last attempt is shown"


@pytest.mark.parametrize("step", [429, 500, 503, "hang up", b"<html>"])
def test_a_server_in_trouble_is_waited_for(writer, provider, some, template_of, step):
    provider.script = [step, step]
    writer().write(some[0], template_of[some[0].template_id])


def test_a_server_that_is_down_or_refuses_stops_the_run(
    writer, provider, some, template_of, monkeypatch, chat, banks
):
    provider.script = [500] * 99
    with pytest.raises(Unreachable):
        writer().write_many(some, template_of)
    provider.script = []
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    with pytest.raises(Refused, match="Incorrect API key"):
        writer().write_many(some, template_of)


def test_many_at_a_time_and_nothing_twice(writer, provider, some, template_of):
    kept = InMemory()
    provider.script = [0.05] * 4
    first = writer(answers=kept).write_many(some, template_of, workers=4)
    assert (set(first.timelines), first.refused, first.stopped) == ({s.scenario_id for s in some}, {}, "")
    assert provider.most_busy >= 2
    sent = len(provider.requests)
    assert writer(answers=kept).write_many(some, template_of) == first
    assert len(provider.requests) == sent


def test_the_budget_ends_a_run_with_what_is_done_and_a_larger_one_goes_on(
    writer, provider, some, template_of
):
    """An answer of 100 and 10 tokens costs 0.00011; 4,000 more are set aside for it beforehand."""
    kept, price = InMemory(), Price(1.0, 1.0)
    small = Meter(price, budget=0.0053)
    part = writer(meter=small, answers=kept).write_many(some, template_of, workers=1)
    assert 0 < len(part.timelines) < len(some)
    assert "the budget of 0.0053 is reached" in part.stopped
    assert small.spent.cost <= 0.0053
    rest = writer(meter=Meter(price, budget=1.0), answers=kept).write_many(some, template_of)
    assert len(rest.timelines) == len(some)
    assert len(provider.requests) == len(some)
    with pytest.raises(LimitReached):
        writer(meter=Meter(price, budget=0.0001)).write(some[0], template_of[some[0].template_id])


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_batches_with_a_second_one_for_what_failed(writer, provider, rows_of, some, template_of, name):
    bad = some[0].topic

    def answer(body):
        again = any(m["role"] == "assistant" for m in body["messages"])
        rows = rows_of(body)
        return {"items": spoiled(rows, "filler") if bad in str(body["messages"]) and not again else rows}

    provider.answer = answer
    provider.rounds = 0
    done = writer(name).write_in_batches(some, template_of, every_s=0.0)
    assert set(done.timelines) == {s.scenario_id for s in some}
    assert done.refused == {}
    assert len(provider.batches) == 2


def test_a_preview_of_five_and_what_the_run_may_cost(writer, provider, some, template_of):
    meter, kept = Meter(Price(3.0, 15.0)), InMemory()
    author = writer(meter=meter, answers=kept)
    silent = plan_run(author, meter, some, template_of, previews=0)
    assert provider.requests == []
    assert (silent.scenarios, silent.guess.requests, silent.previews) == (10, 10, {})
    assert 0.1 < silent.guess.cost < 1.0
    plan = plan_run(author, meter, some, template_of)
    assert set(plan.previews) == {s.scenario_id for s in some[:5]}
    assert (plan.spent.requests, plan.guess.output_tokens) == (5, 100)
    author.write_many(some, template_of)
    assert len(provider.requests) == 10, "previews are kept"


def test_what_a_model_is_told(some, template_of, banks):
    for scenario in some:
        text = brief(scenario, template_of[scenario.template_id], banks, "paper")
        count = int(re.search(r"exactly (\d+) utterances", text)[1])
        assert scenario.topic in text
        assert banks.locations[scenario.location].name in text
        assert all(role in text for role in scenario.roles)
        places = [int(n) for n in re.findall(r"After utterance (\d+): event_id", text)]
        assert len(places) == len(scenario.events)
        for spec, at in zip(scenario.events, places, strict=True):
            assert within(spec.band, at, count)
            assert f'event_id "{spec.event_id}"' in text
            if spec.register:
                assert banks.register(spec.reaction, spec.register).meaning in text


def test_a_file_of_dialogues(tmp_path, some, template_of, banks):
    path = tmp_path / "theirs.jsonl"
    good = {s.scenario_id: write(s, template_of[s.template_id], banks) for s in some}
    rows = [{"scenario_id": name, "timeline": timeline.to_plain()} for name, timeline in good.items()]
    rows[1]["timeline"] = rows[1]["timeline"][:4]
    path.write_text("\n".join(json.dumps(row) for row in rows[:9]), encoding="utf-8")
    author = ImportedWriter(path, banks)
    assert author.name.startswith("imported:theirs.jsonl@")
    first = some[0]
    assert author.write(first, template_of[first.template_id]) == good[first.scenario_id]
    with pytest.raises(ItemRefused, match="dialogue_rejected: "):
        author.write(some[1], template_of[some[1].template_id])
    with pytest.raises(ItemRefused, match="dialogue_missing"):
        author.write(some[9], template_of[some[9].template_id])


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("{not json", "line 2: expected an object"),
        ('{"scenario_id": "x"}', "line 2: expected an object"),
        ('{"scenario_id": "a", "timeline": []}', "line 2: expected every scenario once"),
    ],
)
def test_a_broken_file_of_dialogues(tmp_path, banks, line, match):
    path = tmp_path / "theirs.jsonl"
    path.write_text(f'{{"scenario_id": "a", "timeline": []}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=match):
        ImportedWriter(path, banks)


def test_the_embedded_writer_is_one_of_them(some, template_of, banks):
    author = EmbeddedWriter(banks, "short")
    scenario = some[0]
    template = template_of[scenario.template_id]
    assert author.write(scenario, template) == write(scenario, template, banks, "short")
    assert author.name == "embedded-grammar:6"


THEMES = [("home", "repairs"), ("work", "schedule")]


def situations(body, size=10):
    """A model that counts; the second half of what it says was said before."""
    told = json.dumps(body["messages"])
    number = told.count("- Problem")
    theme = re.search(r"Theme: (\w+)", told)[1]
    return {
        "situations": [
            {
                "title": f"Problem {theme} {max(0, number + n - 5)}",
                "description": "Something must be decided.",
                "topics": [f"Whether to do it in way {k} or not at all." for k in range(10)] + ["Too short."],
            }
            for n in range(size)
        ]
    }


def test_templates_of_a_chat_model(provider, chat):
    provider.answer = situations
    kept = InMemory()
    asker = Asker(chat(f"openai:author@{provider.url}"), kept)
    made = chat_templates(40, asker, THEMES)
    assert len({t.template_id for t in made}) == len({t.title for t in made}) == 40
    assert {(t.category, t.theme) for t in made} == set(THEMES)
    assert chat_templates(12, Asker(chat(f"openai:author@{provider.url}"), kept), THEMES) == made[:12]
    topics = {write_topic(made[0], f"slot-{n}") for n in range(60)}
    assert len(topics) == 10, "the one that is too short is left out"


def test_a_model_without_ideas_is_given_up_on(provider, chat):
    provider.answer = lambda body: {
        "situations": [{"title": "The same", "description": "It all comes again.", "topics": []}]
    }
    asker = Asker(chat(f"openai:author@{provider.url}"))
    with pytest.raises(ItemRefused, match="after 1 templates 5 requests brought nothing new"):
        chat_templates(3, asker, THEMES)


def test_templates_of_a_file(tmp_path):
    path = tmp_path / "t.jsonl"
    row = {"title": "Parking", "description": "Where to leave the car.", "theme": "cars", "category": "city"}
    path.write_text(
        json.dumps({**row, "topics": ["Where to leave the car overnight."]}) + "\n", encoding="utf-8"
    )
    (made,) = import_templates(path)
    assert made == Template.make(
        "Parking", "Where to leave the car.", "cars", "city", {"topic1": "Where to leave the car overnight."}
    )
    assert write_topic(made, "slot") == "Where to leave the car overnight."
    path.write_text(json.dumps(row) + "\n" + json.dumps(row), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"t\.jsonl line 2: expected every template once"):
        import_templates(path)
    path.write_text('{"title": "x"}', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"t\.jsonl line 1: expected an object"):
        import_templates(path)
