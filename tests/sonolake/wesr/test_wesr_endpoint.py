"""Asking an endpoint that hears: retries, limits, answers that are none, and a key that nobody sees."""

import logging

import numpy as np
import pytest

from sonolake.audio.encode import wav_bytes
from sonolake.errors import InvalidInput, ItemRefused, Refused, Unreachable
from sonolake.transport import TRIES
from sonolake.wesr.endpoint import Endpoint
from sonolake.wesr.prompt import prompt
from sonolake.wesr.taxonomy import TAGS

WAV = wav_bytes(np.zeros(1600, dtype=np.int16), 16_000)


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def endpoint(chat_server, chat_key, pauses):
    with Endpoint(chat_server.url, "hears-7b", chat_key, timeout_s=5.0, pause=pauses.append) as made:
        yield made


def test_the_instruction_names_every_tag():
    assert [tag.text for tag in TAGS if tag.text not in prompt()] == []


def test_an_answer(chat_server, endpoint, pauses):
    assert endpoint.transcribe(WAV, prompt()) == "one [laughs] two"
    asked = chat_server.requests[0]
    assert (asked["model"], asked["temperature"]) == ("hears-7b", 0)
    assert asked["messages"][0]["content"][0]["text"] == prompt()
    assert pauses == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("```\none [laughs]\n```", "one [laughs]"),
        ("```text\n你好[cough]\n```", "你好[cough]"),
        ('"Oh!"\n', "Oh!"),
        ('"Oh!" he said "no"', '"Oh!" he said "no"'),
        ([{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}], "in parts"),
    ],
)
def test_what_models_put_around_an_answer(chat_server, endpoint, said, text):
    chat_server.text = said
    assert endpoint.transcribe(WAV, "x") == text


def test_busy_servers_are_asked_again_when_they_say_so(chat_server, endpoint, pauses):
    chat_server.script = [(429, {"Retry-After": "7"}), 503, (429, {"Retry-After": "Mon, 01 Jan"}), "hang up"]
    assert endpoint.transcribe(WAV, "x") == "one [laughs] two"
    assert pauses[0] == 7.0
    assert [1.5 <= pauses[1] <= 2.5, 3.0 <= pauses[2] <= 5.0, 6.0 <= pauses[3] <= 10.0] == [True] * 3


def test_a_server_cannot_make_us_wait_for_ever(chat_server, endpoint, pauses):
    chat_server.script = [(429, {"Retry-After": "86400"})]
    endpoint.transcribe(WAV, "x")
    assert pauses == [60.0]


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b'{"choices": []}', b'{"choices": [{"message": {"content": "  "}}]}', b"\xff\xfe",
             b'{"choices": [{"message": {"content": null, "refusal": "no"}}]}']
)  # fmt: skip
def test_answers_that_are_none(chat_server, endpoint, body):
    chat_server.script = [body] * TRIES
    with pytest.raises(ItemRefused) as refused:
        endpoint.transcribe(WAV, "x")
    assert refused.value.reason == "no_answer"
    chat_server.script = [body]
    assert endpoint.transcribe(WAV, "x") == "one [laughs] two"


def test_a_recording_that_is_refused_is_not_sent_again(chat_server, endpoint):
    chat_server.script = [413]
    with pytest.raises(ItemRefused, match="rejected"):
        endpoint.transcribe(WAV, "x")
    assert len(chat_server.requests) == 1


def test_a_server_that_stays_down(chat_server, endpoint, pauses):
    chat_server.script = [500] * TRIES
    with pytest.raises(Unreachable, match="500"):
        endpoint.transcribe(WAV, "x")
    assert len(pauses) == TRIES - 1


@pytest.mark.parametrize("step", [401, 403, 404, 429, 500, 413, b"no json", "hang up"])
def test_the_key_is_never_shown(chat_server, endpoint, chat_key, caplog, step):
    caplog.set_level(logging.DEBUG)
    chat_server.script = [step] * TRIES
    with pytest.raises((Refused, ItemRefused, Unreachable)) as raised:
        endpoint.transcribe(WAV, "x")
    assert chat_key not in str(raised.value) + repr(endpoint) + caplog.text


def test_a_wrong_key_is_refused_at_once(chat_server):
    with (
        Endpoint(chat_server.url, "m", "sk-wrong") as made,
        pytest.raises(Refused, match="Incorrect API key"),
    ):
        made.transcribe(WAV, "x")
    assert len(chat_server.requests) == 1


@pytest.mark.parametrize(
    ("url", "message"),
    [("ftp://x/v1", "such as http"), ("localhost:8000", "such as http"), ("http://example.org/v1", "https")],
)
def test_addresses(url, message):
    with pytest.raises(InvalidInput, match=message):
        Endpoint(url, "m", "sk-1")
