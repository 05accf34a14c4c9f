"""A step accounts for every item, whatever becomes of it, in one commit a batch."""

import shutil
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sonolake import Lake, running
from sonolake.errors import InvalidInput, ItemRefused, LakeBusy, MissingPackage
from sonolake.lake.step import (
    Already,
    Batch,
    Counts,
    Done,
    Duplicate,
    Edge,
    Quarantined,
    attempt,
    batches,
    keys_win,
)

ID = "{:064x}".format
OUTCOMES = {
    "done": lambda n: Done(
        {"assets": [{"asset_id": ID(n), "item": f"i{n}"}]}, (Edge(ID(n), "src", "source"),), n % 3
    ),
    "already": lambda n: Already(),
    "quarantined": lambda n: Quarantined("corrupt", "cut", ID(n)),
    "duplicates": lambda n: Duplicate(ID(n), ID(0), "bytes"),
}


def batch_of(kinds, step="ingest-take", attempt="a1"):
    batch = Batch(step, "take", attempt)
    for n, kind in enumerate(kinds):
        batch.put(f"i{n}", OUTCOMES[kind](n))
    return batch


def count(lake, query):
    return lake.rows(f"SELECT count(*) AS n FROM {query}")[0]["n"]


@given(st.lists(st.sampled_from(sorted(OUTCOMES)), max_size=30))
@settings(deadline=None, max_examples=50)
def test_taken_is_the_sum_of_what_became_of_the_items(kinds):
    counts = batch_of(kinds).counts()
    expected = {name: kinds.count(name) for name in OUTCOMES}
    assert {name: getattr(counts, name) for name in OUTCOMES} == expected
    assert counts.taken == len(kinds) == counts.done + counts.already + counts.quarantined + counts.duplicates
    assert counts.made == sum(n % 3 for n, kind in enumerate(kinds) if kind == "done")


