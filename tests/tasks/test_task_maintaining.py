"""Upkeep as tasks: every table and space accounted for."""

from sonolake.lake.run import running
from sonolake.lake.step import Counts
from tasks.maintaining import maintain_tables
from tasks.opening import lake_at


def test_every_table_is_accounted_for(tmp_path):
    lake = lake_at(str(tmp_path / "lake"))
    for number in range(3):
        row = {"child": f"c{number}", "parent": "p", "role": "source", "run_id": "r"}
        lake.table("lineage").append([row])
    with running(lake, "maintain") as run:
        tables = [one.name for one in maintain_tables.fn(str(tmp_path / "lake"), run.run_id)]
        counts = run.counts()["maintain"]
    assert "lineage" in tables and counts.done >= 1
    assert counts == Counts(taken=len(tables), done=counts.done, already=len(tables) - counts.done)
