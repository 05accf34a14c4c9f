"""``sonolake score cares`` on files."""

import json
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sonolake.audio.encode import wav_bytes
from sonolake.cares.banks import default_banks
from sonolake.cares.benchmark import HeardSound, SceneFacts, build_items, files_of
from sonolake.cares.benchmark.predictions import keys_of


@pytest.fixture(scope="module")
def items():
    banks = default_banks()
    sounds = [("general/zip", "ambient"), ("rural/cow_moo", "verbal"), ("rare_events/thunder", "pivot")]
    heard = [HeardSound(e, banks.sounds[e].name, r, 10.0 * n) for n, (e, r) in enumerate(sounds)]
    return build_items([SceneFacts(f"scene-{n}", "rural", tuple(heard[: n % 4])) for n in range(12)], banks)


@pytest.fixture
def benchmark(items, tmp_path):
    folder = tmp_path / "benchmark"
    folder.mkdir()
    for name, data in files_of(items).items():
        (folder / name).write_bytes(data)
    return folder


def write(path, items, answer):
    rows = []
    for item in items:
        for item_id, budget in keys_of(item):
            text = answer(item)
            rows.append(
                {"item_id": item_id, "summary": text, "budget": budget}
                if budget
                else {"item_id": item_id, "answer": text}
            )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def oracle(item):
    return item.answer or " ".join(f"There is {s.name}." for s in item.sounds)


def test_a_person_reads_percent(cli, benchmark, items, tmp_path):
    path = write(tmp_path / "best.jsonl", items, oracle)
    said = cli("score", "cares", "--benchmark", benchmark, "-p", path, "--resamples", 50)
    assert said.exit_code == 0
    assert said.stdout.startswith("best\n")
    assert "100.0 [100.0, 100.0]" in said.stdout
    assert "literal matcher (names only)" in said.stdout
    assert "McNemar p 1" in said.stdout


def test_a_program_reads_fractions(ask, benchmark, items, tmp_path):
    path = write(tmp_path / "best.jsonl", items, oracle)
    data = ask("score", "cares", "--benchmark", benchmark, "-p", path, "--resamples", 0)
    assert data["scene"]["overall"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert data["summary"]["200"]["per_class"]["pivot"]["value"] == 1.0


def test_several_make_a_table(cli, benchmark, items, tmp_path):
    best = write(tmp_path / "best.jsonl", items, oracle)
    text = write(tmp_path / "t.jsonl", items, lambda item: "ambient")
    for style, mark in (("markdown", "↑"), ("latex", r"\textcolor{blue}")):
        said = cli(
            "score", "cares", "--benchmark", benchmark, "-p", best, "-p", f"text={text}", "--control", "text",
            "--table", style, "--resamples", 50,
        )  # fmt: skip
        assert said.exit_code == 0, said.stderr
        assert mark in said.stdout
        assert "best" in said.stdout


def test_lines_that_are_not_taken_are_told_and_the_status_says_so(cli, benchmark, items, tmp_path):
    path = write(tmp_path / "best.jsonl", items, oracle)
    with path.open("a") as lines:
        lines.write('{"item_id": "nobody", "answer": "x"}\n')
    said = cli("score", "cares", "--benchmark", benchmark, "-p", path, "--resamples", 0)
    assert said.exit_code == 1
    assert "no item nobody" in said.stderr
    assert "100.0" in said.stdout


def test_mistakes_are_said(cli, benchmark, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text("")
    assert cli("score", "cares", "--benchmark", tmp_path / "none", "-p", path).exit_code != 0
    said = cli("score", "cares", "--benchmark", benchmark, "-p", path, "--control", "other")
    assert said.exit_code == 2
    assert "one of p" in said.stderr
    said = cli("score", "cares", "--benchmark", benchmark, "-p", path, "-p", path)
    assert "write NAME=PATH" in said.stderr


def test_the_text_only_control_is_a_recogniser_and_a_chat_model(
    cli, items, tmp_path, provider, provider_key, monkeypatch
):
    place = tmp_path / "release"
    (place / "benchmark" / "cares").mkdir(parents=True)
    (place / "data" / "cares").mkdir(parents=True)
    for name, data in files_of(items).items():
        (place / "benchmark" / "cares" / name).write_bytes(data)
    scenes = sorted({item.scene_id for item in items})
    rows = [
        {"item_id": scene, "audio": {"bytes": wav_bytes(np.full(160 * (n + 1), 99, np.int16), 16_000)}}
        for n, scene in enumerate(scenes)
    ]
    pq.write_table(pa.Table.from_pylist(rows), place / "data" / "cares" / "test.parquet")

    class Recogniser:
        def transcribe(self, x, rate, language):
            return SimpleNamespace(text=f"{len(x)} samples at {rate} in {language}")

    monkeypatch.setattr("sonolake.models.endpoints.specs.recogniser", lambda spec: Recogniser())
    provider.answer = lambda body: "ambient"
    heard, answers = tmp_path / "heard.jsonl", tmp_path / "words.jsonl"
    heard.write_text(json.dumps({"scene_id": scenes[0], "text": "as a person wrote it"}) + "\n")
    asked = ("--ask", f"openai:reader@{provider.url}", "--transcripts", heard, "--recogniser", "whisper:base")
    named = ("--benchmark", place, "-p", answers, "--resamples", 0)
    assert cli("score", "cares", *named, *asked).exit_code == 0
    texts = {row["scene_id"]: row["text"] for row in map(json.loads, heard.read_text().splitlines())}
    assert texts[scenes[0]] == "as a person wrote it"
    assert texts[scenes[1]] == "320 samples at 16000 in en"
    assert len(texts) == len(scenes)
    said = json.dumps(provider.requests)
    assert "as a person wrote it" in said and "320 samples" in said and "input_audio" not in said
    wrong = cli("score", "cares", *named, "--recogniser", "whisper:base")
    assert (wrong.exit_code, "goes with --ask" in wrong.stderr) == (2, True)
