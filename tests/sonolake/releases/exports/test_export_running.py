"""What every export does: all or nothing, the same bytes again, and words for what it cannot do."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from sonolake.cli.app import app
from sonolake.cli.export import NAMES
from sonolake.errors import Damaged, InvalidInput, NotFound, Refused, Unwritable
from sonolake.loading.table import readable
from sonolake.releases.exports import FORMATS, export, format_of
from sonolake.releases.exports.items import key_of
from sonolake.releases.finding import find_release
from sonolake.releases.notice import Notice, Withdrawn


def files(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("name", FORMATS)
def test_two_exports_are_equal_and_say_what_they_are_of(table, tmp_path, name):
    one = export(table, format_of(name), tmp_path / "one", ["cares", "rms-aqa"], ["test"])
    other = export(table, format_of(name), tmp_path / "other place" / "two", ["cares", "rms-aqa"], ["test"])
    assert one == other and one.taken == one.done + len(one.refused)
    first, second = files(tmp_path / "one"), files(tmp_path / "other place" / "two")
    assert first == second and one.files == len(first) and one.bytes == sum(map(len, first.values()))
    mark = json.loads(first["_EXPORT.json"])
    assert (mark["release"], mark["format"], mark["done"]) == ("demo@1.2.0", name, one.done)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one", "other place"], "nothing is left beside"


def test_the_same_again_is_there_already_and_anything_else_is_refused(table, tmp_path):
    form = format_of("files")
    first = export(table, form, tmp_path / "out", ["notes"])
    again = export(table, form, tmp_path / "out", ["notes"])
    assert (first.outcome, again.outcome) == ("exported", "already") and again.done == first.done
    with pytest.raises(Refused, match="holds something else"):
        export(table, form, tmp_path / "out", ["cares"])
    (tmp_path / "mine").mkdir()
    assert export(table, form, tmp_path / "mine", ["notes"]).outcome == "exported", "an empty folder will do"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("Dear all")
    with pytest.raises(Refused, match="holds something else"):
        export(table, form, tmp_path / "other", ["notes"])
    assert (tmp_path / "other" / "letter.txt").read_text() == "Dear all"


def test_a_condition_chooses_items(made):
    folder, summary = made("files", where="item_id LIKE 'scene-%' AND duration_s < 5", splits=["train"])
    assert summary.taken == 2
    assert sorted(p.name for p in (folder / "cares" / "train").glob("*.flac")) == [
        "scene-1.flac",
        "scene-2.flac",
    ]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder where nobody can make a file")
def test_a_place_where_no_file_can_be_made_is_not_waited_for(table):
    with pytest.raises(Unwritable, match="/proc/out cannot be written"):
        export(table, format_of("files"), Path("/proc/out"))


@pytest.mark.parametrize(
    ("configs", "splits", "where", "error", "said"),
    [
        (["voices"], [], None, InvalidInput, "config: expected one of cares, notes, rms-aqa, wesr-bench"),
        ([], ["dev"], None, InvalidInput, "split: expected one of train, test"),
        ([], [], "loudness > 3", InvalidInput, "where"),
        ([], [], "item_id = 'nobody'", NotFound, "nothing of demo@1.2.0 is chosen"),
    ],
)
def test_what_there_is_not_is_said(table, tmp_path, configs, splits, where, error, said):
    with pytest.raises(error, match=said):
        export(table, format_of("files"), tmp_path / "out", configs, splits, where)
    assert list(tmp_path.iterdir()) == []


def test_a_format_that_can_hold_nothing_of_it_leaves_nothing(table, tmp_path):
    with pytest.raises(Refused, match="RTTM can hold none of 2 items: no turns of speakers"):
        export(table, format_of("rttm"), tmp_path / "out", ["rms-aqa"])
    with pytest.raises(Refused, match="no benchmark"):
        export(table, format_of("scorers"), tmp_path / "out", ["notes"])
    assert list(tmp_path.iterdir()) == []


def test_a_sound_that_was_changed_stops_it_and_leaves_nothing(rich, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(rich, folder)
    (shard,) = folder.glob("data/rms-aqa/test-00000-*.parquet")
    data = bytearray(shard.read_bytes())
    data[data.index(b"fLaC") + 3000] ^= 1
    shard.write_bytes(data)
    with pytest.raises(Damaged, match=r"cannot be read|SHA-256"):
        export(readable(find_release(str(folder), lambda: "")), format_of("webdataset"), tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy"]


@pytest.fixture
def retracted(rich, tmp_path):
    """A copy of which ``scene-1`` was taken down and, with it, the shards and questions that have it."""
    folder = tmp_path / "copy"
    shutil.copytree(rich, folder)
    rows = pq.read_table(rich / "items.parquet").to_pylist()
    number = next(row["shard"] for row in rows if row["item_id"] == "scene-1")
    gone = {r["item_id"] for r in rows if (r["config"], r["split"], r["shard"]) == ("cares", "train", number)}
    (shard,) = folder.glob(f"data/cares/train-{number:05d}-*.parquet")
    files = [shard, folder / "benchmark" / "cares" / "reactions.parquet"]
    withdrawn = Withdrawn("source lib:dog-train", "Asked for by its author.", "2026-11-20")
    names = tuple(path.relative_to(folder).as_posix() for path in files)
    notice = Notice("demo@1.2.0", (withdrawn,), ("scene-1",), names, "demo@1.2.1")
    (folder / "_RETRACTED.json").write_text(notice.text())
    for path in files:
        path.unlink()
    return folder, gone


def test_of_a_retracted_version_what_is_left_is_exported_and_the_rest_refused(retracted, tmp_path):
    folder, gone = retracted
    with pytest.raises(Refused, match=r"Asked for by its author\.\s.*\sdemo@1\.2\.1 is the same without"):
        readable(find_release(str(folder), lambda: ""))
    result = CliRunner().invoke(app, ["export", str(folder), "files", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "scene-1: withheld: source lib:dog-train was taken down: Asked for by its author." in result.stderr
    mark = json.loads((tmp_path / "out" / "_EXPORT.json").read_text())
    assert {one["item_id"] for one in mark["refused"]} == gone and mark["done"] == 8 - len(gone)
    there = {path.stem for path in (tmp_path / "out").rglob("*.json")} - {"_EXPORT"}
    assert "scene-9" in there and not there & {key_of(item) for item in gone}
    whole = ["export", str(folder), "files", str(tmp_path / "test"), "--split", "test"]
    assert CliRunner().invoke(app, whole).exit_code == 0, "nothing of it is withheld"


def test_what_is_withheld_altogether_is_refused_with_the_notice(retracted, tmp_path):
    folder, _ = retracted
    left = readable(find_release(str(folder), lambda: ""), retracted=True)
    for name, chosen in (
        ("files", {"where": "item_id = 'scene-1'"}),
        ("scorers", {"configs": ["cares"]}),
        ("zenodo", {}),
    ):
        with pytest.raises(Refused, match=r"demo@1\.2\.0 was retracted"):
            export(left, format_of(name), tmp_path / "out", **chosen)
    assert export(left, format_of("scorers"), tmp_path / "others", ["rms-aqa", "wesr-bench"]).done
    made = export(left, format_of("hf"), tmp_path / "hf")
    assert made.refused and not (tmp_path / "hf" / "croissant.json").exists()
    names = {p.name for p in (folder / "data" / "cares").iterdir()}
    assert {p.name for p in (tmp_path / "hf" / "data" / "cares").iterdir()} == names


SLOW = """
import sys, time
from sonolake.cli import main
from sonolake.releases.exports import files
write = files.Files.write
def slowly(self, item):
    write(self, item)
    print("one", flush=True)
    time.sleep(60)
