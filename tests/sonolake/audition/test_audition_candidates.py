"""Candidates: by words first, then also by the sound of what was accepted."""

import numpy as np
import pyarrow as pa
import pytest

pytest.importorskip("lancedb", reason="needs the extra 'lake'")
from sonolake.audition import Decision
from sonolake.audition.candidates import candidates
from sonolake.audition.decisions import decide
from sonolake.cares.banks import default_banks
from sonolake.errors import NotFound
from sonolake.lake.vector_rows import vector_id
from sonolake.search import Encoder, Encoders

KETTLE = "home_indoor/kettle_whistle"
WORDS = {"low": [1, 0], "bell": [0.9, 0.2], "high": [0.3, 1], "loose": [0, 1]}
"""Nearest to the words are the low tone and the bell."""


def heard(sound):
    """A sound by its frequency: the number of its sign changes a second, as a direction."""
    changes = np.count_nonzero(np.diff(np.signbit(sound.samples))) / len(sound.samples) * sound.rate
    return np.array([[changes / 1000, 1.0]], np.float32)


ENCODERS = Encoders(
    (Encoder("text", "text", "w", lambda _: np.array([[1, 0]], np.float32)),),
    (Encoder("sound", "yamnet", "w", heard),),
)


@pytest.fixture
def embedded(lake, takes):
    spaces = {
        "text": WORDS,
        "yamnet": {"low": [0.45, 1], "bell": [1.3, 1], "high": [3.6, 1], "loose": [3.4, 1]},
    }
    with lake.writing():
        for space, vectors in spaces.items():
            rows = {
                "vector_id": [vector_id(takes[title], 0) for title in vectors],
                "asset_id": [takes[title] for title in vectors],
                "start_s": [0.0] * 4,
                "end_s": [0.96] * 4,
                "model": ["m"] * 4,
                "weights_sha256": ["w"] * 4,
                "vector": pa.array([[float(x) for x in v] for v in vectors.values()], pa.list_(pa.float32())),
            }
            lake.vectors.write(space, pa.table(rows))
    return takes


def order(found):
    return [one.asset["title"] for one in found.takes]


def test_words_rank_until_something_is_accepted_then_its_sound_does_as_well(lake, embedded):
    banks = default_banks()
    first = candidates(lake, KETTLE, banks, encoders=ENCODERS)
    assert order(first) == ["low", "bell", "high", "loose"]
    assert first.ranked_by == f"Ranked by “{banks.sounds[KETTLE].name}”"
    assert (first.takes[1].rank, first.takes[1].found_by) == (2, "text 2")
    decide(lake, KETTLE, embedded["high"], Decision("accept"), "ann", 0)
    second = candidates(lake, KETTLE, banks, encoders=ENCODERS)
    assert second.ranked_by.endswith("the sound of 1 accepted")
    assert order(second)[0] == "high"
    assert {one.asset["title"]: one.found_by for one in second.takes} == {
        "high": "text 3, sound 1",
        "loose": "text 4, sound 2",
        "bell": "text 2, sound 3",
        "low": "text 1, sound 4",
    }
    assert second.takes[0].kept.decision == Decision("accept")


def test_what_the_source_calls_so_is_a_candidate_however_it_ranks(lake, embedded):
    found = candidates(lake, KETTLE, default_banks(), 1, ENCODERS)
    assert [(one.asset["title"], one.rank) for one in found.takes] == [("low", 1), ("high", None)]


def test_without_vectors_it_says_so(lake, takes):
    found = candidates(lake, KETTLE, default_banks(), encoders=ENCODERS)
    assert sorted(order(found)) == ["high", "low"]
    assert found.ranked_by.startswith("Not ranked: nothing to compare with")


def test_a_take_that_must_not_be_mixed_is_no_candidate(lake, embedded):
    row = {**lake.rows("SELECT * FROM assets WHERE title = 'low'")[0], "licence": "LicenseRef-Proprietary"}
    lake.table("assets").merge([row])
    assert order(candidates(lake, KETTLE, default_banks(), encoders=ENCODERS)) == ["bell", "high", "loose"]


def test_an_identifier_that_no_bank_has(lake):
    with pytest.raises(NotFound, match="no sound 'home_indoor/kettle' in the banks"):
        candidates(lake, "home_indoor/kettle", default_banks())
