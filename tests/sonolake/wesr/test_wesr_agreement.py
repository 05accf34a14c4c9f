"""Agreement against kappas worked out by hand."""

import pytest

from sonolake.wesr.annotation.agreement import Table, agreement, places, table
from sonolake.wesr.annotation.editing import Marks
from sonolake.wesr.annotation.store import Project
from sonolake.wesr.annotation.tasks import Task
from sonolake.wesr.tagged import Span


def test_kappa_by_hand():
    # Cohen (1960): observed 0.7, expected 0.5 · 0.6 + 0.5 · 0.4 = 0.5
    assert Table(20, 5, 10, 15).kappa == pytest.approx(0.4)
    assert Table(5, 0, 0, 5).kappa == 1.0
    assert Table(0, 5, 5, 0).kappa == -1.0
    assert Table(0, 0, 0, 9).kappa is None
    assert Table(0, 0, 0, 0).kappa is None


def test_places_are_gaps_and_words():
    marks = Marks(((2, "laughs"),), (Span("singing", 0, 1),))
    assert places(marks) == {("laughs", 4), ("singing", 1), ("singing", 3)}


def test_a_discrete_tag_is_compared_at_gaps_and_a_continuous_one_at_words():
    one, other = (
        places(Marks(((0, "cough"),), (Span("singing", 0, 2),))),
        places(Marks((), (Span("singing", 1, 2),))),
    )
    assert table("cough", [one], [other], [4]) == Table(0, 1, 0, 4)
    assert table("singing", [one], [other], [4]) == Table(2, 1, 0, 1)


def test_agreement_of_a_project(tmp_path):
    tasks = [Task(name, "a.wav", "a b c d") for name in "wxyz"]
    gold = Task("g", "a.wav", "a", gold="[cough] a")
    with Project.create(tmp_path / "p.sqlite", [*tasks, gold]) as project:
        answers = {
            "ann": {"w": (0,), "x": (1,), "y": (), "z": (2,)},
            "ben": {"w": (0,), "x": (2,), "y": ()},
            "cyn": {"w": (0,), "g": (0,)},
        }
        for rater, done in answers.items():
            for name, gaps in done.items():
                marks = Marks(tuple((gap, "cough") for gap in gaps))
                project.act(rater, name, "done", marks, done=True, base=0)
        project.act("ben", "z", "insert", Marks(((4, "sigh"),)), done=False, base=0)
        found = agreement(project)
    assert (found.annotators, found.tasks) == (("ann", "ben", "cyn"), 3)
    # ann and ben, 15 gaps: one alike, one each alone, 12 without; observed 13/15, expected (2·2 + 13·13)/225
    first = (13 / 15 - 173 / 225) / (1 - 173 / 225)
    assert found.per_tag["cough"] == pytest.approx((first + 1.0 + 1.0) / 3)
    assert found.per_tag["sigh"] is None
    assert found.marked["cough"] == 6
    assert found.overall is not None
