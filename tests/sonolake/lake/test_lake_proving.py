"""The lake's history accounts for all that it ever took."""

import json

import pytest
from typer.testing import CliRunner

from sonolake.cli.app import app
from sonolake.lake.doctor import examine
from sonolake.lake.proving import PROOFS, prove_lake
from sonolake.lake.run import Run
from sonolake.lake.step import Batch, Done, Duplicate, Quarantined

COUNTS = {"done": 1, "already": 0, "quarantined": 1, "duplicates": 1, "made": 0}


def failing(lake):
    return {one.proof.id: one.shown for one in prove_lake(lake) if one.outcome == "fails"}


@pytest.fixture
def taken(lake):
    """A lake whose one run took three items."""
    lake.table("runs").append([{"run_id": "r1", "flow": "f"}])
    batch = Batch("ingest-take", "take")
    batch.put("a.wav", Done())
    batch.put("b.wav", Quarantined("truncated", "half of it"))
    batch.put("c.wav", Duplicate("c" * 64, "a" * 64, "bytes"))
    Run(lake, "f", "r1").commit(batch)
    return lake


def change(lake, sql):
    with lake.transaction("by hand") as tx:
        tx.sql(sql)


def test_an_honest_lake_proves_it(taken):
    assert failing(taken) == {} and len(PROOFS) >= 6


LOST = {
    "rows-conserved": (
        "INSERT INTO step_counts BY NAME SELECT 'r1' AS run_id, 's' AS step, 2 AS batch, 4 AS taken, 1 AS done, "
        "0 AS already, 1 AS quarantined, 0 AS duplicates, 0 AS made",
        "run_id r1, step s, batch 2, taken 4, done 1, already 0, quarantined 1, duplicates 0",
    ),
    "rows-of-runs": (
        "INSERT INTO step_counts BY NAME SELECT 'r2' AS run_id, 't' AS step, 1 AS batch, 0 AS taken, 0 AS done, "
        "0 AS already, 0 AS quarantined, 0 AS duplicates, 0 AS made",
        "run_id r2, step t",
    ),
    "quarantine-counted": (
        "INSERT INTO quarantine BY NAME SELECT 'x.wav' AS item, 'ingest-take' AS step, 'corrupt' AS reason",
        "step ingest-take, there 2, counted 1",
    ),
    "duplicates-counted": (
        "INSERT INTO duplicates BY NAME SELECT 'x.wav' AS item",
        "there 2, counted 1",
    ),
    "assets-counted": (
        "INSERT INTO assets BY NAME SELECT unnest(['x', 'y']) AS asset_id, 'take' AS kind",
        "step ingest-take, there 2, accepted 1",
    ),
}


def test_what_is_not_accounted_for_is_shown(taken):
    for sql, _ in LOST.values():
        change(taken, sql)
    assert failing(taken) == {proof: (shown,) for proof, (_, shown) in LOST.items()}
    history = next(check for check in examine(taken.root) if check.check == "history")
    assert history.verdict == "fails"
    assert all(f"{proof} fails: {shown}" in history.detail for proof, (_, shown) in LOST.items())


def test_counts_that_were_mended_later_are_found(taken):
    change(taken, "UPDATE step_counts SET taken = 2, done = 0")
    ((proof, shown),) = failing(taken).items()
    assert proof == "rows-kept" and "run_id r1, step ingest-take, batch 1" in shown[0]


def test_the_command(taken):
    run = CliRunner().invoke(app, ["--lake", str(taken.root), "prove", "--json"])
    assert run.exit_code == 0
    assert {row["proof"]: row["outcome"] for row in json.loads(run.stdout)} == {p.id: "holds" for p in PROOFS}
    change(taken, "DELETE FROM runs")
    run = CliRunner().invoke(app, ["--lake", str(taken.root), "prove"])
    assert run.exit_code == 1 and "rows-of-runs: run_id r1, step ingest-take" in run.stderr
