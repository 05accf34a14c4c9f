"""Chat models against a local server: answers, structure, retries, keys, memory, pace, money, batches."""

import json
import logging
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sonolake.audio.encode import wav_bytes
from sonolake.errors import InvalidInput, ItemRefused, LimitReached, Refused, Unreachable
from sonolake.models.chat import (
    Answer,
    Ask,
    Asker,
    InMemory,
    Message,
    Meter,
    Pacer,
    Price,
    Spent,
    chat_model,
    estimate,
)
from sonolake.transport import TRIES

SCHEMA = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}
WAV = wav_bytes(np.zeros(1600, dtype=np.int16), 16_000)


def ask(text="How are you?", **more):
    return Ask("Be brief.", (Message("user", text),), **more)


@pytest.fixture
def pauses():
    return []


@pytest.fixture(params=["openai", "anthropic"])
def model(request, provider, pauses, chat):
    return chat(f"{request.param}:small@{provider.url}", timeout_s=5.0, pause=pauses.append)


def test_an_answer_with_its_tokens(model, provider):
    answer = model.complete(ask())
    assert (answer.text, answer.input_tokens, answer.output_tokens) == ("yes", 100, 10)
    sent = provider.requests[0]
    assert sent["model"] == "small"
    assert sent["temperature"] == 0
    assert "How are you?" in json.dumps(sent)
    assert "Be brief." in json.dumps(sent)


def test_structured_output(model, provider):
    provider.answer = lambda body: {"mood": "fine"}
    assert json.loads(model.complete(ask(schema=SCHEMA)).text) == {"mood": "fine"}
    sent = provider.requests[0]
    assert SCHEMA in (sent.get("response_format", {}).get("json_schema", {}).get("schema"), *(
        tool["input_schema"] for tool in sent.get("tools", ())
    ))  # fmt: skip


@pytest.mark.parametrize(("knows", "kind"), [({"json_object"}, "json_object"), (set(), None)])
def test_an_endpoint_without_schemas_is_asked_in_a_simpler_way(provider, knows, kind, chat):
    provider.formats = knows
    provider.answer = lambda body: {"mood": "fine"}
    made = chat(f"openai:small@{provider.url}")
    for _ in range(2):
        assert json.loads(made.complete(ask(schema=SCHEMA)).text) == {"mood": "fine"}
    assert (provider.requests[-1].get("response_format") or {}).get("type") == kind
    assert len(provider.requests) == (3 if knows else 4), "what it does not know is tried once"


def test_a_model_that_hears(provider, chat):
    hears = Ask("", (Message("user", "What is it?", WAV),))
    assert chat(f"openai:ears@{provider.url}").complete(hears).text == "yes"
    parts = provider.requests[0]["messages"][1]["content"]
    assert [part["type"] for part in parts] == ["text", "input_audio"]
    with pytest.raises(InvalidInput, match="takes no sound"):
        chat(f"anthropic:ears@{provider.url}").complete(hears)


def test_busy_servers_are_asked_again_when_they_say_so(model, provider, pauses):
    provider.script = [(429, {"Retry-After": "7"}), 503, 529, "hang up"]
    assert model.complete(ask()).text == "yes"
    assert pauses[0] == 7.0
    assert [1.5 <= pauses[1] <= 2.5, 3.0 <= pauses[2] <= 5.0, 6.0 <= pauses[3] <= 10.0] == [True] * 3


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b"{}", b'{"choices": [], "content": 5}', b"\xff\xfe"]
)
def test_answers_that_are_none(model, provider, body):
    provider.script = [body] * TRIES
    with pytest.raises(ItemRefused) as refused:
        model.complete(ask())
    assert refused.value.reason == "no_answer"


def test_an_answer_that_is_cut_off_is_none(model, provider):
    provider.cut = True
    provider.answer = lambda body: {"mood": "fi"}
    with pytest.raises(ItemRefused, match="cut_off: the answer ends after 10 tokens"):
        model.complete(ask(schema=SCHEMA))


def test_a_slow_server_is_given_up_on(provider, pauses, chat):
    provider.script = [0.6] * TRIES
    made = chat(f"openai:small@{provider.url}", timeout_s=0.15, pause=pauses.append)
    with pytest.raises(Unreachable, match="does not answer: ReadTimeout"):
        made.complete(ask())
    assert len(pauses) == TRIES - 1


