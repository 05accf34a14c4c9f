"""Annotation projects and lakes: tasks out of one, judgements into it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.wesr.annotation.store import Project
from sonolake.wesr.annotation.tasks import Task
from sonolake.wesr.automatic.placing import times_onto
from sonolake.wesr.writing import without_tags

QUESTIONS = {"annotator": "wesr:annotation", "adjudicator": "wesr:gold"}
"""What a judgement answers, by role; the answer is the tagged text."""


def tasks_of_lake(folder: Path, where: str) -> list[Task]:
    """Utterances with a transcript as tasks, words at the times where the recogniser heard them.

    Nothing of how they were found comes along.

    Raises:
        InvalidInput: when there are none.
    """
    from sonolake.lake import Lake

    with Lake.open(folder, read_only=True) as lake:
        rows = lake.rows(
            "SELECT utterance_id, audio, transcript, language, words, end_s - start_s AS length_s FROM utterances"
            f" WHERE transcript IS NOT NULL AND trim(transcript) <> '' AND ({where})"
        )
    if not rows:
        raise InvalidInput(
            "--where", "utterances with a transcript", where, "the recordings have no transcripts"
        )
    return [_task(row) for row in rows]


def _task(row: Mapping[str, Any]) -> Task:
    text = without_tags(row["transcript"])
    heard = [(word["text"], word["start_s"], word["end_s"]) for word in json.loads(row["words"] or "[]")]
    times = tuple(times_onto(text, heard, row["length_s"])) if heard else ()
    return Task(row["utterance_id"], f"media:{row['audio']}", text, row["language"] or "", times)


def collected(project: Project, folder: Path) -> tuple[int, int]:
    """Append what is done and not there yet to ``judgements``; how many were new, and how many there."""
    from sonolake.lake import Lake

    last = {(a["role"], a["rater"], a["task"]): a["at"] for a in project.actions()}
    rows = []
    for role in ("annotator", "adjudicator"):
        for rater, states in project.states("adjudicator" if role == "adjudicator" else "annotator").items():
            for task in project.work:
                state = states.get(task.name)
                if state and state.done:
                    rows.append(
                        {
                            "item": task.name,
                            "question": QUESTIONS[role],
                            "answer": state.marks.on(task.text),
                            "rater": rater,
                            "decided_at": datetime.fromisoformat(last[role, rater, task.name]),
                        }
                    )
    keys = ("item", "question", "answer", "rater")
    with Lake.open(folder) as lake:
        there = {tuple(r[k] for k in keys) for r in lake.rows(f"SELECT {', '.join(keys)} FROM judgements")}
        new = [row for row in rows if tuple(row[k] for k in keys) not in there]
        if new:
            lake.table("judgements").append(new, f"annotations of {project.path.name}")
    return len(new), len(rows) - len(new)
