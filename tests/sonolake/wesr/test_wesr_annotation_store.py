"""Projects: every action on disk at once, nothing overwritten, qualification, marks and texts."""

import json
import sqlite3
import subprocess
import sys
import threading

import pytest

from sonolake.errors import InvalidInput, NotFound, Refused
from sonolake.pages.refusals import Conflict
from sonolake.wesr.annotation.editing import NO_MARKS, Marks, marks_in, marks_of
from sonolake.wesr.annotation.qualification import feedback, judge, standing
from sonolake.wesr.annotation.store import Project
from sonolake.wesr.annotation.tasks import Task, blind, estimated, read_tasks
from sonolake.wesr.tagged import Span

LAUGH = Marks(((1, "laughs"),))
TASKS = [Task("a", "a.wav", "one two three"), Task("b", "b.wav", "四五", "zh")]
GOLD = [
    Task("g1", "g.wav", "one two", gold="one [laughs] two"),
    Task("g2", "g.wav", "one two", gold="<singing> one two </singing>"),
]


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "p.sqlite", TASKS) as made:
        yield made


@pytest.fixture
def qualifying(tmp_path):
    with Project.create(tmp_path / "q.sqlite", [*TASKS, *GOLD], threshold=0.7) as made:
        yield made


def test_an_action_is_the_new_state(project):
    first = project.act("ann", "a", "insert", LAUGH, done=False, base=0)
    second = project.act("ann", "a", "done", LAUGH, done=True, base=first.seq)
    assert project.state("ann", "a") == second
    assert project.state("ben", "a").seq == 0
    assert project.states() == {"ann": {"a": second}}
    assert project.done("ann") == {"a"}
    assert [(row["kind"], row["rater"]) for row in project.actions()] == [("insert", "ann"), ("done", "ann")]


def test_a_stale_window_is_told(project):
    project.act("ann", "a", "insert", LAUGH, done=False, base=0)
    with pytest.raises(Conflict, match="another window"):
        project.act("ann", "a", "insert", Marks(((0, "cough"),)), done=False, base=0)
    # the same action sent again, since its answer was lost
    assert project.act("ann", "a", "insert", LAUGH, done=False, base=0).marks == LAUGH
    assert len(project.actions()) == 1


def test_actions_are_never_changed(project):
    project.act("ann", "a", "insert", LAUGH, done=False, base=0)
    with sqlite3.connect(project.path) as db:
        for sql in ("UPDATE actions SET rater = 'x'", "DELETE FROM actions"):
            with pytest.raises(sqlite3.DatabaseError, match="append-only"):
                db.execute(sql)
    db.close()


