"""``sonolake score rms-aqa``."""

import base64
import io
import json
import re
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import numpy as np
import pytest
import soundfile

from sonolake.audio.encode import quantise, wav_bytes
from sonolake.audio.foa import encode

NAMES = [
    "Sound Counting",
    "Spatial location",
    "Temporal detection",
    "Spatial relation",
    "Temporal relations",
    "AP",
]


@pytest.fixture
def folder(tmp_path):
    """Six records, a dimension each, in the published layout; B and then C is right everywhere."""
    place = tmp_path / "dev_QA"
    place.mkdir()
    options = {letter: f"option {letter}" for letter in "ABCD"}
    known = {}
    for i, name in enumerate(NAMES):
        pairs = [
            {"stage": 1, "question": f"Which sounds, {i}?", "options": options, "answer": "B"},
            {"stage": 2, "question": f"And {i}?", "options": options, "answer": "C", "category_name": name},
        ]
        row = {"segment_id": f"dev-{i}.json", "qa_pairs": pairs}
        (place / f"dev-{i}.json").write_text(json.dumps({"records": [row]}))
        known[f"dev-{i}"] = {"origin": "recorded", "concurrent": 1 + i % 2, "farthest_m": 1.0 + i}
    (place / "metadata.json").write_text(json.dumps({"segments": known}))
    return place


@pytest.fixture
def lines(tmp_path):
    """Stage 1 right everywhere, stage 2 in three of six, one of which is missing."""
    rows = [{"question_id": f"dev-{i}/2", "stage1": "(B)", "answer": "C" if i < 3 else "A"} for i in range(5)]
    rows.append({"question_id": "dev-5/1", "answer": "B"})
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_json_is_as_agreed(cli, folder, lines):
    result = cli("score", "rms-aqa", "--benchmark", folder, "-p", lines, "--json")
    assert result.exit_code == 0, result.stderr
    made = json.loads(result.stdout)
    assert (made["n"], made["missing"], made["unreadable"], made["context"]) == (6, 1, 0, "predicted")
    assert made["overall"]["stage_1"]["value"] == 1.0
    assert made["overall"]["grounded"]["value"] == 0.5
    assert made["overall"]["grounded"]["low"] <= 0.5 <= made["overall"]["grounded"]["high"]
    assert made["per_dimension"]["SL"]["grounded"]["value"] == 1.0
    assert made["per_dimension"]["AP"]["stage_2"]["value"] == 0.0
    assert made["per_distance"]["near"]["n"] == 3


def test_a_person_reads_a_scorecard(cli, folder, lines):
    shown = cli("score", "rms-aqa", "--benchmark", folder, "-p", f"Mine={lines}", "--resamples", 0).stdout
    assert "Mine: 6 records, predicted context; 1 answers missing, 0 unreadable" in shown
    assert re.search(r"all +6 +100\.0 \[100\.0, 100\.0\] +50\.0 \[50\.0, 50\.0\]", shown)
    assert re.search(r"Spatial Relations +1 +100\.0", shown)
    assert "sources at once: 2" in shown


def test_tables_and_figures(cli, folder, lines, tmp_path):
    drawn = tmp_path / "figures"
    named = ("-p", f"one={lines}", "-p", f"two={lines}", "--table", "markdown", "--figures", drawn)
    result = cli("score", "rms-aqa", "--benchmark", folder, *named)
    assert "| one | predicted | **100.00** |" in result.stdout
    assert sorted(p.name for p in drawn.iterdir()) == [
        "concurrency.svg",
        "dimension.svg",
        "distance.svg",
        "origin.svg",
    ]


def test_what_is_not_taken_is_said(cli, folder, lines):
    with lines.open("a") as more:
        more.write('{"question_id": "dev-9/2", "answer": "A"}\n')
    result = cli("score", "rms-aqa", "--benchmark", folder, "-p", lines)
    assert result.exit_code == 1
    assert "line 7: not taken: no question dev-9/2" in result.stderr
    assert "50.0" in result.stdout


