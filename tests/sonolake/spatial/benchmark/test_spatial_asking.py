"""A model that is asked both stages, what it is told and what it hears."""

import io
import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import soundfile

from sonolake.audio.encode import quantise, wav_bytes
from sonolake.audio.foa import encode
from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.models.chat import Answer, Asker
from sonolake.spatial.benchmark import read_predictions, score
from sonolake.spatial.benchmark.asking import System, ask_system
from sonolake.spatial.benchmark.audio import heard, hearing


class Listener:
    """A model that knows every answer: it finds the record by the question's words, and keeps what it was asked."""

    spec = "openai:listener@nowhere"

    def __init__(self, records, silent=()):
        self.right = {q.question: q.answer for r in records for q in (r.stage_1, r.stage_2)}
        self.asked, self.silent = [], set(silent)

    def complete(self, ask):
        self.asked.append(ask)
        last = ask.messages[-1].text
        question = next(q for q in self.right if q in last)
        if question in self.silent:
            raise ItemRefused("no_answer", "the answer is empty")
        return Answer(f"I hear it.\nFinal answer: ({self.right[question]})")

    def close(self):
        pass


def system(model, contexts=("predicted",), hear=lambda record: b"sound"):
    return System("listener w", Asker(model), hear, contexts)


@pytest.fixture(scope="module")
def some(records):
    return records[:12]


def test_both_stages_in_every_context(some, tmp_path):
    model, answers = Listener(some), tmp_path / "answers.jsonl"
    asked = ask_system(some, system(model, ("no", "predicted", "oracle")), answers)
    assert (asked.taken, asked.done, asked.already, dict(asked.failures)) == (48, 48, 0, {})
    card = score("listener", some, read_predictions(answers, some), 0)
    assert card.overall.grounded.value == 1.0
    assert {name: one.grounded.value for name, one in card.contexts.items()} == {
        "no": 1.0,
        "predicted": 1.0,
        "oracle": 1.0,
    }
    first = [ask for ask in model.asked if some[0].stage_2.question in ask.messages[-1].text]
    no, predicted, oracle = first
    assert [m.role for m in no.messages] == ["user"]
    assert [m.role for m in predicted.messages] == ["user", "assistant", "user"]
    assert [m.wav for m in predicted.messages] == [b"sound", None, None]
    right = some[0].stage_1.answer
    # its own words, white space collapsed; the right answer with its text
    assert predicted.messages[1].text == f"I hear it. Final answer: ({right})"
    assert oracle.messages[1].text == f"Final answer: ({right}) {some[0].stage_1.options[right]}"
    assert "(D) D of r0/2" in predicted.messages[2].text


def test_what_is_answered_is_not_asked_again(some, tmp_path):
    answers = tmp_path / "answers.jsonl"
    ask_system(some[:5], system(Listener(some)), answers)
    with answers.open("a") as lines:
        lines.write('{"question_id": "r5/1", "answ')
    model = Listener(some)
    asked = ask_system(some, system(model, ("predicted", "oracle")), answers)
    assert (asked.taken, asked.done, asked.already) == (36, 26, 10)
    assert len(model.asked) == 26
    assert read_predictions(answers, some).troubles == ()


def test_without_stage_1_there_is_no_predicted_context(some, tmp_path):
    model = Listener(some, silent=[some[3].stage_1.question])
    asked = ask_system(some, system(model, ("predicted", "oracle")), tmp_path / "a.jsonl")
    assert set(asked.failures) == {("r3/1", ""), ("r3/2", "predicted")}
    assert asked.taken == asked.done + asked.already + len(asked.failures)


def test_a_recording_that_is_not_there_fails_its_record_alone(some, tmp_path):
    def hear(record):
        if record.record_id == "r2":
            raise ItemRefused("missing", "no recording")
        return b"sound"

    asked = ask_system(some, system(Listener(some), hear=hear), tmp_path / "a.jsonl")
    assert set(asked.failures) == {("r2/1", ""), ("r2/2", "predicted")}