def test_what_a_killed_process_did_is_there(project):
    code = (
        "import os, sys; from pathlib import Path; from sonolake.wesr.annotation.store import Project\n"
        "from sonolake.wesr.annotation.editing import Marks\n"
        "p = Project(Path(sys.argv[1])); base = 0\n"
        "for gap in range(4):\n"
        "    base = p.act('ann', 'a', 'insert', Marks(((gap, 'laughs'),)), done=False, base=base).seq\n"
        "os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(project.path)]).returncode == -9
    assert project.state("ann", "a").marks == Marks(((3, "laughs"),))
    assert len(project.actions()) == 4


def test_many_at_once(project):
    def work(rater):
        state = project.state(rater, "a")
        for gap in range(4):
            state = project.act(rater, "a", "insert", Marks(((gap, "sigh"),)), done=False, base=state.seq)

    threads = [threading.Thread(target=work, args=(f"r{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(project.actions()) == 24
    assert {r: s["a"].marks.points for r, s in project.states().items()} == {
        f"r{n}": ((3, "sigh"),) for n in range(6)
    }


@pytest.mark.parametrize(
    ("task", "marks", "rater", "error"),
    [
        ("a", Marks(((4, "laughs"),)), "ann", InvalidInput),
        ("a", Marks(((0, "yawn"),)), "ann", InvalidInput),
        ("a", Marks((), (Span("singing", 2, 3),)), "ann", InvalidInput),
        ("a", NO_MARKS, " ", InvalidInput),
        ("z", NO_MARKS, "ann", NotFound),
    ],
)
def test_actions_that_cannot_be(project, task, marks, rater, error):
    with pytest.raises(error):
        project.act(rater, task, "insert", marks, done=False, base=0)
    assert project.actions() == []


def test_files_that_are_no_projects(tmp_path, project):
    with pytest.raises(NotFound, match="annotate new"):
        Project(tmp_path / "none.sqlite")
    (tmp_path / "text").write_text("no database at all")
    with pytest.raises(InvalidInput, match="another file"):
        Project(tmp_path / "text")
    with pytest.raises(Refused, match="there already"):
        Project.create(project.path, TASKS)
    with pytest.raises(InvalidInput, match="each name once"):
        Project.create(tmp_path / "twice.sqlite", [TASKS[0], TASKS[0]])


def test_qualification(qualifying):
    assert [task.name for task in qualifying.tasks] == ["g1", "g2", "a", "b"]
    assert (standing(qualifying, "ann").qualified, standing(qualifying, "ann").left) == (False, 2)
    wrong = qualifying.act("ann", "g1", "done", Marks(((0, "laughs"),)), done=True, base=0)
    assert [(m.kind, m.tag) for m in feedback(qualifying, "ann", "g1")] == [("displaced", "laughs")]
    assert judge(qualifying, "ann") is None
    qualifying.act("ann", "g2", "done", Marks((), (Span("singing", 0, 1),)), done=True, base=0)
    # two of three positions right and one made up: F1 = 2·2 / (2·2 + 1 + 1)
    failed = judge(qualifying, "ann")
    assert (failed.f1, failed.passed) == (pytest.approx(4 / 6), False)
    assert standing(qualifying, "ann").left == 2
    state = qualifying.state("ann", "g1")
    assert (state.marks, state.done) == (NO_MARKS, False)
    assert state.seq > wrong.seq
    for name, marks in (("g1", LAUGH), ("g2", Marks((), (Span("singing", 0, 1),)))):
        qualifying.act("ann", name, "done", marks, done=True, base=qualifying.state("ann", name).seq)
    assert judge(qualifying, "ann").passed
    assert standing(qualifying, "ann").qualified
    assert not standing(qualifying, "ben").qualified
    assert judge(qualifying, "ann") is None, "passed once"


def test_without_gold_items_everybody_may_work(project):
    assert standing(project, "ann").qualified


def test_marks_and_texts():
    marks = Marks(((1, "laughs"), (3, "sigh")), (Span("singing", 0, 1),))
    tagged = "<singing> one [laughs] two </singing> three [sigh]"
    assert marks.on("one two three") == tagged
    assert marks_in(tagged, "one two three") == marks
    assert marks_of(json.loads(json.dumps(marks.plain()))) == marks
    assert marks_in("one 【laughter】 two three", "one two three") == LAUGH
    for text, message in [
        ("one two", "the words of"),
        ("one [laugh two three", "broken_bracket"),
        ("<singing> one two three", "unclosed"),
        ("one [yawn] two three", "unknown_tag"),
    ]:
        with pytest.raises(InvalidInput, match=message):
            marks_in(text, "one two three")
    for value in ({}, {"points": 3, "spans": []}, {"points": [["x", "laughs"]], "spans": []}):
        with pytest.raises(InvalidInput, match="points"):
            marks_of(value)


def test_tasks_of_a_file(tmp_path):
    rows = [
        {
            "id": "x",
            "audio": {"path": "x.wav"},
            "text": "one two",
            "language": "en",
            "words": [[0, 0.5], [0.5, 1]],
        },
        {"audio_path": "y.wav", "sentence": "three"},
        {"audio": "z.wav", "gold": "four [cough]"},
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    assert read_tasks(path) == [
        Task("x", "x.wav", "one two", "en", ((0.0, 0.5), (0.5, 1.0))),
        Task("y.wav", "y.wav", "three"),
        Task("z.wav", "z.wav", "four", gold="four [cough]"),
    ]
    for bad, message in [
        ("{", "object with audio.path"),
        ('{"audio": "a", "text": "one [laughs]"}', "t.jsonl:1: expected a transcript without tags"),
        ('{"audio": "a", "text": "one", "words": [[0, 1], [1, 2]]}', "one pair for each of 1 words"),
        ('{"audio": "a", "text": "one", "gold": "two"}', "words of 'one'"),
        ('{"audio": "a", "text": "one"}\n{"audio": "a", "text": "two"}', "not there yet"),
    ]:
        path.write_text(bad)
        with pytest.raises(InvalidInput, match=message):
            read_tasks(path)


def test_the_order_says_nothing():
    tasks = [Task(f"t{n:02}", "a.wav", "x") for n in range(40)]
    ordered = blind(tasks)
    assert ordered != tasks
    assert ordered == blind(tasks[::-1])


def test_times_are_estimated_by_letters():
    assert estimated("aaa b", 1.0, 3.0) == ((1.0, 2.5), (2.5, 3.0))
    assert estimated("", 0.0, 1.0) == ()
