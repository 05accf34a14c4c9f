"""Ingest: every file accounted for, whoever else writes and whenever it is killed."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sonolake import Lake, running
from sonolake.errors import WorldError
from sonolake.ids import sha256_hex
from sonolake.sources.folder import read_folder
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake

DRIVERS = Path(__file__).parent / "drivers"
HOW = ("bytes", "samples", "sound")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """200 files of which 40 are bad, and what becomes of each when they are taken in the order of their names."""
    source = tmp_path_factory.mktemp("files") / "source"
    subprocess.run([sys.executable, DRIVERS / "make_folder.py", source], check=True)
    expected = json.loads(source.with_name("expected.json").read_text())
    assert len(expected) == 200 and sum(v not in (*HOW, "done") for v in expected.values()) == 40
    return source, expected


@pytest.fixture(scope="module")
def unkilled(folder, tmp_path_factory):
    """The tables of one run that nothing disturbed."""
    root = tmp_path_factory.mktemp("unkilled") / "lake"
    finish(ingest(root, folder[0]))
    with Lake.open(root, read_only=True) as lake:
        return tables(lake)


def ingest(root, source, *more):
    command = [sys.executable, DRIVERS / "ingest_folder.py", root, source, *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def finish(*processes):
    for process in processes:
        process.communicate()
        assert process.returncode == 0


def tables(lake):
    """What a run leaves, without its id."""
    names = {"assets": "*", "duplicates": "*", "quarantine": "*", "lineage": "* EXCLUDE (run_id)"}
    return {name: lake.rows(f"SELECT {what} FROM {name} ORDER BY ALL") for name, what in names.items()}


def verdicts(lake):
    """What became of every item: where it is, once."""
    rows = lake.rows(
        "SELECT item, 'done' AS verdict FROM assets UNION ALL SELECT item, how FROM duplicates "
        "UNION ALL SELECT item, reason FROM quarantine"
    )
    found = {row["item"]: row["verdict"] for row in rows}
    assert len(found) == len(rows), "no item is in two places"
    return found


def counted(lake):
    names = ("taken", "done", "already", "quarantined", "duplicates")
    sums = ", ".join(f"sum({name})::BIGINT AS {name}" for name in names)
    return lake.rows(f"SELECT {sums} FROM step_counts")[0]


def test_every_file_is_accounted_for_with_the_right_reason(folder, unkilled):
    _, expected = folder
    found = {row["item"]: "done" for row in unkilled["assets"]}
    found |= {row["item"]: row["how"] for row in unkilled["duplicates"]}
    found |= {row["item"]: row["reason"] for row in unkilled["quarantine"]}
    assert found == expected
    assert all(row["detail"] for row in unkilled["quarantine"])
    of = {row["item"]: row["of"] for row in unkilled["duplicates"]}
    ids = {row["item"]: row["asset_id"] for row in unkilled["assets"]}
    assert all(of[item] == ids[f"a/{item[2:5]}.wav"] for item in of), "each is known for the sound it is"


def test_two_processes_at_once_and_then_again(folder, new_place):
    source, expected = folder
    root = new_place()
    finish(ingest(root, source), ingest(root, source, "reverse"))
    with Lake.open(root) as lake:
        found = verdicts(lake)
        bad = {item: reason for item, reason in expected.items() if reason not in (*HOW, "done")}
        assert {item: reason for item, reason in found.items() if item in bad} == bad
        assert set(found) == set(expected)
        sums = counted(lake)
        assert sums["taken"] == 400 and sums["already"] == 200
        assert (sums["done"], sums["quarantined"], sums["duplicates"]) == (115, 40, 45)
        kept = {
            row["asset_id"] for name in ("assets", "duplicates", "quarantine") for row in tables(lake)[name]
        }
        assert (
            {sha256_hex(p.read_bytes()) for p in source.rglob("*") if p.is_file()} == kept == set(lake.media)
        )
        before = tables(lake)
        with running(lake, "ingest-takes") as run:
            counts = Ingest(run, Intake("take", licence="CC0-1.0"), workers=2).take(read_folder(source).items)
        assert (counts.taken, counts.already) == (200, 200)
        assert tables(lake) == before


@pytest.mark.parametrize(
    "kills", [5, pytest.param(50, marks=pytest.mark.soak)], ids=["five kills", "fifty kills"]
)
def test_killed_at_random_moments_it_ends_with_the_same_tables(folder, unkilled, new_place, kills):
    source, _ = folder
    rng = random.Random(f"ingest {kills}")
    lakes = iter(range(1000))
    killed = 0
    while killed < kills:
        root = new_place(f"lake-{next(lakes)}")
        for _ in range(5):
            killed += kill_once(root, source, rng)
        finish(ingest(root, source))
        with Lake.open(root) as lake:
            assert tables(lake) == unkilled
            sums = counted(lake)
            assert (sums["done"], sums["quarantined"], sums["duplicates"]) == (115, 40, 45)
            ends = lake.rows("SELECT outcome FROM runs ORDER BY started")
            assert ends[-1]["outcome"] == "done"
            assert set(lake.media) == {
                row["asset_id"] for t in ("assets", "duplicates", "quarantine") for row in unkilled[t]
            }


def kill_once(root, source, rng):
    """Start an ingest and kill it at some moment: at once, while it starts, or in one of its batches."""
    process = ingest(root, source)
    if rng.random() < 0.75:
        for _ in range(rng.randrange(1, 4)):
            process.stdout.readline()
    time.sleep(rng.uniform(0, 0.4))
    process.kill()
    process.communicate()
    return process.returncode < 0


def test_a_batch_that_could_not_be_committed_can_be_taken_again(folder, lake, monkeypatch):
    source, expected = folder
    items = [i for i in read_folder(source).items if i.item < "a/010"]
    with running(lake, "ingest-takes") as run:
        taking = Ingest(run, Intake("take"))
        commit = run.commit

        def fail(batch, settle, recorded):
            def broken(tx, batch):
                settle(tx, batch)
                raise WorldError("the disk is full")

            return commit(batch, broken, recorded)

        monkeypatch.setattr(run, "commit", fail)
        with pytest.raises(WorldError):
            taking.take(items)
        monkeypatch.setattr(run, "commit", commit)
        assert taking.take(items).done == sum(expected[i.item] == "done" for i in items) == 10


def test_what_was_refused_is_tried_again_when_it_is_taken_otherwise(lake, tmp_path):
    import numpy as np
    import soundfile

    source = tmp_path / "foa"
    source.mkdir()
    samples = np.random.default_rng(1).standard_normal((8000, 4)) * 0.1
    soundfile.write(source / "yard.wav", samples, 16000, subtype="PCM_16")
    items = read_folder(source).items
    with running(lake, "ingest-foa") as run:
        assert Ingest(run, Intake("foa")).take(items).quarantined == 1
        assert lake.rows("SELECT reason FROM quarantine") == [{"reason": "unknown_convention"}]
        assert Ingest(run, Intake("foa")).take(items).already == 1
        assert Ingest(run, Intake("foa", convention="fuma")).take(items).done == 1
    assert lake.table("quarantine").scan().num_rows == 0
    assert lake.rows("SELECT convention FROM assets") == [{"convention": "fuma"}]


def test_one_name_with_new_bytes_is_another_item_done(lake, tmp_path):
    import numpy as np
    import soundfile

    source = tmp_path / "takes"
    source.mkdir()
    for seed in (1, 2):
        samples = (
            np.random.default_rng(seed).standard_normal(8000)
            * 0.1
            * np.linspace(seed % 2, (seed + 1) % 2, 8000)
        )
        soundfile.write(source / "dog.wav", samples, 16000, subtype="PCM_16")
        with running(lake, "ingest-takes") as run:
            assert Ingest(run, Intake("take")).take(read_folder(source).items).done == 1
    assert lake.table("assets").scan().num_rows == 2