def test_the_answers_of_two_systems_are_not_mixed(some, tmp_path):
    answers = tmp_path / "a.jsonl"
    ask_system(some[:1], system(Listener(some)), answers)
    with pytest.raises(InvalidInput, match="answers of 'other'"):
        ask_system(some, replace(system(Listener(some)), name="other"), answers)
    answers.write_text('{"question_id": "r0/2", "answer": "A"}\n')
    with pytest.raises(InvalidInput, match="line 1"):
        ask_system(some, system(Listener(some)), answers)


def test_without_sound_the_model_is_told_so(some, tmp_path):
    model = Listener(some)
    ask_system(some[:1], system(model, hear=hearing(tmp_path, "nothing")), tmp_path / "a.jsonl")
    assert all(m.wav is None for ask in model.asked for m in ask.messages)
    assert "cannot hear" in model.asked[0].messages[0].text
    assert "Listen" not in model.asked[0].messages[0].text


@pytest.fixture(scope="module")
def left():
    """A tone from the left as a file: AmbiX, 24 kHz."""
    return wav_bytes(quantise(encode(0.5 * np.sin(np.arange(24000) * 0.05), 90, 0)), 24000)


def test_forms_of_a_recording(left):
    w, rate = soundfile.read(io.BytesIO(heard(left, "w")), always_2d=True)
    assert (w.shape, rate) == ((16000, 1), 16000)
    two, rate = soundfile.read(io.BytesIO(heard(left, "stereo")), always_2d=True)
    assert (two.shape, rate) == ((24000, 2), 24000)
    # a cardioid hears what it faces whole and nothing from behind
    assert np.abs(two[:, 0]).max() == pytest.approx(0.5, abs=1e-3)
    assert np.abs(two[:, 1]).max() < 1e-3
    assert heard(left, "four") == left


def test_two_channels_are_not_ambisonics():
    with pytest.raises(ItemRefused, match="2 channels"):
        heard(wav_bytes(np.ones((2400, 2), dtype=np.int16) * 1000, 24000), "w")


def test_recordings_in_a_folder(some, left, tmp_path):
    (tmp_path / "clip0.wav").write_bytes(left)
    hear = hearing(tmp_path, "four", audio=tmp_path)
    assert hear(some[0]) == left
    with pytest.raises(ItemRefused, match="no recording of clip1"):
        hear(some[1])
    with pytest.raises(NotFound, match="no folder"):
        hearing(tmp_path, "w", audio=tmp_path / "none")
    with pytest.raises(ItemRefused, match=r"clip0_audio/clip0\.wav"):
        hearing(tmp_path / "none", "w")(some[0])
    with pytest.raises(InvalidInput, match="one of w, stereo, four"):
        hearing(tmp_path, "mono")


def test_recordings_of_a_release(some, left, tmp_path):
    place = tmp_path / "data" / "rms-aqa"
    place.mkdir(parents=True)
    rows = [
        {"item_id": "clip0", "audio": {"bytes": left, "path": "clip0.wav"}},
        {"item_id": "clip1", "audio": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows), place / "test-00000-of-00001.parquet")
    hear = hearing(tmp_path, "four")
    assert hear(some[0]) == left
    for absent in some[1:3]:
        with pytest.raises(ItemRefused, match=f"no audio of {absent.clip_id}"):
            hear(absent)
    with pytest.raises(NotFound, match="no split train"):
        hearing(tmp_path, "w", "train")


def test_every_answer_says_whose_it_is(some, tmp_path):
    answers = tmp_path / "a.jsonl"
    ask_system(some[:1], system(Listener(some)), answers)
    rows = [json.loads(line) for line in answers.read_text().splitlines()]
    assert [(row["question_id"], row.get("context")) for row in rows] == [
        ("r0/1", None),
        ("r0/2", "predicted"),
    ]
    assert {row["system"] for row in rows} == {"listener w"}
