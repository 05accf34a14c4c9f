"""``sonolake score wesr``."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import numpy as np
import pytest

from sonolake.audio.encode import wav_bytes

REFERENCE = {
    "a": "hello [laughs] world",
    "b": "<singing> la la </singing>",
    "c": "so [cough] it goes",
}
FIRST = {"a": "hello [chuckle] world", "b": "<singing> la la </singing>"}
SECOND = {"a": "hello [laughs] world", "b": "la <singing> la </singing>", "c": "so it [cough] goes"}


@pytest.fixture
def files(tmp_path):
    for name, texts in (("reference", REFERENCE), ("first", FIRST), ("second", SECOND)):
        rows = [
            json.dumps({"audio": {"path": f"x/{key}.wav"}, "sentence": text}) for key, text in texts.items()
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows) + "\n")
    return tmp_path


def test_json_is_as_agreed(cli, files):
    result = cli("score", "wesr", "--reference", "reference.jsonl", "--hypothesis", "first.jsonl", "--json")
    assert result.exit_code == 0
    scores = json.loads(result.stdout)
    assert (scores["n"], scores["missing"], scores["reading"]) == (3, 1, "paper")
    counts, rates = {"tp": 2, "fp": 0, "fn": 0}, {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert scores["per_tag"]["singing"] == counts | rates
    assert scores["per_category"]["LAUGH"]["tp"] == 1
    assert (scores["micro"]["tp"], scores["micro"]["fp"], scores["micro"]["fn"]) == (2, 1, 2)
    assert scores["micro"]["f1"] == pytest.approx(4 / 7)
    assert scores["macro"]["f1"] == pytest.approx(1 / 4)
    assert scores["macro21"]["f1"] == pytest.approx(1 / 21)
    assert scores["discrete"]["fn"] == 2
    assert scores["continuous"]["f1"] == 1.0
    # hello world, la la, and three words that are missing
    assert scores["wer"]["value"] == pytest.approx(3 / 7)
    assert scores["intervals"]["micro"]["low"] <= 4 / 7 <= scores["intervals"]["micro"]["high"]


def test_compat_leaves_missing_predictions_out(cli, files):
    named = ("--reference", "reference.jsonl", "--hypothesis", "first.jsonl", "--reading", "compat", "--json")
    scores = json.loads(cli("score", "wesr", *named, "--resamples", 0).stdout)
    assert (scores["n"], scores["missing"], scores["intervals"]) == (2, 1, None)
    assert "cough" not in scores["per_tag"]
    assert scores["per_tag"]["singing"]["tp"] == 1


def test_a_person_reads_scores_and_mistakes(cli, files):
    named = ("--reference", "reference.jsonl", "--hypothesis", "first.jsonl", "--errors", "errors.tsv")
    result = cli("score", "wesr", *named)
    assert "3 utterances scored, reading paper; 1 without a hypothesis, scored as empty" in result.stdout
    assert "laughs taken for chuckle" in result.stdout
    assert "Word errors without tags: 42.9 %" in result.stdout
    rows = [line.split("\t") for line in (files / "errors.tsv").read_text().splitlines()]
    assert rows[0][:5] == ["system", "utterance_id", "kind", "tag", "found"]
    assert rows[1] == ["first", "a.wav", "confused", "laughs", "chuckle", "2", "2", "0", "hello ‸ world"]
    assert rows[2] == ["first", "c.wav", "missed", "cough", "", "2", "2", "0", "so ‸ it goes"]


def test_tables_of_several_systems(cli, files):
    named = (
        "--reference",
        "reference.jsonl",
        "--hypothesis",
        "first.jsonl",
        "--hypothesis",
        "2nd=second.jsonl",
    )
    shown = cli("score", "wesr", *named, "--table", "markdown", "--resamples", 0).stdout.splitlines()
    assert shown[0] == "| Tag | first P / R / F1 (%) | 2nd P / R / F1 (%) |"
    assert "| `<singing>` | 100.0 / 100.0 / **100.0** | 100.0 / 50.0 / <u>66.7</u> |" in shown
    assert "| `[laughs]` | 00.0 / 00.0 / 00.0 | 100.0 / 100.0 / **100.0** |" in shown
    assert shown[22].startswith("| `[sobbing]`")
    assert shown[23].startswith("| Micro avg. | 66.7 / 50.0 / **57.1**")
    assert shown[24].startswith("| Macro avg. | 25.0 / 25.0 / <u>25.0</u>")
    assert "| Laugh | 100.0 / 100.0 / **100.0** | 100.0 / 100.0 / **100.0** |" in shown
    latex = cli("score", "wesr", *named, "--table", "latex", "--resamples", 0).stdout
    assert r"{[}clear\_throat{]} & 00.0 / 00.0 / 00.0 & 00.0 / 00.0 / 00.0 \\" in latex
    assert latex.count(r"\begin{tabular}{lcc}") == 2
    both = json.loads(cli("score", "wesr", *named, "--json").stdout)
    assert list(both) == ["first", "2nd"]


def test_lines_that_cannot_be_read_are_told_and_the_status_says_so(cli, files):
    with (files / "first.jsonl").open("a") as more:
        more.write('{"half": \n')
    result = cli("score", "wesr", "--reference", "reference.jsonl", "--hypothesis", "first.jsonl")
    assert result.exit_code == 1
    assert "first.jsonl:3: not read" in result.stderr
    assert "3 utterances scored" in result.stdout


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--hypothesis", "x/first.jsonl"], "two are called 'first'"),
        (["--errors", "errors.pdf"], ".tsv or .jsonl"),
        (["--reading", "compat", "--fold-names"], "none with the reading compat"),
        (["--ask", "m"], "needs --endpoint URL and --audio FOLDER"),
        (["--ask", "m", "--endpoint", "http://localhost:1/v1", "--audio", "x"], "no folder x"),
        (["--ask", "m", "--endpoint", "x", "--audio", ".", "--hypothesis", "second.jsonl"], "fills one"),
        (["--reference", "nothing.jsonl"], "no transcripts at nothing.jsonl"),
    ],
)
def test_mistakes_of_the_caller(cli, files, more, message):
    named = ("--reference", "reference.jsonl", "--hypothesis", "first.jsonl")
    result = cli("score", "wesr", *named, *more)
    assert result.exit_code != 0
    assert message in " ".join(result.stderr.replace("│", " ").split())


def test_a_model_is_asked_first(cli, files, monkeypatch):
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            known = self.headers["Authorization"] == "Bearer sk-here"
            body = json.dumps({"choices": [{"message": {"content": "hello [laughs] world"}}]}).encode()
            self.send_response(200 if known else 401)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    (files / "audio").mkdir()
    for name in ("a", "b"):
        (files / "audio" / f"{name}.wav").write_bytes(wav_bytes(np.zeros(800, dtype=np.int16), 16_000))
    monkeypatch.setenv("MY_KEY", "sk-here")
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    named = ("--reference", "reference.jsonl", "--hypothesis", "asked.jsonl", "--audio", "audio")
    result = cli("score", "wesr", *named, "--ask", "m", "--endpoint", url, "--key-from", "MY_KEY", "--json")
    server.shutdown()
    thread.join()
    server.server_close()
    assert result.exit_code == 1, "one recording is missing"
    assert "c.wav: missing" in result.stderr
    assert "m: 2 answered, 0 there already, 1 without an answer" in result.stderr
    assert json.loads(result.stdout)["per_tag"]["laughs"]["tp"] == 1
