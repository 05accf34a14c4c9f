"""Tasks and groups as the harness reads them. JSON strings are YAML strings, so those are used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

MOST_TOKENS = 512
"""Of an answer. It ends there or where the model ends it: without ``until`` the harness cuts at an empty line."""


@dataclass(frozen=True)
class Task:
    """A task.

    Attributes:
        name: of the task, and of its file. data: of the file with its rows.
        process: the function that takes an answer. metrics: name, function, and whether higher is better.
        text: the function that gives the prompt. rounds: whether it is a conversation.
        tokens: of an answer at most.
    """

    name: str
    data: str
    process: str
    metrics: tuple[tuple[str, str, bool], ...]
    text: str = "prompt"
    rounds: bool = False
    tokens: int = MOST_TOKENS


def task_text(task: Task, release: str, prompts: str) -> str:
    """The YAML of a task; ``prompts`` names the wording."""
    lines = [
        f"task: {json.dumps(task.name)}",
        'dataset_path: "json"',
        "dataset_kwargs:",
        "  data_files:",
        f"    test: {json.dumps(task.data)}",
        'test_split: "test"',
        f"output_type: {json.dumps('generate_until_multi_round' if task.rounds else 'generate_until')}",
        "doc_to_visual: !function utils.sound",
        f"doc_to_text: !function utils.{task.text}",
        'doc_to_target: "answer"',
        "generation_kwargs:",
        f"  max_new_tokens: {task.tokens}",
        "  temperature: 0",
        "  do_sample: false",
        "  until: []",
        f"process_results: !function utils.{task.process}",
        "metric_list:",
    ]
    for metric, function, higher in task.metrics:
        lines += [f"  - metric: {json.dumps(metric)}", f"    aggregation: !function utils.{function}"]
        lines.append(f"    higher_is_better: {json.dumps(higher)}")
    lines += ["lmms_eval_specific_kwargs:", "  default:", '    channels: "first"', "metadata:"]
    lines += [f"  version: {json.dumps(release)}", f"  prompts: {json.dumps(prompts)}"]
    return "\n".join(lines) + "\n"


def group_text(name: str, tasks: Sequence[Task]) -> str:
    """The YAML of a group of tasks."""
    return (
        "\n".join([f"group: {json.dumps(name)}", "task:", *(f"  - {json.dumps(t.name)}" for t in tasks)])
        + "\n"
    )
