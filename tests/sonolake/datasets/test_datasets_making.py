"""What every step that makes things does with a batch."""

import pytest

from sonolake import Column, TableSpec
from sonolake.datasets.making import make
from sonolake.errors import ItemRefused, MissingPackage, WorldError
from sonolake.lake.run import Run
from sonolake.lake.step import Counts, Done, Edge

TEMPLATES = TableSpec(
    "templates",
    (Column("template_id", "VARCHAR", "name"), Column("title", "VARCHAR", "title")),
    ("template_id",),
    "templates of a test",
)
THINGS = {f"t{n}": n for n in range(12)}


def work(n):
    """A template; every fourth is refused, and the sixth is a programming error."""
    if n % 4 == 3:
        raise ItemRefused("unlucky", f"{n} is three more than a multiple of four")
    if n == 6:
        raise ZeroDivisionError("by hand")
    row = {"template_id": f"t{n}", "title": f"T {n}"}
    return Done({"templates": [row]}, (Edge(f"t{n}", "bank", "banks"),), made=1)


@pytest.fixture
def lake(new_lake):
    return with_table(new_lake("lake"))


def with_table(lake):
    lake.declare(TEMPLATES)
    return lake


def run_make(lake, things=THINGS, work=work, code_version="1", workers=1):
    run = Run(lake, "tests", "run")
    return make(
        run, "write", things, "templates", "template_id", work, code_version=code_version, workers=workers
    )


def content(lake):
    return [
        lake.sql("SELECT * FROM templates ORDER BY ALL"),
        lake.sql("SELECT item, step, reason, detail, attempt FROM quarantine ORDER BY ALL"),
        lake.sql("SELECT child, parent, role FROM lineage ORDER BY ALL"),
    ]


def test_each_thing_is_made_or_refused_with_its_reason(lake):
    assert run_make(lake) == Counts(taken=12, done=8, quarantined=4, made=8)
    reasons = {r["item"]: (r["reason"], r["detail"]) for r in lake.rows("SELECT * FROM quarantine")}
    assert reasons["t3"] == ("unlucky", "3 is three more than a multiple of four")
    assert reasons["t6"] == ("internal_error", "ZeroDivisionError: by hand")
    assert set(reasons) == {"t3", "t6", "t7", "t11"}


def test_rows_quarantine_lineage_and_counts_are_one_commit(lake):
    before = lake.snapshot
    run_make(lake)
    assert lake.snapshot == before + 1


def test_four_workers_make_what_one_makes(new_lake):
    alone, together = with_table(new_lake("alone")), with_table(new_lake("together"))
    assert run_make(alone) == run_make(together, workers=4)
    assert content(alone) == content(together)


def test_order_and_batches_change_nothing(new_lake):
    whole, parts = with_table(new_lake("whole")), with_table(new_lake("parts"))
    run_make(whole)
    for some in (("t9", "t8", "t11"), ("t0", "t3", "t6", "t1"), ("t10", "t2", "t7", "t5", "t4")):
        run_make(parts, {one: THINGS[one] for one in some})
    assert content(whole) == content(parts)


def test_made_again_nothing_is_worked_on(lake):
    run_make(lake)
    before = content(lake)

    def never(n):
        raise AssertionError(f"{n} was worked on again")

    assert run_make(lake, work=never) == Counts(taken=12, already=12)
    assert content(lake) == before


def test_what_was_refused_is_tried_again_by_later_code(lake):
    run_make(lake)
    assert run_make(lake, code_version="2") == Counts(taken=12, already=8, quarantined=4)
    assert {r["attempt"] for r in lake.rows("SELECT attempt FROM quarantine")} == {"2"}


def test_what_was_refused_is_tried_again_with_other_inputs(lake):
    run, sounds = Run(lake, "tests", "run"), {n: ["bark"] for n in THINGS.values()}

    def again():
        inputs = sounds.__getitem__
        return make(run, "write", THINGS, "templates", "template_id", work, code_version="1", inputs=inputs)

    assert again() == Counts(taken=12, done=8, quarantined=4, made=8)
    assert again() == Counts(taken=12, already=12)
    sounds[7] = ["bark", "another bark"]
    assert again() == Counts(taken=12, already=11, quarantined=1)
    assert again() == Counts(taken=12, already=12)
    assert len(lake.rows("SELECT * FROM quarantine")) == 4


def test_what_succeeds_leaves_the_quarantine(lake):
    run_make(lake, {"t3": 3})
    assert run_make(lake, {"t3": 4}, code_version="2") == Counts(taken=1, done=1, made=1)
    assert lake.rows("SELECT * FROM quarantine") == []


@pytest.mark.parametrize(
    "error", [WorldError("disk full"), OSError("gone"), MissingPackage("p", "role", "pip install p")]
)
def test_a_failure_of_the_outside_ends_the_batch_and_commits_nothing(lake, error):
    before = lake.snapshot

    def fails(n):
        if n == 2:
            raise error
        return work(n)

    with pytest.raises(type(error)):
        run_make(lake, work=fails)
    assert lake.snapshot == before


def test_a_key_that_another_writer_was_quicker_with_is_already_there(lake):
    def slower(n):
        if n == 0:
            run_make(lake, {"t0": 0, "t1": 1})
        return work(n)

    assert run_make(lake, {"t0": 0, "t1": 1, "t2": 2}, work=slower) == Counts(
        taken=3, done=1, already=2, made=1
    )
    assert len(lake.rows("SELECT * FROM templates")) == 3


def sounding(asset_id):
    """Work that makes a thing with a sound of this name."""

    def make_one(n):
        asset = {"asset_id": asset_id, "kind": "clip", "item": f"t{n}", "source_id": f"t{n}"}
        return Done({**work(n).rows, "assets": [asset]}, made=1)

    return make_one


def test_of_two_things_that_sound_alike_the_later_one_is_set_aside(lake):
    counts = run_make(lake, {"t1": 1, "t0": 0}, sounding("a" * 64))
    assert counts == Counts(taken=2, done=1, quarantined=1, made=1)
    (row,) = lake.rows("SELECT item, reason, detail FROM quarantine")
    assert row == {"item": "t1", "reason": "same_sound", "detail": "it sounds exactly as t0"}
    assert run_make(lake, {"t2": 2}, sounding("a" * 64)) == Counts(taken=1, quarantined=1)
    assert run_make(lake, {"t1": 1, "t2": 2}, sounding("a" * 64)) == Counts(taken=2, already=2)
    assert len(lake.rows("SELECT * FROM assets")) == 1
