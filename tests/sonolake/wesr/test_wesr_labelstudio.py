"""The way to Label Studio and back, half-written tags included."""

import json
import xml.dom.minidom

import pytest

from sonolake.errors import InvalidInput
from sonolake.wesr.annotation.editing import Marks
from sonolake.wesr.annotation.labelstudio import CONFIG, FIELD, exported, imported, read_export, tasks_of
from sonolake.wesr.annotation.store import Project
from sonolake.wesr.annotation.tasks import Task

TASKS = [Task("a", "a.wav", "one two", "en"), Task("b", "b.wav", "三四", "zh")]


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "p.sqlite", [*TASKS, Task("g", "g.wav", "x", gold="[cough] x")]) as made:
        made.act("ann", "a", "done", Marks(((1, "laughs"),)), done=True, base=0)
        made.act("ann", "b", "insert", Marks(((0, "sigh"),)), done=False, base=0)
        yield made


def answer(text, who):
    return {
        "completed_by": who,
        "result": [{"from_name": FIELD, "type": "textarea", "value": {"text": [text]}}],
    }


def test_there_and_back(tmp_path, project):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(exported(project)))
    rows = read_export(path)
    assert tasks_of(rows) == TASKS, "gold items stay here"
    with Project.create(tmp_path / "other.sqlite", tasks_of(rows)) as other:
        assert imported(other, rows) == (1, [])
        state = other.state("ann", "a")
        assert (state.marks, state.done) == (Marks(((1, "laughs"),)), True)
        assert "b" not in other.done("ann"), "what was not done is not handed on"


def test_the_set_up_is_xml():
    names = [
        e.tagName for e in xml.dom.minidom.parseString(CONFIG).documentElement.childNodes if e.nodeType == 1
    ]
    assert names == ["Audio", "Header", "TextArea"]


def test_what_cannot_be_taken_is_told(project):
    rows = [
        {"id": 1, "data": {"name": "a"}, "annotations": [
            answer("one [laughs] two", 7),
            answer("one [laugh two", {"email": "b@x"}),
            answer("one [yawn] two", {"id": 3}),
            answer("one three", None),
            answer("one two", "ann"),
            {"completed_by": 9, "result": []},
            "not an annotation",
        ]},
        {"id": 2, "data": {"name": "nobody"}, "annotations": [answer("x", 1)]},
        {"id": 3, "data": {"name": "b"}, "annotations": None},
    ]  # fmt: skip
    taken, left = imported(project, rows)
    assert taken == 1
    assert project.state("7", "a").marks == Marks(((1, "laughs"),))
    assert [(one.task, one.rater) for one in left] == [
        ("a", "b@x"), ("a", "3"), ("a", "unknown"), ("a", "ann"), ("a", "9"), ("nobody", "1")
    ]  # fmt: skip
    assert "broken_bracket" in left[0].why
    assert left[3].why == "has been worked on here"


@pytest.mark.parametrize("text", ["{", '{"a": 1}', "[1]", '[{"id": 1}]'])
def test_files_that_are_no_exports(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InvalidInput, match=r"Label Studio|list of tasks"):
        read_export(tmp_path / "x.json")
