"""A folder that the harness is given by ``--include_path``: a folder a benchmark, with all that its tasks need."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sonolake.cares.benchmark.audio import MUTED, SCENES
from sonolake.cares.benchmark.files import row_of
from sonolake.cares.benchmark.questions import question, question_set
from sonolake.cares.benchmark.records import BUDGETS
from sonolake.cares.benchmark.records import Item as Question
from sonolake.errors import Refused
from sonolake.releases.exports.benchmarks import Benchmarks, lines
from sonolake.releases.exports.harness import cares_task, common, rms_aqa_task, wesr_task
from sonolake.releases.exports.harness.yaml import Task, group_text, task_text
from sonolake.releases.exports.scorers.assembling import Place, assemble
from sonolake.releases.exports.scorers.writing import SCORERS, readings
from sonolake.releases.exports.source import Source
from sonolake.releases.exports.writer import Made
from sonolake.spatial.benchmark.prompt import conversation_of, prompts_id
from sonolake.spatial.benchmark.records import Record
from sonolake.wesr.prompt import prompt as wesr_prompt
from sonolake.wesr.prompt import prompt_id

_REACTIONS = tuple((name, name, True) for name in ("balanced_accuracy", "accuracy", "macro_f1"))
_ACCURACY = (("accuracy", "accuracy", True),)
_MEAN = (("accuracy", "mean", True),)
_BOTH = (("stage_1", "mean", True), ("stage_2", "mean", True), ("grounded", "mean", True))
CARES = (
    Task("cares_reactions", "reactions.jsonl", "process_reactions", _REACTIONS),
    Task("cares_muted", "muted.jsonl", "process_reactions", _REACTIONS),
    Task("cares_scene", "scene.jsonl", "process_choice", _ACCURACY),
    Task("cares_sounds", "sounds.jsonl", "process_choice", _ACCURACY),
    *(
        Task(
            f"cares_summary_{budget}",
            f"summary-{budget}.jsonl",
            "process_summary",
            (("recall", "recall", True),),
        )
        for budget in BUDGETS
    ),
)
RMS_AQA = (
    Task("rms_aqa_stage_1", "stage-1.jsonl", "process_stage", _MEAN),
    Task("rms_aqa_stage_2", "stage-2.jsonl", "process_stage", _MEAN),
    Task("rms_aqa_stage_2_oracle", "stage-2-oracle.jsonl", "process_stage", _MEAN),
    Task("rms_aqa_grounded", "grounded.jsonl", "process_both", _BOTH, "conversation", True),
)
WESR = (
    Task(
        "wesr",
        "utterances.jsonl",
        "process",
        tuple((name, name, name != "wer") for name in ("macro_f1", "micro_f1", "macro_f1_of_21", "wer")),
    ),
)
_OPENING = """
import sys
import types

__name__ = "sonolake_tasks_{name}"
sys.modules.setdefault(__name__, types.ModuleType(__name__))
"""
"""The harness runs the file without a place among modules, where dataclasses look for theirs."""
_ABOUT = """# Benchmarks of {release} as tasks of lmms-eval

    python -m lmms_eval --model MODEL --include_path THIS_FOLDER --tasks {tasks}

