"""Asking systems: a function, a model that hears, and one that reads transcripts only."""

import base64
import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import soundfile

from sonolake.cares.benchmark import build_items, files_of, read_predictions
from sonolake.cares.benchmark.asking import ask_system, hearing, reading
from sonolake.cares.benchmark.audio import audio_of, has_muted
from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.models.chat import Asker


@pytest.fixture
def few(facts, banks):
    """The items of two scenes with sounds."""
    chosen = [scene for scene in facts if len(scene.sounds) == 2][:2]
    return build_items(chosen, banks)


def flac(frames):
    made = io.BytesIO()
    soundfile.write(made, np.full(frames, 0.1), 44_100, format="FLAC", subtype="PCM_16")
    return made.getvalue()


@pytest.fixture
def release(tmp_path, few):
    """A release with those scenes, of one second and of two."""
    scenes = sorted({item.scene_id for item in few})
    rows = [
        {"item_id": s, "audio": {"bytes": flac(44_100 * (n + 1)), "path": f"{s}.flac"}}
        for n, s in enumerate(scenes)
    ]
    folder = tmp_path / "release"
    (folder / "data" / "cares").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "data" / "cares" / "test-00000-of-00001.parquet")
    (folder / "benchmark" / "cares").mkdir(parents=True)
    for name, data in files_of(few).items():
        (folder / "benchmark" / "cares" / name).write_bytes(data)
    return folder


def test_a_function_is_asked_once_a_question(few, tmp_path):
    asked = []

    def system(item, text):
        asked.append(text)
        return "pivot"

    path = tmp_path / "answers.jsonl"
    done = ask_system(few, system, path, "mine", workers=2)
    summaries = sum(item.task == "summary" for item in few)
    assert (done.taken, done.done, done.already, done.failures) == (
        len(few) + 2 * summaries,
        done.taken,
        0,
        {},
    )
    assert sum("in at most 25 words" in text for text in asked) == summaries
    again = ask_system(few, system, path, "mine")
    assert (again.done, again.already) == (0, done.taken)
    assert len(asked) == done.taken
    read = read_predictions(path, few)
    assert (len(read.answers), read.troubles) == (done.taken, ())


def test_what_was_cut_off_is_asked_again(few, tmp_path):
    path = tmp_path / "answers.jsonl"
    whole = ask_system(few, lambda item, text: "pivot", path)
    path.write_bytes(path.read_bytes()[:-9])
    again = ask_system(few, lambda item, text: "pivot", path)
    assert (again.done, again.already) == (1, whole.taken - 1)


def test_a_refused_item_is_no_end(few, tmp_path):
    def system(item, text):
        if item.task == "scene":
            raise ItemRefused("missing", "no recording")
        return "pivot"

    path = tmp_path / "answers.jsonl"
    done = ask_system(few, system, path)
    assert set(done.failures.values()) == {"missing: no recording"}
    assert done.taken == done.done + len(done.failures)


def test_answers_of_another_system_are_not_mixed(few, tmp_path):
    path = tmp_path / "answers.jsonl"
    ask_system(few, lambda item, text: "pivot", path, "one")
    with pytest.raises(InvalidInput, match=r"answers\.jsonl line 1: expected answers of 'two'"):
        ask_system(few, lambda item, text: "pivot", path, "two")


def test_a_model_hears_the_scene_and_is_asked_our_question(few, release, provider, chat, tmp_path):
    heard = {}

    def answer(body):
        text, sound = body["messages"][1]["content"]
        x, rate = soundfile.read(io.BytesIO(base64.b64decode(sound["input_audio"]["data"])))
        heard[text["text"]] = (x.ndim, rate, len(x))
        return "ambient"

    provider.answer = answer
    asker = Asker(chat(f"openai:ears@{provider.url}"))
    asked = [item for item in few if item.task != "muted"]
    done = ask_system(asked, hearing(asker, audio_of(release)), tmp_path / "a.jsonl", "ears")
    assert done.failures == {}
    assert set(heard.values()) <= {(1, 16_000, 16_000), (1, 16_000, 32_000)}
    assert len(heard) > 8


def test_muted_audio_is_by_item(few, release, provider, chat, tmp_path):
    muted = [item for item in few if item.task == "muted"]
    assert not has_muted(release)
    (release / "data" / "cares-muted").mkdir()
    rows = [{"item_id": muted[0].item_id, "audio": {"bytes": flac(4410), "path": "a.flac"}}]
    pq.write_table(pa.Table.from_pylist(rows), release / "data" / "cares-muted" / "test-00000.parquet")
    assert has_muted(release)
    asker = Asker(chat(f"openai:ears@{provider.url}"))
    done = ask_system(muted, hearing(asker, audio_of(release)), tmp_path / "a.jsonl", "ears")
    assert (done.done, len(done.failures)) == (1, len(muted) - 1)
    assert "no audio of muted-" in next(iter(done.failures.values()))


def test_the_text_only_control_reads_and_hears_nothing(few, provider, chat, tmp_path):
    asker = Asker(chat(f"anthropic:reader@{provider.url}"))
    asked = [item for item in few if item.task == "reactions"]
    done = ask_system(
        asked, reading(asker, lambda item: f"words of {item.scene_id}"), tmp_path / "a.jsonl", "reader"
    )
    assert done.failures == {}
    text = provider.requests[0]["messages"][0]["content"]
    assert "You cannot hear the recording." in text
    assert "words of scene-" in text
    assert "How do the speakers react to it?" in text


def test_a_release_without_scenes(tmp_path):
    with pytest.raises(NotFound, match="pull the config cares"):
        audio_of(tmp_path)


def test_the_command_asks_and_scores(few, release, provider, tmp_path):
    from typer.testing import CliRunner

    from sonolake.cli.app import app

    right = {item.item_id: item for item in few}
    provider.answer = lambda body: "ambient"
    path = tmp_path / "ears.jsonl"
    spec = f"openai:ears@{provider.url}"
    said = CliRunner().invoke(
        app,
        [
            "score",
            "cares",
            "--benchmark",
            str(release),
            "-p",
            str(path),
            "--ask",
            spec,
            "--resamples",
            "50",
            "--json",
        ],
    )
    assert said.exit_code == 0, said.output
    data = json.loads(said.stdout)
    assert data["reactions"]["overall"]["value"] == pytest.approx(
        1 / len({i.answer for i in right.values() if i.task == "reactions"})
        if any(i.answer == "ambient" for i in right.values() if i.task == "reactions")
        else 0.0
    )
    assert data["reactions"]["missing"] == 0
    assert data["muted"] is None