def test_a_request_that_is_refused_is_not_sent_again(model, provider):
    provider.script = [413]
    with pytest.raises(ItemRefused, match="rejected"):
        model.complete(ask())
    assert len(provider.paths) == 1


@pytest.mark.parametrize("step", [401, 403, 404, 429, 500, 413, b"no json", "hang up"])
def test_the_key_is_never_shown(model, provider, provider_key, caplog, step):
    caplog.set_level(logging.DEBUG)
    provider.script = [step] * TRIES
    with pytest.raises((Refused, ItemRefused, Unreachable)) as raised:
        model.complete(ask())
    assert provider_key not in str(raised.value) + repr(model) + model.spec + caplog.text


def test_a_wrong_key_is_refused_at_once(provider, monkeypatch, chat):
    monkeypatch.setenv("OTHER", "sk-wrong")
    with pytest.raises(Refused, match="Incorrect API key"):
        chat(f"openai:small@{provider.url}", key_from="OTHER").complete(ask())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gpt", "openai:MODEL"),
        ("openai:m@ftp://x/v1", "such as http"),
        ("openai:m@http://example.org/v1", "https"),
        ("mistral:m", "openai:MODEL"),
    ],
)
def test_specs(provider, spec, message):
    with pytest.raises(InvalidInput, match=message):
        chat_model(spec)


def test_a_providers_own_endpoint_needs_a_key(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(InvalidInput, match="ANTHROPIC_API_KEY"):
        chat_model("anthropic:m")


def test_messages_and_requests_are_checked():
    with pytest.raises(InvalidInput, match="role"):
        Message("system", "x")
    with pytest.raises(InvalidInput, match="a user's last"):
        Ask("", (Message("user", "a"), Message("assistant", "b")))


def test_what_was_answered_is_not_asked_again(model, provider):
    kept = InMemory()
    first = Asker(model, kept)
    assert first.ask(ask()) == Asker(model, kept).ask(ask())
    assert len(provider.requests) == 1
    for other in (ask("And you?"), ask(temperature=0.5), ask(schema=SCHEMA)):
        assert other.key(model.spec) != ask().key(model.spec)
    assert ask().key("openai:a@x") != ask().key("openai:b@x")


def test_the_meter_counts_and_the_budget_ends_a_run(model, provider):
    """100 tokens at 2 and 10 at 10 a million: 0.0003 an answer; at most 5 + 50 tokens are set aside for one."""
    meter = Meter(Price(2.0, 10.0), budget=0.001)
    asker = Asker(model, meter=meter)
    with pytest.raises(LimitReached, match="a larger one goes on where this ends"):
        for n in range(10):
            asker.ask(ask(f"Question {n}?", max_tokens=50))
    assert meter.spent == Spent(2, 0, 200, 20, pytest.approx(0.0006))
    assert asker.ask(ask("Question 0?", max_tokens=50)).text == "yes"
    assert meter.spent.cached == 1
    assert len(provider.requests) == 2


def test_answers_that_cannot_be_used_are_paid_for_and_count_towards_the_budget(model, provider):
    """Each is cut off after 100 and 10 tokens, 0.0003; 0.00051 are set aside for one: a budget of 0.001 lets two be."""
    provider.cut = True
    meter = Meter(Price(2.0, 10.0), budget=0.001)
    asker, ends = Asker(model, meter=meter), []
    for n in range(50):
        with pytest.raises((ItemRefused, LimitReached)) as refused:
            asker.ask(ask(f"Question {n}?", max_tokens=50))
        ends.append(str(refused.value).partition(":")[0])
    assert ends[:2] == ["cut_off"] * 2 and "cut_off" not in ends[2:]
    assert meter.spent == Spent(2, 0, 200, 20, pytest.approx(0.0006))
    assert len(provider.requests) == 2


def test_tokens_that_a_provider_does_not_count_are_guessed():
    """Forty characters of instructions and text are ten tokens, twelve of the answer three."""
    meter, asked = Meter(Price(1.0, 2.0)), Ask("x" * 20, (Message("user", "y" * 20),))
    meter.reserve(asked)
    meter.settle(asked, Answer("a" * 12))
    assert meter.spent == Spent(1, 0, 10, 3, pytest.approx(16e-6))


def test_a_budget_needs_a_price():
    with pytest.raises(InvalidInput, match="a price with it"):
        Meter(budget=1.0)
    with pytest.raises(InvalidInput, match="0 or more"):
        Price(-1.0)


def test_an_estimate_sends_nothing(provider):
    """Forty characters of instructions and text are ten tokens."""
    asks = [Ask("x" * 20, (Message("user", "y" * 20),))] * 3
    assert estimate(asks, 200, Price(1.0, 2.0)) == Spent(3, 0, 30, 600, pytest.approx(0.00123))
    assert provider.requests == []


def test_the_pacer_keeps_both_limits():
    now, waited = [0.0], []

    def pause(seconds):
        waited.append(seconds)
        now[0] += seconds

    pacer = Pacer(requests=2, clock=lambda: now[0], pause=pause)
    for _ in range(5):
        pacer.wait(10)
    assert waited == [60.0, 60.0]
    pacer = Pacer(tokens=100, clock=lambda: now[0], pause=pause)
    del waited[:]
    for size in (60, 30, 30, 500):
        pacer.wait(size)
    assert waited == [60.0, 60.0]


def test_threads_ask_at_the_same_time(provider, chat):
    provider.script = [0.2] * 4
    made = chat(f"openai:small@{provider.url}")
    asker = Asker(made)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda n: asker.ask(ask(f"Question {n}?")), range(4)))
    assert [a.text for a in answers] == ["yes"] * 4
    assert provider.most_busy >= 2


