"""What is known of a lake: read once, then only what others add, and again when something was taken away."""

import shutil

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sonolake import Lake, running
from sonolake.audio.encode import quantise, wav_bytes
from sonolake.ids import sha256_hex
from sonolake.lake.known import Known
from sonolake.lake.recorded import on_record
from sonolake.lake.step import Already, Batch, Done, Duplicate, Quarantined
from sonolake.sources.folder import read_folder
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake


@pytest.fixture
def source(tmp_path):
    """Three sounds, the last one twice."""
    folder = tmp_path / "source"
    folder.mkdir()
    for name, seed in (("a", 1), ("b", 2), ("c", 3), ("c2", 3)):
        decay = np.exp(-np.arange(8000) / (500 * seed))
        sound = np.random.default_rng(seed).standard_normal(8000) * 0.1 * decay
        (folder / f"{name}.wav").write_bytes(wav_bytes(quantise(sound), 16000))
    return folder


def asset_id(source, name):
    return sha256_hex((source / name).read_bytes())


def asked(known, lake):
    """The statements of one refresh."""
    statements = []

    def query(text):
        statements.append(text)
        return lake.sql(text)

    known.refresh(query)
    return statements


def test_what_was_committed_by_itself_is_known_without_reading(lake, source):
    with running(lake, "ingest-takes") as run:
        ingest = Ingest(run, Intake("take"))
        assert ingest.take(read_folder(source).items).done == 3
        assert len(asked(ingest.known, lake)) == 1
        assert ingest.known.verdict("a.wav", asset_id(source, "a.wav"), "take") == Already()
        assert ingest.known.verdict("c2.wav", asset_id(source, "c2.wav"), "take") == Already()
        assert ingest.known.verdict("b.wav", asset_id(source, "a.wav"), "take") is None
        assert ingest.take(read_folder(source).items).already == 4


def test_what_others_commit_is_read_on(lake, source):
    known = Known()
    asked(known, lake)
    with Lake.open(lake.root) as other, running(other, "ingest-takes") as run:
        Ingest(run, Intake("take")).take(read_folder(source).items)
    assert known.verdict("a.wav", asset_id(source, "a.wav"), "take") is None
    assert any("insertions" in statement for statement in asked(known, lake))
    assert known.verdict("a.wav", asset_id(source, "a.wav"), "take") == Already()
    assert len(asked(known, lake)) == 1


def test_a_sound_that_was_taken_away_can_come_again(lake, source):
    with running(lake, "ingest-takes") as run:
        ingest = Ingest(run, Intake("take"))
        ingest.take(read_folder(source).items)
        with lake.transaction("take down") as tx:
            tx.delete("assets", [{"asset_id": asset_id(source, "b.wav")}])
        counts = ingest.take(read_folder(source).items)
        assert (counts.done, counts.already) == (1, 3)


def test_the_bytes_of_a_made_scene_are_a_duplicate_and_its_sound_is_nothing_to_compare_with(lake, source):
    scene = {"item": "scene-1", "kind": "scene", "pcm_hash": "same for every sound", "fingerprint": ""}
    lake.table("assets").append([{**scene, "asset_id": asset_id(source, "a.wav")}])
    with running(lake, "ingest-takes") as run:
        counts = Ingest(run, Intake("take")).take(read_folder(source).items)
    assert (counts.done, counts.duplicates) == (2, 2)
    (row,) = lake.rows("SELECT * FROM duplicates WHERE item = 'a.wav'")
    assert (row["of"], row["how"]) == (asset_id(source, "a.wav"), "bytes")


def kinds_in_conflict(lake):
    rows = lake.rows("SELECT item, step, reason, detail FROM quarantine")
    assert all(r["step"] == "ingest-speech" and r["reason"] == "conflicting_labels" for r in rows)
    assert all("as kind take" in r["detail"] and "of kind speech" in r["detail"] for r in rows)
    return {r["item"] for r in rows}


