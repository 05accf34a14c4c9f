"""``python -m flows``: help, and mistakes said in one line with exit status 1."""

import subprocess
import sys

import pytest

from flows import __main__ as command_line
from sonolake.lake import Lake


def run(capsys, monkeypatch, *arguments):
    """Exit status, standard output and standard error of ``python -m flows``, in this process."""
    monkeypatch.setattr(sys, "argv", ["flows", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    out, err = capsys.readouterr()
    return ended.value.code, out, err


@pytest.mark.parametrize("asked", ["--help", "-h"])
def test_help_lists_every_flow(capsys, monkeypatch, asked):
    code, out, err = run(capsys, monkeypatch, asked)
    assert (code, err) == (0, "")
    for name in (
        "ingest-takes", "ingest-ambiences", "ingest-responses", "ingest-foa", "ingest-speech", "embed", "split",
        "cares", "rms-aqa", "wesr", "release", "demo",
    ):  # fmt: skip
        assert f" {name} " in out


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ingest-foa", ["--manifest", "--convention", "--licence", "--map", "--lake"]),
        ("embed", ["--model"]),
        ("cares", ["--templates", "--scenes", "--voices", "--confidence", "--situations"]),
        ("rms-aqa", ["--clips"]),
        ("wesr", ["--queries", "--quota", "--known"]),
        ("release", ["--date"]),
    ],
)
def test_a_flow_says_its_options(capsys, monkeypatch, name, options):
    code, out, _ = run(capsys, monkeypatch, name, "--help")
    assert code == 0
    assert [option for option in options if option not in out] == []


def test_a_missing_source_is_one_line_and_exit_status_1_without_a_trace(tmp_path):
    lake = tmp_path / "lake"
    command = [sys.executable, "-m", "flows", "ingest-takes", str(tmp_path / "nowhere"), "--lake", str(lake)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"error: source {tmp_path / 'nowhere'}: there is no such folder or manifest\n"
    assert not lake.exists()


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("ingest-takes", ["--manifest", "lost.csv"], "error: manifest lost.csv: there is no such file"),
        (
            "ingest-takes",
            ["--map", "sound=event"],
            "error: --map: expected a manifest whose headers it renames, received 'a folder without one'.",
        ),
        (
            "ingest-foa",
            ["--convention", "acn"],
            "error: --convention: expected one of ambix, n3d, fuma, received 'acn'.",
        ),
        ("ingest-takes", ["--map", "licence"], "error: --map: expected their=ours, received 'licence'."),
    ],
)
def test_a_mistake_is_said_before_an_engine_starts(capsys, monkeypatch, tmp_path, name, more, message):
    code, out, err = run(capsys, monkeypatch, name, tmp_path, "--lake", tmp_path / "lake", *more)
    assert (code, out, err) == (1, "", message + "\n")
    assert not (tmp_path / "lake").exists()


def test_templates_that_no_writer_can_write_about_are_refused_before_an_engine_starts(
    capsys, monkeypatch, tmp_path
):
    code, out, err = run(capsys, monkeypatch, "cares", "--situations", "model", "--lake", tmp_path / "lake")
    assert (code, out) == (1, "")
    assert err.startswith("error: situations: expected model only with a chat model as writer")
    assert not (tmp_path / "lake").exists()


def test_a_lake_may_not_be_made_inside_its_source(capsys, monkeypatch, tmp_path):
    code, out, err = run(capsys, monkeypatch, "ingest-takes", tmp_path, "--lake", tmp_path / "lake")
    assert (code, out) == (1, "")
    assert "expected a folder apart from every lake, received 'a folder around the lake" in err
    assert not (tmp_path / "lake").exists()


@pytest.mark.parametrize(
    ("name", "option"),
    [("cares", "--templates"), ("cares", "--scenes"), ("rms-aqa", "--clips"), ("wesr", "--quota")],
)
@pytest.mark.parametrize("number", ["0", "-1", "100000000000000000000", "many"])
def test_numbers_that_make_no_sense_are_refused(capsys, monkeypatch, tmp_path, name, option, number):
    code, out, err = run(capsys, monkeypatch, name, "--lake", tmp_path / "lake", option, number)
    assert (code, out) == (2, "") and option in err
    assert not (tmp_path / "lake").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--most-sources", "3"], "expected 4 to 8, received 3"),
        (["--most-sources", "9"], "expected 4 to 8, received 9"),
        (["--most-at-once", "5"], "expected 1 to 4, the most sources of a clip, received 5"),
    ],
)
def test_more_or_fewer_sources_than_can_be_are_refused(capsys, monkeypatch, tmp_path, options, message):
    code, out, err = run(capsys, monkeypatch, "rms-aqa", "--lake", tmp_path / "lake", *options)
    assert (code, out) == (1, "") and message in err
    assert not (tmp_path / "lake").exists()


