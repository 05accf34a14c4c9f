"""What was taken down does not come back: by its names, its bytes, its samples, its sound."""

import pytest

from sonolake.lake.run import running
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake
from sonolake.sources.seen import seen_items


@pytest.fixture
def sounds(noise, packed):
    """The dog's sound in several forms, and another sound."""
    dog = noise("dog")
    return {
        "the bytes": packed(dog),
        "the samples": packed(dog, form="WAV"),
        "the sound": packed(noise("dog", 16000, 0.3), 16000),
        "another": packed(noise("owl")),
    }


@pytest.mark.parametrize(
    ("form", "fields", "said"),
    [
        (
            "another",
            {"source_id": "freesound:1"},
            "taken down, known again by its source freesound:1: The author asked for it.",
        ),
        ("the bytes", {"source_id": "web:x"}, "taken down, known again by its bytes: The author"),
        ("the samples", {"source_id": "web:x"}, "taken down, known again by its samples: The author"),
        ("the sound", {"source_id": "web:x"}, "taken down, known again by its sound: The author"),
    ],
)
def test_it_is_refused_and_its_bytes_are_not_kept(taken_lake, offer, sounds, form, fields, said):
    before = set(taken_lake.media)
    with running(taken_lake, "ingest") as run:
        counts = Ingest(run, Intake("take")).take([offer("comes.back", sounds[form], **fields)])
    assert counts.taken == counts.quarantined == 1
    (row,) = taken_lake.rows("FROM quarantine")
    assert row["reason"] == "taken_down" and row["detail"].startswith(said)
    assert set(taken_lake.media) == before and row["asset_id"] == ""
    assert seen_items(taken_lake, Intake("take"), ["comes.back"]) == {"comes.back"}