@pytest.fixture
def endpoint():
    """An endpoint that hears: it answers stage 1 with B and stage 2 with C, and keeps what it was sent."""
    sent = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            sent.append(body)
            stage_1 = "Which sounds" in str(body["messages"][-1]["content"])
            answer = f"Final answer: ({'B' if stage_1 else 'C'})"
            reply = json.dumps({"choices": [{"message": {"content": answer}}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", sent
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_model_is_asked_both_stages(cli, folder, endpoint, tmp_path):
    url, sent = endpoint
    clips = tmp_path / "clips"
    clips.mkdir()
    tone = encode(0.25 * np.sin(np.arange(4800) * 0.1), 90, 0)
    for i in range(6):
        (clips / f"dev-{i}.wav").write_bytes(wav_bytes(quantise(tone), 24000))
    answers = tmp_path / "answers.jsonl"
    named = (
        "score",
        "rms-aqa",
        "--benchmark",
        folder,
        "-p",
        answers,
        "--ask",
        f"openai:listener@{url}",
        "--json",
    )
    heard = ("--hear", "four", "--audio", clips, "--context", "no", "--context", "predicted")
    result = cli(*named, *heard)
    assert result.exit_code == 0, result.stderr
    made = json.loads(result.stdout)
    assert made["overall"]["grounded"]["value"] == 1.0
    assert set(made["contexts"]) == {"no", "predicted"}
    assert len(sent) == 18
    sound = sent[0]["messages"][-1]["content"][1]["input_audio"]
    samples, rate = soundfile.read(io.BytesIO(base64.b64decode(sound["data"])))
    assert (samples.shape, rate, sound["format"]) == ((4800, 4), 24000, "wav")
    assert (sent[0]["temperature"], sent[0]["max_tokens"]) == (0.0, 300)
    again = cli(*named, *heard)
    assert "0 answered, 18 there before" in again.stderr
    assert len(sent) == 18


def test_a_model_fills_one_file(cli, folder, lines):
    two = ("-p", f"a={lines}", "-p", f"b={lines}")
    result = cli("score", "rms-aqa", "--benchmark", folder, *two, "--ask", "openai:x@http://localhost:1")
    assert result.exit_code == 2
    assert "one file of predictions" in result.stderr


def test_what_questions_give_away(cli, folder, lines):
    for i in range(6):
        copied = (folder / f"dev-{i}.json").read_text().replace(f"dev-{i}", f"dev-{i + 6}")
        (folder / f"dev-{i + 6}.json").write_text(copied)
    result = cli("score", "rms-aqa", "--benchmark", folder, "--blindness", "--text-only", lines)
    assert "| always B | 100.0 !" in result.stdout
    assert "(not judged)" in result.stdout
    # B is right in stage 1 of all twelve: 1 in 4 ** 12 by guessing; in stage 2 each dimension has two questions
    assert re.search(r"\d beat chance: 54 tests, 1 % for all of them together", result.stdout)
    assert result.exit_code == 1
    rows = json.loads(cli("score", "rms-aqa", "--benchmark", folder, "--blindness", "--json").stdout)
    (always,) = [row for row in rows if (row["predictor"], row["dimension"]) == ("always B", "S1")]
    assert (always["right"], always["n"], always["beats"]) == (12, 12, True)
    assert always["p"] == pytest.approx(4.0**-12)


def test_questions_and_clips_in_the_published_layout(cli, folder, tmp_path):
    clips, out = tmp_path / "clips", tmp_path / "out"
    clips.mkdir()
    tone = encode(0.25 * np.sin(np.arange(4800) * 0.1), 90, 0)
    for i in range(5):
        (clips / f"dev-{i}.wav").write_bytes(wav_bytes(quantise(tone), 24000))
    result = cli("score", "rms-aqa", "--benchmark", folder, "--export", out, "--audio", clips)
    assert result.exit_code == 1
    assert "dev-5: not written" in result.stderr
    assert len(list((out / "audio").glob("*.wav"))) == 5
    row = json.loads((out / "dev-1.json").read_text())["records"][0]
    assert (row["segment_id"], row["audio_path"]) == ("dev-1.json", "audio/dev-1.wav")
    assert row["qa_pairs"][1]["category_name"] == "Source Localization"
    perfect = {"question_id": "dev-1/2", "stage1": "B", "answer": "C"}
    (tmp_path / "p.jsonl").write_text(json.dumps(perfect))
    made = json.loads(
        cli("score", "rms-aqa", "--benchmark", out, "-p", tmp_path / "p.jsonl", "--json").stdout
    )
    assert made["per_distance"]["near"]["n"] == 3
    assert made["overall"]["grounded"]["value"] == pytest.approx(1 / 6)


def test_something_must_be_asked_for(cli, folder):
    result = cli("score", "rms-aqa", "--benchmark", folder)
    assert result.exit_code == 2
    assert "--blindness" in result.stderr