def test_batches(model, provider, pauses):
    provider.answer = lambda body: (
        {"mood": "fine"} if "0" in json.dumps(body["messages"]) else {"mood": "so so"}
    )
    provider.rounds = 2
    asks = {f"item-{n}": ask(f"Question {n}?", schema=SCHEMA) for n in range(3)}
    kept = InMemory()
    asker = Asker(model, kept, meter=Meter(Price(1.0, 1.0)))
    found = asker.ask_in_batch(asks, every_s=5.0, pause=pauses.append).answers
    assert [json.loads(found[f"item-{n}"].text)["mood"] for n in range(3)] == ["fine", "so so", "so so"]
    assert pauses == [5.0, 5.0]
    before = len(provider.paths)
    assert Asker(model, kept).ask_in_batch(asks).answers == found
    assert len(provider.paths) == before, "nothing is asked again"


def test_a_run_that_ended_takes_up_its_batch(model, provider):
    asks = {"a": ask("One?")}
    kept = InMemory()

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Asker(model, kept).ask_in_batch(asks, pause=stop)
    found = Asker(model, kept).ask_in_batch({**asks, "b": ask("Two?")}, pause=lambda _: None)
    assert {name: answer.text for name, answer in found.answers.items()} == {"a": "yes", "b": "yes"}
    assert len(provider.batches) == 2, "the one that was handed in, and what it does not hold"


def test_a_batch_holds_what_the_budget_allows_and_what_is_left_goes_into_the_next(model, provider):
    """0.00051 are set aside for a question and 0.0003 used: of 0.0018, three fit, 0.0009 are left, then one and one."""
    meter, kept = Meter(Price(2.0, 10.0), budget=0.0018), InMemory()
    asks = {f"item-{n}": ask(f"Question {n}?", max_tokens=50) for n in range(10)}
    found = Asker(model, kept, meter=meter).ask_in_batch(asks, pause=lambda _: None)
    assert list(found.answers) == [f"item-{n}" for n in range(5)]
    assert "0.0015" in str(found.limit) and len(provider.batches) == 3
    assert meter.spent == Spent(5, 0, 500, 50, pytest.approx(0.0015))
    more = Asker(model, kept).ask_in_batch(asks, pause=lambda _: None)
    assert len(more.answers) == 10 and more.limit is None


def test_what_a_batch_cut_off_is_paid_for_and_asked_again(model, provider):
    provider.cut = True
    meter, kept = Meter(Price(2.0, 10.0)), InMemory()
    asker = Asker(model, kept, meter=meter)
    refused = asker.ask_in_batch({"a": ask("One?")}, pause=lambda _: None).answers["a"]
    assert refused.reason == "cut_off"
    assert meter.spent == Spent(1, 0, 100, 10, pytest.approx(0.0003))
    provider.cut = False
    assert asker.ask_in_batch({"a": ask("One?")}, pause=lambda _: None).answers["a"].text == "yes"


def test_what_a_batch_could_not_answer_is_told(provider, chat):
    provider.formats = set()
    made = chat(f"openai:small@{provider.url}")
    found = Asker(made).ask_in_batch({"a": ask(schema=SCHEMA)}, pause=lambda _: None)
    assert isinstance(found.answers["a"], ItemRefused)
    assert "not supported" in found.answers["a"].detail
