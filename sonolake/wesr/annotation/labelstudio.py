"""Label Studio: the same tasks and annotations there, with the tagged transcript in a text field.

The layout is that of its JSON export: a list of tasks with ``data`` and ``annotations``, each of these with ``result``
entries of ``from_name``, ``to_name``, ``type`` and ``value``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.pages.refusals import Conflict
from sonolake.wesr.annotation.editing import Marks, marks_in
from sonolake.wesr.annotation.store import Project
from sonolake.wesr.annotation.tasks import Task

FIELD = "tagged"
CONFIG = f"""<View>
  <Audio name="audio" value="$audio"/>
  <Header value="Put [tag] between words, and &lt;tag&gt; &lt;/tag&gt; around words."/>
  <TextArea name="{FIELD}" toName="audio" value="$text" editable="true" maxSubmissions="1" rows="4"/>
</View>
"""
"""What to paste into the labelling set-up of a project there."""


@dataclass(frozen=True)
class Left:
    """An annotation that could not be taken: of which task, by whom, and why."""

    task: str
    rater: str
    why: str


def exported(project: Project) -> list[dict[str, Any]]:
    """All tasks but gold items with the annotations that are done."""
    states = project.states()
    return [
        {
            "id": number,
            "data": {"audio": task.audio, "text": task.text, "name": task.name, "language": task.language},
            "annotations": [
                {"completed_by": {"email": rater}, "result": [_result(task, answers[task.name].marks)]}
                for rater, answers in states.items()
                if task.name in answers and answers[task.name].done
            ],
        }
        for number, task in enumerate(project.work, 1)
    ]


def _result(task: Task, marks: Marks) -> dict[str, Any]:
    value = {"text": [marks.on(task.text)]}
    return {"id": "tagged-1", "from_name": FIELD, "to_name": "audio", "type": "textarea", "value": value}


def read_export(path: Path) -> list[Mapping[str, Any]]:
    """The tasks of an export.

    Raises:
        InvalidInput: when it is no list of tasks.
    """
    try:
        rows = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(str(path), "a JSON export of Label Studio", str(error)) from None
    if not isinstance(rows, list) or not all(
        isinstance(r, dict) and isinstance(r.get("data"), dict) for r in rows
    ):
        raise InvalidInput(str(path), "a list of tasks with data", type(rows).__name__)
    return rows


def tasks_of(rows: list[Mapping[str, Any]]) -> list[Task]:
    """The tasks of an export as tasks here; those without a recording or a text are left out."""
    found = {}
    for row in rows:
        data = row["data"]
        audio, text = data.get("audio"), data.get("text")
        if isinstance(audio, str) and isinstance(text, str):
            name = str(data.get("name") or row.get("id") or audio)
            found[name] = Task(name, audio, text, str(data.get("language") or ""))
    return list(found.values())


def imported(project: Project, rows: list[Mapping[str, Any]]) -> tuple[int, list[Left]]:
    """Take the annotations of an export into a project, each under its annotator.

    Returns:
        How many were taken, and those that were not: other words, half a tag, no such task, an annotator who has worked
        on the task here.
    """
    taken, left = 0, []
    for row in rows:
        name = str(row["data"].get("name") or row.get("id") or row["data"].get("audio"))
        for annotation in _annotations(row):
            rater = _rater(annotation.get("completed_by"))
            try:
                text = _text(annotation)
                marks = marks_in(text, project.task(name).text)
                project.act(rater, name, "import", marks, done=True, base=0)
                taken += 1
            except Conflict:
                left.append(Left(name, rater, "has been worked on here"))
            except (InvalidInput, LookupError) as error:
                left.append(Left(name, rater, str(error)))
    return taken, left


def _annotations(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = row.get("annotations")
    return [a for a in found if isinstance(a, dict)] if isinstance(found, list) else []


def _rater(who: Any) -> str:
    if isinstance(who, dict):
        return str(who.get("email") or who.get("id") or "unknown")
    return "unknown" if who is None else str(who)


def _text(annotation: Mapping[str, Any]) -> str:
    for result in annotation.get("result") or ():
        if isinstance(result, dict) and result.get("from_name") == FIELD:
            text = result.get("value", {}).get("text")
            first = text[0] if isinstance(text, list) and text else text
            if isinstance(first, str):
                return first
    raise InvalidInput("annotation", f"a text under {FIELD!r}", "none")
