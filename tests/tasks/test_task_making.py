"""What every step that makes things does with a batch."""

import pytest

from schemas import Templates, valid_rows
from sonolake.errors import ItemRefused, MissingPackage, WorldError
from sonolake.lake.run import Run
from sonolake.lake.step import Counts, Done, Edge
from tasks.making import make
from tasks.opening import lake_at

THINGS = {f"t{n}": n for n in range(12)}


def work(n):
    """A template; every fourth is refused, and the sixth is a programming error."""
    if n % 4 == 3:
        raise ItemRefused("unlucky", f"{n} is three more than a multiple of four")
    if n == 6:
        raise ZeroDivisionError("by hand")
    row = {
        "template_id": f"t{n}", "title": f"T {n}", "description": "d", "theme": "h", "category": "c", "record": "{}",
    }  # fmt: skip
    return Done({"templates": valid_rows(Templates, [row])}, (Edge(f"t{n}", "bank", "banks"),), made=1)


def run_make(path, things=THINGS, work=work, code_version="1", workers=1):
    run = Run(lake_at(path), "tests", "run")
    return make(
        run, "write", things, "templates", "template_id", work, code_version=code_version, workers=workers
    )


def content(path):
    lake = lake_at(path)
    return [
        lake.sql("SELECT * FROM templates ORDER BY ALL"),
        lake.sql("SELECT item, step, reason, detail, attempt FROM quarantine ORDER BY ALL"),
        lake.sql("SELECT child, parent, role FROM lineage ORDER BY ALL"),
    ]


def test_each_thing_is_made_or_refused_with_its_reason(path, lake):
    assert run_make(path) == Counts(taken=12, done=8, quarantined=4, made=8)
    reasons = {r["item"]: (r["reason"], r["detail"]) for r in lake.rows("SELECT * FROM quarantine")}
    assert reasons["t3"] == ("unlucky", "3 is three more than a multiple of four")
    assert reasons["t6"] == ("internal_error", "ZeroDivisionError: by hand")
    assert set(reasons) == {"t3", "t6", "t7", "t11"}


def test_rows_quarantine_lineage_and_counts_are_one_commit(path, lake):
    before = lake.snapshot
    run_make(path)
    assert lake.snapshot == before + 1


def test_four_workers_make_what_one_makes(new_lake):
    alone, together = new_lake("alone"), new_lake("together")
    assert run_make(alone) == run_make(together, workers=4)
    assert content(alone) == content(together)


def test_order_and_batches_change_nothing(new_lake):
    whole, parts = new_lake("whole"), new_lake("parts")
    run_make(whole)
    for some in (("t9", "t8", "t11"), ("t0", "t3", "t6", "t1"), ("t10", "t2", "t7", "t5", "t4")):
        run_make(parts, {one: THINGS[one] for one in some})
    assert content(whole) == content(parts)


def test_made_again_nothing_is_worked_on(path):
    run_make(path)
    before = content(path)

    def never(n):
        raise AssertionError(f"{n} was worked on again")

    assert run_make(path, work=never) == Counts(taken=12, already=12)
    assert content(path) == before


def test_what_was_refused_is_tried_again_by_later_code(path, lake):
    run_make(path)
    assert run_make(path, code_version="2") == Counts(taken=12, already=8, quarantined=4)
    assert {r["attempt"] for r in lake.rows("SELECT attempt FROM quarantine")} == {"2"}


def test_what_was_refused_is_tried_again_with_other_inputs(path, lake):
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


def test_what_succeeds_leaves_the_quarantine(path, lake):
    run_make(path, {"t3": 3})
    assert run_make(path, {"t3": 4}, code_version="2") == Counts(taken=1, done=1, made=1)
    assert lake.rows("SELECT * FROM quarantine") == []


@pytest.mark.parametrize(
    "error", [WorldError("disk full"), OSError("gone"), MissingPackage("p", "role", "pip install p")]
)
def test_a_failure_of_the_outside_ends_the_batch_and_commits_nothing(path, lake, error):
    before = lake.snapshot

    def fails(n):
        if n == 2:
            raise error
        return work(n)

    with pytest.raises(type(error)):
        run_make(path, work=fails)
    assert lake.snapshot == before


def test_a_key_that_another_writer_was_quicker_with_is_already_there(path):
    def slower(n):
        if n == 0:
            run_make(path, {"t0": 0, "t1": 1})
        return work(n)

    assert run_make(path, {"t0": 0, "t1": 1, "t2": 2}, work=slower) == Counts(
        taken=3, done=1, already=2, made=1
    )
    assert len(lake_at(path).rows("SELECT * FROM templates")) == 3