files.Files.write = slowly
main()
"""


def test_a_killed_export_leaves_nothing_that_looks_like_one(rich, tmp_path):
    dest = tmp_path / "out"
    command = [sys.executable, "-c", SLOW, "export", str(rich), "files", str(dest)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as begun:
        assert begun.stdout.readline() == "one\n"
        os.kill(begun.pid, signal.SIGKILL)
    assert not dest.exists() and (tmp_path / ".out.exporting").is_dir()
    result = CliRunner().invoke(app, ["export", str(rich), "files", str(dest), "--json"])
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["done"] == 8 and [p.name for p in tmp_path.iterdir()] == ["out"]


def test_the_command_says_what_was_not_written_and_fails(rich, tmp_path):
    result = CliRunner().invoke(app, ["export", str(rich), "webdataset", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "7 of 8 items" in result.stdout and result.stderr == "not written: note-1: no sound\n"
    result = CliRunner().invoke(app, ["export", str(rich), "hdf5", str(tmp_path / "other")])
    assert result.exit_code == 1 and "expected one of hf, files, webdataset" in result.stderr
    result = CliRunner().invoke(app, ["export", str(rich), "files", str(tmp_path / "x"), "--doi", "10.1/x"])
    assert result.exit_code == 2 and "--doi" in result.stderr


def test_the_help_names_every_format():
    assert NAMES.split(", ") == list(FORMATS)


@given(st.lists(st.text(max_size=40), max_size=20, unique=True))
def test_keys_are_plain_and_never_shared(ids):
    keys = [key_of(item) for item in ids]
    assert len(set(keys)) == len(ids)
    for key in keys:
        assert 0 < len(key) <= 120 and key.isascii() and all(c.isalnum() or c in "_-" for c in key)
