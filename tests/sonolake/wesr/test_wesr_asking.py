"""Transcripts asked for, one recording after the other, and a run that goes on where it was."""

import json

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes, wav_bytes
from sonolake.errors import InvalidInput, Refused
from sonolake.scoring import Asked
from sonolake.wesr.asking import ask
from sonolake.wesr.endpoint import Endpoint


@pytest.fixture
def audio(tmp_path):
    folder = tmp_path / "audio"
    (folder / "deep").mkdir(parents=True)
    tone = (8000 * np.sin(np.arange(4410) / 10)).astype(np.int16)
    for number, name in enumerate(("a.wav", "deep/b.wav", "c.wav")):
        (folder / name).write_bytes(wav_bytes(np.repeat(tone, number + 1), 44_100))
    (folder / "d.flac").write_bytes(flac_bytes(np.column_stack([tone, tone]), 44_100))
    (folder / "bad.wav").write_text("no sound")
    return folder


@pytest.fixture
def endpoint(chat_server, chat_key):
    chat_server.text = lambda info: f"{round(info.duration * 10)} tenths [laughs]"
    with Endpoint(chat_server.url, "hears-7b", chat_key, pause=lambda _: None) as made:
        yield made


def rows(path):
    return {row["audio"]["path"]: row["sentence"] for row in map(json.loads, path.read_text().splitlines())}


def test_every_recording_once(tmp_path, audio, endpoint, chat_server):
    answers = tmp_path / "answers.jsonl"
    names = ["a.wav", "b.wav", "bad.wav", "d.flac", "nowhere.wav"]
    asked = ask(names, audio, endpoint, answers, workers=2)
    assert (asked.taken, asked.done, asked.already) == (5, 3, 0)
    reasons = {name: why.partition(":")[0] for name, why in asked.failures.items()}
    assert reasons == {"bad.wav": "not_audio", "nowhere.wav": "missing"}
    assert rows(answers) == {
        "a.wav": "1 tenths [laughs]",
        "b.wav": "2 tenths [laughs]",
        "d.flac": "1 tenths [laughs]",
    }
    again = ask([*names, "c.wav"], audio, endpoint, answers)
    assert (again.taken, again.done, again.already, len(again.failures)) == (6, 1, 3, 2)
    assert len(chat_server.requests) == 4
    assert rows(answers)["c.wav"] == "3 tenths [laughs]"


def test_a_run_that_was_killed_goes_on(tmp_path, audio, endpoint):
    answers = tmp_path / "answers.jsonl"
    ask(["a.wav"], audio, endpoint, answers)
    with answers.open("a") as half:
        half.write('{"audio": {"path": "b.wav"}, "sent')
    assert ask(["a.wav", "b.wav"], audio, endpoint, answers) == Asked(2, 1, 1, {})
    assert set(rows(answers)) == {"a.wav", "b.wav"}


def test_answers_of_another_model_are_not_mixed(tmp_path, audio, endpoint, chat_server, chat_key):
    answers = tmp_path / "answers.jsonl"
    ask(["a.wav"], audio, endpoint, answers)
    with (
        Endpoint(chat_server.url, "other", chat_key) as other,
        pytest.raises(InvalidInput, match="answers of 'other'"),
    ):
        ask(["a.wav"], audio, other, answers)
    answers.write_text('{"id": "a.wav", "sentence": "x"}\n')
    with pytest.raises(InvalidInput, match=r"answers\.jsonl line 1"):
        ask(["a.wav"], audio, endpoint, answers)


def test_an_endpoint_that_refuses_everything_ends_the_run(tmp_path, audio, chat_server):
    with Endpoint(chat_server.url, "m", "sk-wrong") as made, pytest.raises(Refused):
        ask(["a.wav", "b.wav"], audio, made, tmp_path / "answers.jsonl")
