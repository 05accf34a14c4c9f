"""Several processes writing at once, and writers that are killed."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sonolake import Lake

DRIVER = Path(__file__).parent / "drivers" / "append_pairs.py"


def writer(root, name, count):
    return subprocess.Popen(
        [sys.executable, DRIVER, root, name, str(count)], stdout=subprocess.PIPE, text=True
    )


def items(lake, table, column):
    return sorted(r[column] for r in lake.rows(f"SELECT {column} FROM {table}"))


def test_four_processes_write_while_a_reader_stays_open(lake):
    names = ["ann", "ben", "cleo", "dan"]
    before = lake.snapshot
    with Lake.open(lake.root, read_only=True) as reader:
        processes = [writer(lake.root, name, 20) for name in names]
        seen = [0]
        while any(p.poll() is None for p in processes):
            (row,) = reader.rows(
                "SELECT (SELECT count(*) FROM assets) AS a, (SELECT count(*) FROM judgements) AS j"
            )
            assert row["a"] == row["j"] >= seen[-1], (
                "a reader sees whole commits, and never fewer than before"
            )
            seen.append(row["a"])
            time.sleep(0.05)
        for process in processes:
            process.communicate()
            assert process.returncode == 0
        expected = sorted(f"{name}-{n}" for name in names for n in range(20))
        assert items(reader, "assets", "asset_id") == items(reader, "judgements", "item") == expected
    assert lake.snapshot == before + 80
    authors = lake.sql("SELECT author FROM ducklake_snapshots('lake')")["author"].to_pylist()
    assert {name: authors.count(name) for name in names} == dict.fromkeys(names, 20)
    assert len(set(seen)) > 2, "the reader watched it happen"


def kill_a_writer(lake, name, rng):
    """Kill a writer a random while after some of its commits; returns how many were acknowledged."""
    process = writer(lake.root, name, 10_000)
    lines = [process.stdout.readline() for _ in range(1 + rng.randrange(4))]
    time.sleep(rng.uniform(0, 0.12))
    process.kill()
    lines += process.communicate()[0].splitlines()
    return len(lines) - 1


@pytest.mark.parametrize(
    "kills", [5, pytest.param(50, marks=pytest.mark.soak)], ids=["five kills", "fifty kills"]
)
def test_a_killed_writer_leaves_what_was_acknowledged_and_nothing_half(lake, kills):
    rng = random.Random(20261130)
    lake._catalog.lock.timeout = 5
    for kill in range(kills):
        name = f"w{kill}"
        acknowledged = kill_a_writer(lake, name, rng)
        rows = items(lake, "assets", "asset_id")
        assert rows == items(lake, "judgements", "item"), "both tables of a commit, or neither"
        mine = {int(r.removeprefix(f"{name}-")) for r in rows if r.startswith(f"{name}-")}
        assert mine == set(range(len(mine))) and len(mine) - acknowledged in (0, 1)
        with lake.transaction("after the kill") as tx:
            tx.append("assets", [{"asset_id": f"after-{kill}"}])
            tx.append("judgements", [{"item": f"after-{kill}"}])
    with Lake.open(lake.root) as again:
        assert len(items(again, "assets", "asset_id")) == len(items(lake, "judgements", "item"))
