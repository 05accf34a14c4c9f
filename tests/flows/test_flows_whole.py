"""The whole way over a very small lake: every flow accounts for its items, and a second time has nothing to do."""

import sonolake.releases as releases
from sonolake import Lake
from sonolake.lake.step import Counts


def folder(flowed):
    return flowed.folder / "releases" / "tiny" / "0.1.0"


def test_every_flow_counts_what_it_did(flowed):
    counts = flowed.counts
    assert counts["takes"] == {"ingest-take": Counts(taken=18, done=18)}
    assert counts["foa"] == {"ingest-foa": Counts(taken=2, done=2)}
    assert counts["split"]["split-take"] == Counts(taken=18, done=18)
    assert counts["split"]["split-room"] == Counts(taken=4, done=4)
    assert counts["cares"]["write-templates"] == Counts(taken=2, done=2, made=2)
    assert counts["cares"]["render-scenes"] == Counts(taken=2, done=2, made=2)
    assert counts["rms-aqa"]["render-clips"].done == 6
    assert counts["rms-aqa"]["ask-clips"].made == 2 * counts["rms-aqa"]["ask-clips"].done
    assert counts["wesr"]["cut-utterances"].done == 4
    assert counts["release"]["publish"].done == 1


def test_mining_says_on_its_page_how_many_known_events_it_finds(flowed):
    """Two of four recordings have a laugh, and are found first: of three places two are right, of ten two."""
    page = flowed.folder.with_name("candidates.html").read_text(encoding="utf-8")
    (laughs,) = [line for line in page.splitlines() if line.startswith("| laughs | 2 | ")]
    assert laughs.split(" | ")[-1].startswith("0.67 0.20 1.00 ")


def test_the_lake_has_the_counts_of_every_run(flowed):
    with Lake.open(flowed.folder, read_only=True) as lake:
        rows = lake.rows("SELECT flow, outcome FROM runs")
        sums = lake.rows(
            "SELECT sum(taken) AS t, sum(done + already + quarantined + duplicates) AS s FROM step_counts"
        )
    assert {row["outcome"] for row in rows} == {"done"}
    assert {"ingest-take", "embed", "split", "cares", "rms-aqa", "wesr", "release"} <= {
        r["flow"] for r in rows
    }
    assert sums[0]["t"] == sums[0]["s"] > 0


def test_each_commit_names_its_step_and_its_run(flowed):
    with Lake.open(flowed.folder, read_only=True) as lake:
        runs = {row["run_id"] for row in lake.rows("SELECT run_id FROM runs")}
        table = lake.snapshots().to_pylist()
    steps = {row["message"] for row in table}
    assert {"ingest-take", "embed", "split-take", "render-scenes", "render-clips", "mine", "publish"} <= steps
    named = [row for row in table if row["message"] == "render-scenes"]
    assert all(any(run in row["extra_info"] for run in runs) for row in named)


def test_the_release_verifies_and_its_proofs_hold(flowed):
    assert releases.verify(folder(flowed)) == []
    outcomes = {(r.proof.id, r.outcome) for r in releases.prove(folder(flowed)) if r.proof.policy == "must"}
    assert outcomes and {outcome for _, outcome in outcomes} == {"holds"}


def test_the_release_can_be_pulled_and_proven_elsewhere(flowed, tmp_path):
    releases.pull(folder(flowed), tmp_path / "pulled")
    assert releases.verify(tmp_path / "pulled") == []
    assert (tmp_path / "pulled" / "report.html").read_bytes() == (folder(flowed) / "report.html").read_bytes()


def test_a_second_time_there_is_nothing_to_do(flowed, flow_steps):
    tables = (
        "assets",
        "partitions",
        "splits",
        "scenes",
        "clips",
        "questions",
        "utterances",
        "candidates",
        "releases",
    )
    with Lake.open(flowed.folder, read_only=True) as lake:
        before = {table: lake.sql(f"SELECT * FROM {table} ORDER BY ALL") for table in tables}
    files = {path: path.stat().st_mtime_ns for path in folder(flowed).rglob("*")}
    for name, step in flow_steps.items():
        for counts in step(str(flowed.folder)).values():
            assert counts == Counts(taken=counts.taken, already=counts.taken), name
    with Lake.open(flowed.folder, read_only=True) as lake:
        assert {table: lake.sql(f"SELECT * FROM {table} ORDER BY ALL") for table in tables} == before
    assert {path: path.stat().st_mtime_ns for path in folder(flowed).rglob("*")} == files