def test_an_item_that_is_there_as_another_kind_is_refused_once(lake, source):
    items = read_folder(source).items
    with running(lake, "ingest") as run:
        Ingest(run, Intake("take")).take(items)
        counts = Ingest(run, Intake("speech")).take(items)
        assert (counts.quarantined, counts.already) == (3, 1), "c2.wav is a duplicate as it was"
        assert kinds_in_conflict(lake) == {"a.wav", "b.wav", "c.wav"}
        assert Ingest(run, Intake("speech")).take(items).already == 4
        assert Ingest(run, Intake("take")).take(items).already == 4
    assert len(lake.rows("SELECT * FROM quarantine")) == 3
    assert lake.rows("SELECT DISTINCT kind FROM assets") == [{"kind": "take"}]


def test_an_item_that_another_writer_takes_as_another_kind_meanwhile_is_refused(lake, source):
    items = read_folder(source).items
    with running(lake, "ingest") as run:
        speech = Ingest(run, Intake("speech"))
        commit = run.commit

        def late(batch, settle, recorded):
            run.commit = commit
            Ingest(run, Intake("take")).take(items)
            return commit(batch, settle, recorded)

        run.commit = late
        assert speech.take(items).quarantined == 3
        assert kinds_in_conflict(lake) == {"a.wav", "b.wav", "c.wav"}
        assert Ingest(run, Intake("speech")).take(items).already == 4
    assert len(lake.rows("SELECT * FROM quarantine")) == 3


def test_a_lake_put_back_to_an_earlier_state_is_read_anew(lake, source):
    with running(lake, "ingest-takes") as run:
        ingest = Ingest(run, Intake("take"))
        ingest.take(read_folder(source).items)
    earlier = lake.snapshot - 2

    def query(text):
        return lake.sql(text.replace("lake.current_snapshot()", f"(SELECT {earlier} AS id)"), at=earlier)

    ingest.known.refresh(query)
    assert ingest.known.verdict("a.wav", asset_id(source, "a.wav"), "take") is None


def taken(item, asset_id):
    row = {"asset_id": asset_id, "item": item, "kind": "take", "pcm_hash": asset_id, "fingerprint": ""}
    return Done({"assets": [row]})


IDS = st.sampled_from([f"{n:064x}" for n in range(3)])
OUTCOMES = st.one_of(
    st.just(lambda item: Already()),
    IDS.map(lambda asset_id: lambda item: taken(item, asset_id)),
    st.builds(
        Quarantined, st.sampled_from(["corrupt", "silent"]), st.just("."), IDS, st.sampled_from("ab")
    ).map(lambda refused: lambda item: refused),
    st.builds(Duplicate, IDS, IDS, st.just("sound")).map(lambda duplicate: lambda item: duplicate),
)
BATCHES = st.tuples(
    st.sampled_from(["ingest-take", "ingest-foa"]), st.dictionaries(st.sampled_from("xyz"), OUTCOMES)
)


@given(st.lists(BATCHES, min_size=1, max_size=8), st.booleans())
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_on_record_is_what_the_tables_say(new_lake, tmp_path_factory, batches, in_turn):
    """Whatever was committed, by itself or, in turn, by somebody else."""
    root = shutil.copytree(new_lake, tmp_path_factory.mktemp("known") / "lake")
    known, others = Known(), Known()

    def compared(tx, batch):
        looked_up = on_record(tx, batch)
        found = known.recorded(tx, batch)
        assert sorted(found) == sorted(looked_up)
        return found

    with Lake.open(root) as lake, running(lake, "ingest") as run:
        for number, (step, outcomes) in enumerate(batches):
            batch = Batch(step, outcomes={item: outcome(item) for item, outcome in outcomes.items()})
            if in_turn and number % 2:
                run.commit(batch, others.settle, others.recorded)
            else:
                run.commit(batch, known.settle, compared)
