"""What is known of a lake: read once, then only what others add, and again when something was taken away."""

import numpy as np
import pytest

from sonolake import Lake, running
from sonolake.audio.encode import quantise, wav_bytes
from sonolake.ids import sha256_hex
from sonolake.lake.known import Known
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
        assert ingest.known.has("a.wav", asset_id(source, "a.wav"), "take")
        assert ingest.known.has("c2.wav", asset_id(source, "c2.wav"), "take")
        assert not ingest.known.has("a.wav", asset_id(source, "a.wav"), "foa")
        assert ingest.take(read_folder(source).items).already == 4


def test_what_others_commit_is_read_on(lake, source):
    known = Known()
    asked(known, lake)
    with Lake.open(lake.root) as other, running(other, "ingest-takes") as run:
        Ingest(run, Intake("take")).take(read_folder(source).items)
    assert not known.has("a.wav", asset_id(source, "a.wav"), "take")
    assert any("insertions" in statement for statement in asked(known, lake))
    assert known.has("a.wav", asset_id(source, "a.wav"), "take")
    assert len(asked(known, lake)) == 1


def test_a_sound_that_was_taken_away_can_come_again(lake, source):
    with running(lake, "ingest-takes") as run:
        ingest = Ingest(run, Intake("take"))
        ingest.take(read_folder(source).items)
        with lake.transaction("take down") as tx:
            tx.delete("assets", [{"asset_id": asset_id(source, "b.wav")}])
        counts = ingest.take(read_folder(source).items)
        assert (counts.done, counts.already) == (1, 3)


def test_a_lake_put_back_to_an_earlier_state_is_read_anew(lake, source):
    with running(lake, "ingest-takes") as run:
        ingest = Ingest(run, Intake("take"))
        ingest.take(read_folder(source).items)
    earlier = lake.snapshot - 2

    def query(text):
        return lake.sql(text.replace("lake.current_snapshot()", f"(SELECT {earlier} AS id)"), at=earlier)

    ingest.known.refresh(query)
    assert not ingest.known.has("a.wav", asset_id(source, "a.wav"), "take")
