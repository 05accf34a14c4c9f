"""What a release claims of its scenes, held against rows that keep it and rows that do not."""

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sonolake.releases import Config
from tasks.contents.claims import claims_of

SOUND = {"onset_s": 3.9, "offset_s": 4.4}
"""Heard in the second gap."""
TURNS = [
    {"start_s": 0.5, "end_s": 2.0, "asked_gap_s": None, "measured_gap_s": None},
    {"start_s": 2.6, "end_s": 4.0, "asked_gap_s": 0.6, "measured_gap_s": 0.59},
    {"start_s": 4.8, "end_s": 6.0, "asked_gap_s": 0.85, "measured_gap_s": 0.87},
]


@pytest.fixture
def answer(tmp_path):
    def of(name, turns, sound=SOUND):
        rows = pa.Table.from_pylist(
            [{"item_id": "scene-1", "licence": "CC0-1.0", "turns": turns, "events": [sound]}]
        )
        config = Config("cares", "CARES", "Scenes.", {"train": rows}, dict.fromkeys(rows.column_names, "x"))
        (proof,) = (one for one in claims_of([config]) if one.id == name)
        pq.write_table(rows, tmp_path / "shard.parquet")
        with duckdb.connect() as link:
            link.execute(f"SET VARIABLE shards = ['{tmp_path}/shard.parquet']")
            return link.execute(proof.sql).fetchall()

    return of


AMBIENT = SOUND | {
    "event": "shared/dog_bark",
    "asked_onset_s": 3.9,
    "measured_onset_s": 3.9,
    "asked_level_lufs": -20.0,
    "measured_level_lufs": -20.2,
    "measured_snr_db": 6.0,
    "measured_clear_s": 4.3,
    "measured_lead_s": None,
    "duck_db": 0.0,
    "measured_duck_db": None,
}
"""In the gap from 4.0 to 4.8 s."""
BREAKS = AMBIENT | {
    "measured_clear_s": None,
    "measured_lead_s": 0.3,
    "duck_db": 4.0,
    "measured_duck_db": 4.04,
}


def changed(number, **gaps):
    return [turn | gaps if n == number else turn for n, turn in enumerate(TURNS)]


def test_gaps_are_in_one_range_whether_a_sound_is_there_or_not(answer):
    """Every turn boundary gets a gap of 0.50 to 0.85 s, event or not; speech that fades is measured to 0.03 s."""
    assert answer("gaps-kept-cares", TURNS) == []
    told = [("with a sound", 1, *["0.85"] * 3, *["0.87"] * 3), ("without", 1, *["0.60"] * 3, *["0.59"] * 3)]
    assert answer("gaps-cares", TURNS) == told


@pytest.mark.parametrize(
    ("number", "gaps", "row"),
    [
        (2, {"asked_gap_s": 1.2, "measured_gap_s": 1.2}, (3, 1.2, 1.2, True)),
        (1, {"asked_gap_s": 0.4}, (2, 0.4, 0.59, False)),
        (1, {"measured_gap_s": 0.1}, (2, 0.6, 0.1, False)),
    ],
)
def test_a_gap_that_gives_a_sound_away_is_named(answer, number, gaps, row):
    assert answer("gaps-kept-cares", changed(number, **gaps)) == [("scene-1", *row)]


def test_gaps_of_older_scenes_are_counted_as_not_kept(answer):
    older = [turn | {"asked_gap_s": None, "measured_gap_s": None} for turn in TURNS]
    assert answer("gaps-kept-cares", older) == []
    assert [row[:2] for row in answer("gaps-cares", older)] == [("not kept", 2)]


@pytest.mark.parametrize(
    ("sound", "change"),
    [
        (AMBIENT, {"measured_onset_s": 3.92}),
        (AMBIENT, {"measured_level_lufs": -20.6}),
        (AMBIENT, {"measured_snr_db": 5.8}),
        (AMBIENT, {"measured_clear_s": 3.9}),  # the voice ends at 4.0 s
        (AMBIENT, {"measured_clear_s": 4.5}),  # and resumes at 4.8 s, 0.3 s later
        (BREAKS, {"measured_lead_s": 0.4}),
        (BREAKS, {"measured_duck_db": 6.2}),
        (BREAKS, {"measured_duck_db": None, "duck_db": 5.0}),
    ],
)
def test_a_sound_that_was_not_mixed_as_the_rules_say_is_named(answer, sound, change):
    """Onset to 10 ms, level to 0.5 dB, 6 dB over the ambience, 0.35 s clear of the voice, 4 dB of ducking at most."""
    assert answer("measured-cares", TURNS, sound) == []
    assert [row[:2] for row in answer("measured-cares", TURNS, sound | change)] == [
        ("scene-1", "shared/dog_bark")
    ]
