"""Decisions about takes: kept one by one, and what may be mixed goes by the last."""

import pytest

from sonolake.audition import Decision, coverage, decisions_of, takes_of
from sonolake.audition.decisions import decide, decision_of
from sonolake.cares.banks import default_banks
from sonolake.errors import InvalidInput
from sonolake.pages.refusals import Conflict

KETTLE, DOORBELL = "home_indoor/kettle_whistle", "home_indoor/doorbell"


def test_every_decision_is_kept_and_the_last_one_counts(lake, takes):
    low = takes["low"]
    assert decide(lake, KETTLE, low, Decision("reject"), "ann", 0).seq == 1
    assert decide(lake, KETTLE, low, Decision("accept", True, (0.5, 2.0)), "ben", 1).seq == 2
    rows = lake.rows("SELECT item, question, rater FROM judgements ORDER BY decided_at")
    assert [row["rater"] for row in rows] == ["ann", "ben"]
    assert {(row["item"], row["question"]) for row in rows} == {(low, f"audition:{KETTLE}")}
    last = decisions_of(lake)[KETTLE][low]
    assert (last.decision, last.seq, last.rater) == (Decision("accept", True, (0.5, 2.0)), 2, "ben")


def test_whoever_saw_an_older_decision_is_told(lake, takes):
    decide(lake, KETTLE, takes["low"], Decision("reject"), "ann", 0)
    with pytest.raises(Conflict, match="elsewhere"):
        decide(lake, KETTLE, takes["low"], Decision("accept"), "ben", 0)
    again = decide(lake, KETTLE, takes["low"], Decision("reject"), "ann", 0)
    assert again.seq == 1, "the same once more, such as after a broken connection"
    assert len(lake.rows("SELECT * FROM judgements")) == 1


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"verdict": "perhaps"},
        {"verdict": 1},
        {"single_source": "yes"},
        {"trim_s": [1]},
        {"trim_s": ["0", "1"]},
        {"trim_s": [1.0, 1.05]},
        {"trim_s": [-1.0, 1.0]},
        {"trim_s": [float("nan"), 1.0]},
    ],
)
def test_what_is_no_decision(data):
    with pytest.raises(InvalidInput):
        decision_of(data)


def test_mixes_go_by_the_decisions(lake, takes):
    def usable():
        return {(t.event, t.asset_id): (t.split, t.trim_s) for t in takes_of(lake)}

    before = usable()
    assert set(before) == {(KETTLE, takes["low"]), (KETTLE, takes["high"]), (DOORBELL, takes["bell"])}
    decide(lake, KETTLE, takes["low"], Decision("reject"), "ann", 0)
    decide(lake, KETTLE, takes["high"], Decision("", None, (0.4, 1.5)), "ann", 0)
    decide(lake, KETTLE, takes["loose"], Decision("accept"), "ann", 0)
    decide(lake, KETTLE, takes["bell"], Decision("accept"), "ann", 0)
    assert usable() == {
        (KETTLE, takes["high"]): ("test", (0.4, 1.5)),
        (KETTLE, takes["loose"]): ("validation", None),
        (KETTLE, takes["bell"]): ("train", None),
        (DOORBELL, takes["bell"]): ("train", None),
    }
    decide(lake, KETTLE, takes["low"], Decision(), "ann", 1)
    assert usable()[KETTLE, takes["low"]] == ("train", None), "undone"


def test_coverage_counts_by_identifier_and_split(lake, takes):
    decide(lake, KETTLE, takes["low"], Decision("accept", True), "ann", 0)
    decide(lake, KETTLE, takes["high"], Decision("reject", True), "ann", 0)
    rows = {(row.event, row.split): row for row in coverage(lake, default_banks())}
    assert len({event for event, _ in rows}) == 219, "what mouths do is heard in scenes as well"
    assert {split: rows[KETTLE, split].wanted for split in ("train", "validation", "test")} == {
        "train": 20,
        "validation": 5,
        "test": 5,
    }
    train, test = rows[KETTLE, "train"], rows[KETTLE, "test"]
    assert (train.takes, train.accepted, train.single_source, train.rejected) == (1, 1, 1, 0)
    assert (test.takes, test.accepted, test.single_source, test.rejected) == (0, 0, 0, 1)
