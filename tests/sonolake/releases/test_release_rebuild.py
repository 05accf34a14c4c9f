"""Releases made again from records and sources: the same bytes, or what came out otherwise, by name."""

import dataclasses
import importlib.util
import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile
from typer.testing import CliRunner

from sonolake import Lake, running
from sonolake.audio.encode import wav_bytes
from sonolake.cli.app import app
from sonolake.datasets import make_items, plan_items, release
from sonolake.errors import InvalidInput, NotFound, Refused, Unwritable
from sonolake.releases import verify
from sonolake.releases.disk import files_in, sha256_of
from sonolake.releases.finding import find_release
from sonolake.releases.rebuilding import Difference, comparing, makers_of, rebuild, rebuild_item
from sonolake.releases.rebuilding.whole import Rebuild
from sonolake.releases.takedown import Target, take_down
from sonolake.rendering import environment

DRIVERS = Path(__file__).parent / "drivers"
ITEMS = 12
SPLITS = ("train", "validation", "test")


@pytest.fixture(scope="module")
def data_set():
    spec = importlib.util.spec_from_file_location("beeping", DRIVERS / "beeping.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["beeping"] = module
    spec.loader.exec_module(module)
    return module.DATA_SET


def tone(hz):
    return wav_bytes(
        np.round(8000 * np.sin(2 * np.pi * hz * np.arange(8_000) / 8_000)).astype(np.int16), 8_000
    )


def stock(lake):
    """Two takes and an ambience of one second in each split."""
    rows, parts = [], []
    for number, split in enumerate(SPLITS):
        for kind, hz in (("take", 300 + number), ("take", 1000 + number), ("ambience", 60 + number)):
            asset_id = lake.media.put(tone(hz))
            name = f"{kind}:{hz}"
            facts = {"asset_id": asset_id, "kind": kind, "item": name, "source_id": name, "title": name}
            rows.append({**facts, "licence": "CC0-1.0", "channels": 1, "duration_s": 1.0, "synthetic": True})
            parts.append({"item": asset_id, "kind": kind, "group_id": name, "split": split, "batch": "b"})
    lake.table("assets").append(rows)
    lake.table("partitions").append(parts)


@pytest.fixture(scope="module")
def beeps(data_set, tmp_path_factory):
    """A lake with items of a data set of its own, and their release; nobody changes it."""
    with Lake.create(tmp_path_factory.mktemp("beeps") / "lake") as lake, running(lake, "tests") as run:
        stock(lake)
        make_items(run, data_set, plan_items(lake, data_set, ITEMS))
        release(run, [data_set], "beeps", "1.0.0", "2026-11-30")
    return lake.place


@pytest.fixture
def own_beeps(beeps, tmp_path):
    """A copy that a test may change."""
    return str(shutil.copytree(beeps, tmp_path / "lake"))


def made_again(place, dest, data_set, workers=1):
    with Lake.open(place, read_only=True) as lake:
        offered = find_release("beeps@1.0.0", lambda: place).offered
        return rebuild(offered, dest, makers_of(lake, [data_set]), workers, [data_set])


def tree(folder):
    return {path: sha256_of(Path(folder) / path) for path in files_in(Path(folder))}


def test_it_is_the_release_to_the_byte_with_any_number_of_workers(beeps, data_set, tmp_path):
    published = tree(f"{beeps}/releases/beeps/1.0.0")
    for workers in (1, 5):
        dest = tmp_path / f"by-{workers}"
        made = made_again(beeps, dest, data_set, workers)
        assert (made.items, made.otherwise) == (ITEMS, ())
        assert tree(dest) == published and verify(dest, made.manifest_sha256) == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["by-1", "by-5"]


def test_items_that_come_out_otherwise_are_named_and_nothing_is_kept(own_beeps, data_set, tmp_path):
    """A renderer a little louder from three beeps on: those items have other sounds, the others are as they were."""

    def louder(recipe, sounds):
        made = data_set.render(recipe, sounds)
        return dataclasses.replace(made, samples=made.samples * 1.1) if recipe.times == 3 else made

    other = dataclasses.replace(data_set, render=louder)
    made = made_again(own_beeps, tmp_path / "again", other)
    with Lake.open(own_beeps, read_only=True) as lake:
        threes = {row["item_id"] for row in lake.rows("SELECT item_id FROM beeps WHERE times = 3")}
    assert {one.what for one in made.otherwise} == threes and threes
    assert all("another sound" in one.why for one in made.otherwise)
    assert [p.name for p in tmp_path.iterdir()] == ["lake"]


def test_labels_that_come_out_otherwise_are_named(own_beeps, data_set, tmp_path):
    wrong = dataclasses.replace(
        data_set,
        render=lambda recipe, sounds: dataclasses.replace(
            data_set.render(recipe, sounds), columns={"times": 9}
        ),
    )
    made = made_again(own_beeps, tmp_path / "again", wrong)
    assert len(made.otherwise) == ITEMS
    assert {one.why for one in made.otherwise} >= {"the same sound, and other values: times 9, published 1"}


def test_an_item_whose_source_is_gone_is_named(own_beeps, data_set, tmp_path):
    with Lake.open(own_beeps) as lake:
        (row,) = lake.rows(
            "SELECT parent AS asset_id FROM lineage WHERE role = 'take' ORDER BY parent LIMIT 1"
        )
        Path(own_beeps, "media", row["asset_id"][:2], row["asset_id"]).unlink()
        users = lake.rows("SELECT item_id FROM beeps b WHERE contains(record, ?)", [row["asset_id"]])
    made = made_again(own_beeps, tmp_path / "again", data_set)
    assert {one.what for one in made.otherwise} == {user["item_id"] for user in users} and users
    assert all("cannot be made" in one.why for one in made.otherwise)


def test_what_is_otherwise_here_is_said_before_anything_is_made(beeps, data_set, tmp_path, monkeypatch):
    here = {**environment.environment(), "numpy": "9.9.9"}
    assert environment.parse_environment(environment.environment_name(here)) == here
    monkeypatch.setattr(comparing, "environment", lambda: here)
    newer = dataclasses.replace(data_set, code_version="2")
    begun = Rebuild(find_release("beeps@1.0.0", lambda: beeps).offered, tmp_path / "again", [newer])
    assert begun.differences == [
        Difference("code:make-beeps", "1", "2", ITEMS),
        Difference("numpy", np.__version__, "9.9.9", ITEMS),
    ]
    assert not (tmp_path / "again").exists()


def test_models_and_banks_are_compared_by_their_hashes():
    edges = [
        {"child": "scene-1", "parent": "scenario-1", "role": "scenario"},
        {"child": "scenario-1", "parent": f"banks:{'0' * 64}", "role": "banks"},
        {"child": "scene-1", "parent": f"voice:piper:nobody@{'1' * 64}", "role": "voice"},
        {"child": "scene-1", "parent": "voice:openai:tts-1/alloy@unknown", "role": "voice"},
    ]
    found = {one.what: one for one in comparing.differences(["scene-1"], edges)}
    assert set(found) == {"banks", "voice piper:nobody", "environment"}
    assert found["banks"].then == "0" * 64 and len(found["banks"].here) == 64
    assert (found["voice piper:nobody"].here, found["environment"].then) == ("not here", "not recorded")


def test_one_item_is_made_and_its_file_kept(beeps, data_set, tmp_path):
    with Lake.open(beeps, read_only=True) as lake:
        offered = find_release("beeps@1.0.0", lambda: beeps).offered
        makers = makers_of(lake, [data_set])
        (row,) = lake.rows("SELECT item_id, asset_id, duration_s FROM beeps ORDER BY item_id LIMIT 1")
        made = rebuild_item(offered, row["item_id"], makers, tmp_path)
        assert (made.otherwise, made.sha256) == ("", row["asset_id"]) and sha256_of(made.file) == row[
            "asset_id"
        ]
        assert soundfile.info(made.file).duration == row["duration_s"]
        with pytest.raises(NotFound):
            rebuild_item(offered, "nothing", makers)
        with pytest.raises(InvalidInput, match="the beginning of one id"):
            rebuild_item(offered, "item-", makers)


def test_the_command_says_what_differs_and_what_came_of_it(beeps, data_set, tmp_path, monkeypatch):
    def call(*arguments):
        return CliRunner().invoke(
            app, ["--lake", beeps, "rebuild", "beeps@1.0.0", *arguments, "--data-set", "beeping:DATA_SET"]
        )

    made = call(str(tmp_path / "again"), "--workers", "3")
    assert made.exit_code == 0 and f"{ITEMS} items made again, every byte as published" in made.stdout
    assert verify(tmp_path / "again") == []
    monkeypatch.setattr(comparing, "environment", lambda: {**environment.environment(), "soxr": "0.0.1"})
    item_id = pq.read_table(tmp_path / "again" / "items.parquet")["item_id"][0].as_py()
    item = call("--item", item_id, "--json")
    assert json.loads(item.stdout)["otherwise"] == "" and "here 0.0.1 (1 item)" in item.stderr
    compared = call("--json")
    assert compared.exit_code == 0 and json.loads(compared.stdout)["otherwise"] == []
    assert "soxr was" in compared.stderr and f"({ITEMS} items)" in compared.stderr
    wrong = CliRunner().invoke(app, ["--lake", beeps, "rebuild", "beeps@1.0.0", "--data-set", "beeping:RATE"])
    assert wrong.exit_code == 1 and "MODULE:NAME of a DataSet" in wrong.stderr


def test_of_a_retracted_version_what_is_left_is_made_and_the_rest_refused(own_beeps, data_set, tmp_path):
    with Lake.open(own_beeps) as lake:
        take_down(lake, Target("source", "take:300"), "He asked.")
        kept = lake.rows("SELECT item_id FROM beeps WHERE split = 'test'")[0]["item_id"]
    folder = Path(own_beeps) / "releases/beeps/1.0.0"
    notice = find_release("beeps@1.0.0", lambda: own_beeps).offered.notice
    made = made_again(own_beeps, tmp_path / "again", data_set)
    assert made.otherwise == () and set(notice.items) <= set(made.withheld)
    assert 0 < made.items == ITEMS - len(made.withheld)
    assert tree(tmp_path / "again") == tree(folder)
    assert {problem.kind for problem in verify(tmp_path / "again")} == {"withheld"}

    def call(*arguments):
        own = ["--data-set", "beeping:DATA_SET"]
        return CliRunner().invoke(app, ["--lake", own_beeps, "rebuild", "beeps@1.0.0", *arguments, *own])

    whole = call(str(tmp_path / "by command"))
    assert whole.exit_code == 1 and f"{made.items} items made again" in whole.stdout
    assert "take:300. He asked." in whole.stderr
    assert call("--item", kept).exit_code == 0
    refused = call("--item", notice.items[0])
    assert refused.exit_code == 1 and "source take:300 was taken down: He asked." in refused.stderr


def test_two_at_once_into_one_folder_do_not_mix(beeps, data_set, tmp_path):
    offered = find_release("beeps@1.0.0", lambda: beeps).offered
    first = Rebuild(offered, tmp_path / "again", [data_set])
    with pytest.raises(Refused, match="under way"):
        Rebuild(offered, tmp_path / "again", [data_set])
    with Lake.open(beeps, read_only=True) as lake:
        assert first.run(makers_of(lake, [data_set]), 2).otherwise == ()
    assert [p.name for p in tmp_path.iterdir()] == ["again"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder where nobody can make a file")
def test_a_place_where_no_file_can_be_made_is_not_said_to_be_in_use(beeps, data_set):
    with pytest.raises(Unwritable, match="/proc/again cannot be written"):
        Rebuild(find_release("beeps@1.0.0", lambda: beeps).offered, Path("/proc/again"), [data_set])


def test_it_begins_in_an_empty_folder_and_knows_every_config(beeps, data_set, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    with pytest.raises(Refused, match="no empty folder"):
        made_again(beeps, tmp_path / "full", data_set)
    offered = find_release("beeps@1.0.0", lambda: beeps).offered
    with Lake.open(beeps, read_only=True) as lake, pytest.raises(InvalidInput, match="--data-set"):
        rebuild(offered, tmp_path / "again", makers_of(lake))


@pytest.mark.parametrize("what", ["pull", "rebuild", "publish"])
@pytest.mark.parametrize(
    "kills", [5, pytest.param(50, marks=pytest.mark.soak)], ids=["five kills", "fifty kills"]
)
def test_killed_at_any_moment_it_shows_no_half_and_is_finished(own_beeps, tmp_path, what, kills):
    published = Path(own_beeps) / "releases/beeps/1.0.0"
    release = "beeps@1.0.0" if what == "rebuild" else str(published)
    dest = Path(own_beeps) / "releases/other/1.0.0" if what == "publish" else tmp_path / "there" / "1.0.0"
    driver = [sys.executable, str(DRIVERS / "kills.py"), what, release, own_beeps, str(dest), str(kills), "7"]
    done = subprocess.run(driver, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *states, manifest = done.stdout.split()
    assert len(states) == kills
    if what != "pull":
        assert set(states) <= {"nothing", "whole"}, "the folder has its name when it is whole"
    if what != "publish":
        assert manifest == sha256_of(published / "manifest.parquet")
        return
    with Lake.open(own_beeps, read_only=True) as lake:
        known = lake.rows("SELECT version, manifest_sha256 FROM releases WHERE name = 'other'")
    assert manifest in {row["manifest_sha256"] for row in known}
    for row in known:
        assert verify(Path(own_beeps) / "releases/other" / row["version"], row["manifest_sha256"]) == []


def test_the_kinds_of_the_three_data_sets_are_made_again(plain_lake):
    """A scene, a rendered clip, one that is cut, and an utterance: the flows made them in another process."""
    folder = plain_lake / "releases" / "tiny" / "0.1.0"
    origin = {row["clip_id"]: row["origin"] for row in clips(plain_lake)}
    rows = pq.read_table(folder / "items.parquet").to_pylist()
    kinds = {(row["config"], origin.get(row["item_id"])): row["item_id"] for row in rows}
    assert set(kinds) >= {("cares", None), ("rms-aqa", "simulated"), ("rms-aqa", "stand-in"), ("wesr", None)}
    offered = find_release(str(folder), lambda: plain_lake).offered
    with Lake.open(plain_lake, read_only=True) as lake:
        makers = makers_of(lake)
        for item in kinds.values():
            made = rebuild_item(offered, item, makers)
            assert made.otherwise == "", made


def clips(place):
    with Lake.open(place, read_only=True) as lake:
        return lake.rows("SELECT clip_id, origin FROM clips")


def tells(path, *names):
    """Which of ``names``, and what else of a host, a folder or a moment, a file of a release says."""
    if path.suffix == ".parquet":
        table = pq.read_table(path)
        without = table.drop_columns([name for name in table.column_names if name == "audio"])
        text = f"{without.to_pylist()} {table.schema.metadata} {pq.read_metadata(path).metadata}"
    else:
        text = re.sub(r"base64,[A-Za-z0-9+/=]+", "", path.read_text(encoding="utf-8", errors="replace"))
    host = rf"\b{re.escape(socket.gethostname())}\b"
    patterns = [*map(re.escape, names), host, "/tmp/", "/home/", r"\d{4}-\d\d-\d\dT\d\d:\d\d"]
    return [pattern for pattern in patterns if re.search(pattern, text)]


def test_two_places_give_the_same_bytes_that_tell_neither(data_set, tmp_path, monkeypatch):
    """The same lake in two folders, published by two users in two runs."""
    with Lake.create(tmp_path / "one") as lake, running(lake, "tests") as run:
        stock(lake)
        make_items(run, data_set, plan_items(lake, data_set, 4))
    shutil.copytree(tmp_path / "one", tmp_path / "far away" / "two")
    trees, runs = [], []
    for place, user in ((tmp_path / "one", "ann-of-one"), (tmp_path / "far away" / "two", "bob-of-two")):
        monkeypatch.setenv("LOGNAME", user)
        with Lake.open(place) as lake, running(lake, "tests") as run:
            release(run, [data_set], "beeps", "1.0.0", "2026-11-30")
            runs += [row["run_id"] for row in lake.rows("SELECT run_id FROM runs")]
        trees.append(tree(place / "releases" / "beeps" / "1.0.0"))
    assert trees[0] == trees[1]
    names = [*runs, "ann-of-one", "bob-of-two", "far away", str(tmp_path)]
    for path in trees[0]:
        assert tells(tmp_path / "one" / "releases" / "beeps" / "1.0.0" / path, *names) == [], path


def test_a_release_of_the_flows_tells_no_place_run_or_user(plain_lake):
    with Lake.open(plain_lake, read_only=True) as lake:
        runs = [row["run_id"] for row in lake.rows("SELECT run_id FROM runs")]
    folder = plain_lake / "releases" / "tiny" / "0.1.0"
    for path in files_in(folder):
        assert tells(folder / path, *runs, str(plain_lake)) == [], path


@pytest.mark.soak
def test_a_release_of_the_three_data_sets_is_made_again_whole(plain_lake, tmp_path):
    with Lake.open(plain_lake, read_only=True) as lake:
        made = rebuild(
            find_release("tiny@0.1.0", lambda: plain_lake).offered, tmp_path / "t", makers_of(lake), 3
        )
    assert made.otherwise == () and tree(tmp_path / "t") == tree(plain_lake / "releases" / "tiny" / "0.1.0")