Prompts are fixed and stand in the rows; they are the ones that `sonolake score … --ask` uses. Sounds are the
release's own files. Four-channel clips are first-order Ambisonics (AmbiX: W, Y, Z, X): a model gets W unless its
YAML says `channels: all`, then an array of frames and channels; nothing is ever mixed down.
"""


def write_tasks(source: Source, folder: Path) -> Made:
    """Write the tasks of each benchmark that the release has; items are questions here.

    Raises:
        Refused: when it has none.
    """
    found = Benchmarks(source)
    made = {
        "cares": _cares(found, folder / "cares"),
        "rms_aqa": _rms_aqa(found, folder / "rms_aqa"),
        "wesr": _wesr(found, folder / "wesr"),
    }
    if not any(made.values()):
        raise Refused(f"{source.about.release} has no benchmark among what is chosen")
    tasks = ",".join(name for name, count in made.items() if count)
    text = _ABOUT.format(release=source.about.release, tasks=tasks)
    (folder / "README.md").write_text(text, encoding="utf-8")
    return sum(made.values()), []


def _cares(found: Benchmarks, folder: Path) -> int:
    asked = found.cares
    if not asked:
        return 0
    audio = _sounds(found.source.only(SCENES), folder, {q.scene_id for q in asked if q.task != "muted"})
    audio |= _sounds(found.source.only(MUTED), folder, {q.item_id for q in asked if q.task == "muted"})
    rows: dict[str, list[dict[str, Any]]] = {}
    for q in asked:
        for budget in BUDGETS if q.task == "summary" else (0,):
            name = f"summary-{budget}.jsonl" if budget else f"{q.task}.jsonl"
            rows.setdefault(name, []).append(_question(q, budget, audio))
    for name, ours in rows.items():
        lines(iter(ours), folder / name)
    _functions(folder, cares_task.__name__, cares_task.NAMES, SCORERS["cares"].instead)
    tasks = [task for task in CARES if task.data in rows]
    _yaml(folder, "cares", tasks, found.source, question_set())
    return sum(map(len, rows.values()))


def _question(q: Question, budget: int, audio: Mapping[str, str]) -> dict[str, Any]:
    return {
        "item_id": q.item_id,
        "prompt": question(q, budget or None),
        "audio": audio[q.item_id if q.task == "muted" else q.scene_id],
        "answer": q.answer,
        "budget": budget,
        "item": json.dumps(row_of(q), ensure_ascii=False),
    }


def _rms_aqa(found: Benchmarks, folder: Path) -> int:
    records = list(found.records())
    if not records:
        return 0
    audio = _sounds(found.clips, folder, {record.clip_id for record in records})
    rows = {
        "stage-1.jsonl": [_stage(record, 1, "no", audio) for record in records],
        "stage-2.jsonl": [_stage(record, 2, "no", audio) for record in records],
        "stage-2-oracle.jsonl": [_stage(record, 2, "oracle", audio) for record in records],
        "grounded.jsonl": [_both(record, audio) for record in records],
    }
    for name, ours in rows.items():
        lines(iter(ours), folder / name)
    _functions(folder, rms_aqa_task.__name__, rms_aqa_task.NAMES, {})
    _yaml(folder, "rms_aqa", RMS_AQA, found.source, prompts_id())
    return sum(map(len, rows.values()))


def _stage(record: Record, stage: int, context: str, audio: Mapping[str, str]) -> dict[str, Any]:
    query = record.stage_1 if stage == 1 else record.stage_2
    return {
        "question_id": query.question_id,
        "dimension": record.dimension,
        "prompt": "\n\n".join(conversation_of(record, stage, context)),
        "audio": audio[record.clip_id],
        "letters": "".join(query.options),
        "answer": query.answer,
    }


def _both(record: Record, audio: Mapping[str, str]) -> dict[str, Any]:
    first, _, second = conversation_of(record, 2, "oracle")
    first_answer = {"letters_1": "".join(record.stage_1.options), "answer_1": record.stage_1.answer}
    return {**_stage(record, 2, "no", audio), **first_answer, "prompt": first, "second": second}


def _wesr(found: Benchmarks, folder: Path) -> int:
    references = list(found.references())
    if not references:
        return 0
    audio = _sounds(found.utterances, folder, {row["id"] for row in references})
    asked = wesr_prompt()
    rows = (
        {**row, "prompt": asked, "audio": audio[row["id"]], "answer": row["sentence"]} for row in references
    )
    count = lines(rows, folder / "utterances.jsonl")
    scorer = SCORERS["wesr"]
    texts = {(scorer.module, "READINGS"): f"'''\n{readings()}'''"}
    _functions(folder, wesr_task.__name__, wesr_task.NAMES, scorer.instead, texts)
    _yaml(folder, "", WESR, found.source, prompt_id())
    return count


def _sounds(source: Source, folder: Path, wanted: set[str]) -> dict[str, str]:
    """Write the sounds of these items; their paths by item."""
    found = {}
    (folder / "audio").mkdir(parents=True, exist_ok=True)
    for item in source.items():
        if item.item_id in wanted and item.sound is not None:
            found[item.item_id] = f"audio/{item.key}.{item.suffix}"
            (folder / found[item.item_id]).write_bytes(item.sound)
    return found


def _functions(
    folder: Path,
    module: str,
    names: Iterable[str],
    instead: Mapping[Place, Place],
    texts: Mapping[Place, str] | None = None,
) -> None:
    roots = [*((module, name) for name in names), *((common.__name__, name) for name in common.NAMES)]
    head = "Functions of these tasks, put together from sonolake (Apache-2.0)."
    text = assemble(head, roots, instead, texts, _OPENING.format(name=folder.name))
    (folder / "utils.py").write_text(text, encoding="utf-8")


def _yaml(folder: Path, group: str, tasks: Iterable[Task], source: Source, prompts: str) -> None:
    kept = list(tasks)
    for task in kept:
        text = task_text(task, source.about.release, prompts)
        (folder / f"{task.name}.yaml").write_text(text, encoding="utf-8")
    if group:
        (folder / f"{group}.yaml").write_text(group_text(group, kept), encoding="utf-8")