@pytest.mark.parametrize(
    ("voices", "message"),
    [
        ("festival:kal", "error: model: expected one of "),
        ("yamnet", "error: voice: expected hibari:heart, "),
        ("openai:tts-1/alloy@http://localhost:1/v1", "error: voice: expected hibari:heart, "),
        ("openai:tts-1/alloy@http://localhost:1/v1=f", "error: licence of openai:tts-1/alloy"),
        ("elevenlabs:abc=f:CC0-1.0", "error: key of ElevenLabs: "),
    ],
)
def test_a_voice_that_cannot_be_had_is_said_before_an_engine_starts(
    capsys, monkeypatch, tmp_path, voices, message
):
    monkeypatch.delenv("ELEVENLABS_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, out, err = run(capsys, monkeypatch, "cares", "--lake", tmp_path / "lake", "--voices", voices)
    assert (code, out) == (1, "") and err.startswith(message), err
    assert not (tmp_path / "lake").exists()


def test_queries_quotas_and_known_events_that_cannot_be_read_are_said_before_an_engine_starts(
    capsys, monkeypatch, tmp_path
):
    bad = tmp_path / "queries.json"
    for text, cause in (("{", "JSONDecodeError"), ('{"queries": {"yawn": {}}}', "yawn")):
        bad.write_text(text)
        code, out, err = run(capsys, monkeypatch, "wesr", "--lake", tmp_path / "lake", "--queries", bad)
        assert (code, out) == (1, "") and err.startswith("error: ") and cause in err
        assert err.count("\n") == 1
    known = tmp_path / "known.csv"
    known.write_text("item,tag,onset_s,offset_s\na.wav,yawn,0,1\n")
    code, out, err = run(capsys, monkeypatch, "wesr", "--lake", tmp_path / "lake", "--known", known)
    assert (code, out) == (1, "") and err.startswith("error: known events known.csv, line 2, tag: ")
    for quota, cause in (("yawn=3", "yawn"), ("cough", "expected TAG=N"), ("cough=0", "'cough=0'")):
        code, out, err = run(capsys, monkeypatch, "wesr", "--lake", tmp_path / "lake", "--quota-of", quota)
        assert (code, out) == (1, "") and err.startswith("error: ") and cause in err
    assert not (tmp_path / "lake").exists()


@pytest.mark.parametrize("name", ["cares", "rms-aqa", "demo"])
def test_a_folder_of_something_else_is_no_lake(capsys, monkeypatch, tmp_path, name):
    (tmp_path / "thesis.txt").touch()
    code, out, err = run(capsys, monkeypatch, name, "--lake", tmp_path)
    assert (code, out) == (1, "")
    assert (
        err
        == f"error: {tmp_path} is neither empty nor a lake: name a new folder, or one that holds lake.toml\n"
    )


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("embed", []),
        ("split", []),
        ("wesr", []),
        ("annotate-wesr", []),
        ("wesr-sets", []),
        ("release", ["demo", "0.1.0"]),
        ("recheck-sources", []),
        ("maintain", []),
    ],
)
def test_what_works_on_a_lake_makes_none_of_a_misspelt_name(capsys, monkeypatch, tmp_path, name, more):
    code, out, err = run(capsys, monkeypatch, name, *more, "--lake", tmp_path / "my-lkae")
    assert (code, out) == (1, "") and err.startswith(f"error: no lake at {tmp_path / 'my-lkae'}: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lake", ["", " ", "postgresql://host/lake", "https://example.org/lake"])
def test_a_lake_is_a_folder_or_in_s3(capsys, monkeypatch, tmp_path, lake):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, monkeypatch, "split", "--lake", lake)
    assert (code, out) == (
        1,
        "",
    ) and err == f"error: lake: expected a folder or s3://bucket/prefix, received {lake!r}.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_source_that_is_nothing_is_not_the_folder_we_are_in(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "thesis.wav").touch()
    code, out, err = run(capsys, monkeypatch, "ingest-takes", "", "--lake", tmp_path / "lake")
    assert (code, out) == (1, "") and err.startswith("error: source: expected a folder, a manifest")
    assert not (tmp_path / "lake").exists()


def test_a_lake_must_be_named(capsys, monkeypatch):
    code, _, err = run(capsys, monkeypatch, "release", "demo", "0.1.0")
    assert code == 2 and "--lake" in err


def test_a_mistake_inside_a_flow_is_one_line_too(engine, capsys, monkeypatch, tmp_path):
    Lake.create(tmp_path / "lake")
    code, _, err = run(capsys, monkeypatch, "embed", "--lake", tmp_path / "lake", "--model", "ears")
    assert (code, err) == (
        1,
        "error: --model: expected yamnet, beats:FILE, clap:FOLDER or exec:COMMAND, received 'ears'.\n",
    )