@given(kinds=st.lists(st.sampled_from(sorted(OUTCOMES)), min_size=1, max_size=12))
@settings(deadline=None, max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_tables_hold_what_the_counts_say_and_a_batch_is_one_snapshot(new_lake, tmp_path_factory, kinds):
    root = shutil.copytree(new_lake, tmp_path_factory.mktemp("step") / "lake")
    with Lake.open(root) as lake, running(lake, "ingest-takes") as run:
        before = lake.snapshot
        run.commit(batch_of(kinds))
        assert lake.snapshot == before + 1
        assert count(lake, "assets") == count(lake, "lineage") == kinds.count("done")
        assert count(lake, "quarantine") == kinds.count("quarantined")
        assert count(lake, "duplicates") == kinds.count("duplicates")
        (row,) = lake.rows("SELECT * FROM step_counts")
        assert row["taken"] == len(kinds)
        assert row["taken"] == row["done"] + row["already"] + row["quarantined"] + row["duplicates"]
        assert row["run_id"] == run.run_id and row["batch"] == 1
        assert (
            lake.snapshots()["extra_info"].to_pylist()[-1]
            == f'{{"flow": "ingest-takes", "run": "{run.run_id}"}}'
        )


def test_counts_that_do_not_add_up_cannot_be_made():
    with pytest.raises(InvalidInput, match="taken = done"):
        Counts(taken=3, done=1, already=1)


def test_an_item_is_accounted_for_once_a_batch():
    batch = batch_of(["done"])
    with pytest.raises(InvalidInput, match="each item once a batch"):
        batch.put("i0", Already())


def test_what_goes_wrong_with_an_item_is_a_quarantine():
    def refuse(_):
        raise ItemRefused("silent", "all zeros")

    assert attempt(refuse, "x") == Quarantined("silent", "all zeros")
    assert attempt(lambda _: 1 / 0, "x") == Quarantined(
        "internal_error", "ZeroDivisionError: division by zero"
    )


@pytest.mark.parametrize(
    "error",
    [OSError("disk full"), LakeBusy("held"), MemoryError(), MissingPackage("p", "role", "pip install p")],
)
def test_what_is_not_the_fault_of_the_item_is_raised(error):
    def fail(_):
        raise error

    with pytest.raises(type(error)):
        attempt(fail, "x")


def test_batches_of_at_most_the_size():
    assert list(batches(range(7), 3)) == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(batches([], 3)) == []


def test_a_refused_item_is_already_until_the_attempt_changes_and_leaves_when_it_is_taken(lake):
    with running(lake, "ingest") as run:
        assert run.commit(batch_of(["quarantined"])).quarantined == 1
        assert run.commit(batch_of(["quarantined"])).already == 1
        assert run.commit(batch_of(["quarantined"], attempt="a2")).quarantined == 1
        (row,) = lake.rows("SELECT attempt, reason FROM quarantine")
        assert row == {"attempt": "a2", "reason": "corrupt"}
        assert run.commit(batch_of(["quarantined"], step="embed")).quarantined == 1
        run.commit(batch_of(["done"], attempt="a3"))
        assert [r["step"] for r in lake.rows("SELECT step FROM quarantine")] == ["embed"]
        run.commit(batch_of(["duplicates"], step="embed"))
        assert count(lake, "quarantine") == 0


def test_other_bytes_under_one_name_are_another_refusal(lake):
    with running(lake, "ingest") as run:
        for asset_id in (ID(1), ID(2), ID(1)):
            batch = Batch("ingest-take", "take", "a1")
            batch.put("same.wav", Quarantined("corrupt", "cut", asset_id))
            counts = run.commit(batch)
    assert counts.already == 1
    assert count(lake, "quarantine") == 2


def test_a_duplicate_on_record_is_already(lake):
    with running(lake, "ingest") as run:
        assert run.commit(batch_of(["duplicates"])).duplicates == 1
        assert run.commit(batch_of(["duplicates"])).already == 1
    assert count(lake, "duplicates") == 1


def test_a_settlement_sees_what_was_committed_before_and_changes_the_outcome(lake):
    with running(lake, "render") as run:
        run.commit(batch_of(["done", "done"]))
        late = batch_of(["done", "done", "done"])
        counts = run.commit(late, keys_win("assets", "asset_id"))
    assert (counts.already, counts.done) == (2, 1)
    assert count(lake, "assets") == 3


def test_a_settlement_runs_under_the_lock(lake):
    other = threading.Event()

    def settle(tx, batch):
        writer = threading.Thread(
            target=lambda: (lake.table("judgements").append([{"item": "x"}]), other.set())
        )
        writer.start()
        assert not other.wait(0.2), "another writer committed during the settlement"
        threads.append(writer)

    threads = []
    with running(lake, "ingest") as run:
        run.commit(batch_of(["done"]), settle)
    threads[0].join(10)
    assert other.is_set()


def test_a_batch_that_fails_leaves_nothing(lake):
    batch = batch_of(["done", "quarantined", "duplicates"])
    batch.put("bad", Done({"assets": [{"asset_id": ID(9), "no_such_column": 1}]}))
    with pytest.raises(InvalidInput, match="no_such_column"), running(lake, "ingest") as run:
        run.commit(batch)
    for table in ("assets", "quarantine", "duplicates", "step_counts", "lineage"):
        assert count(lake, table) == 0
    (row,) = lake.rows("SELECT outcome, ended FROM runs")
    assert row["outcome"].startswith("failed: InvalidInput: columns of assets") and row["ended"] is not None


def test_a_run_says_how_it_ended(lake):
    with running(lake, "cares", {"scenes": 24}) as run:
        (row,) = lake.rows("SELECT * FROM runs")
        assert row["ended"] is None and row["outcome"] is None and row["parameters"] == '{"scenes":24}'
        run.commit(batch_of(["done"]))
        run.commit(batch_of(["already"]))
        assert run.counts() == {"ingest-take": Counts(2, 1, 1, 0, 0, 0)}
    (row,) = lake.rows("SELECT * FROM runs")
    assert row["outcome"] == "done" and row["started"] <= row["ended"]
