"""CARES: templates that the embedded writer does not make: by a chat model, or from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from prefect import task

from sonolake.cares.banks import default_banks
from sonolake.cares.records import Template
from sonolake.cares.writers import chat_templates, import_templates
from sonolake.datasets.crediting import credit, credit_of_writer
from sonolake.errors import InvalidInput
from sonolake.ids import sha256_hex
from tasks.answers import asking
from tasks.dialogues import EMBEDDED, Writing
from tasks.opening import lake_at

MODEL = "model"
"""The situations of the chat model that writes the dialogues."""


def require_situations(source: str, how: Writing) -> None:
    """Let templates pass that the writer of the dialogues can write about.

    Args:
        source: ``embedded``, ``model``, or a file of JSON lines.
        how: who writes the dialogues.

    Raises:
        InvalidInput: for others.
    """
    if source == EMBEDDED:
        return
    if source == MODEL and not how.asks_a_model:
        raise InvalidInput("situations", "model only with a chat model as writer", how.writer)
    if source != MODEL and not Path(source).is_file():
        raise InvalidInput("situations", "embedded, model, or a file that is there", source)
    if how.writer == EMBEDDED:
        allowed = "a chat model or a file of dialogues: the embedded writer knows its own templates alone"
        raise InvalidInput("writer", allowed, how.writer)


def writer_of(source: str, how: Writing) -> str:
    """Who wrote the situations of a source, for lineage and credits; empty for the banks."""
    if source == EMBEDDED:
        return ""
    if source == MODEL:
        return f"chat:{how.writer} situations"
    path = Path(source)
    return f"imported:{path.name}@{sha256_hex(path.read_bytes())[:12]}"


@task(persist_result=False)
def find_situations(
    lake: str, run_id: str, count: int, source: str, how: Writing
) -> Sequence[Template] | None:
    """The first ``count`` templates of a source; None for the embedded writer's.

    Raises:
        InvalidInput: for a file with fewer.
        ItemRefused: ``no_answer``, when the model brings nothing new any more.
        LimitReached: at the budget; what was answered is kept.
    """
    if source == EMBEDDED:
        return None
    credit(lake_at(lake), run_id, [credit_of_writer(writer_of(source, how), how.licence, "situations")])
    if source == MODEL:
        themes = dict.fromkeys((m.category, m.theme) for m in default_banks().matters.values())
        with asking(lake_at(lake), run_id, how.writer, how) as asker:
            return chat_templates(count, asker, tuple(themes))
    found = import_templates(Path(source))
    if len(found) < count:
        raise InvalidInput("templates", f"at most {len(found)}, as in {source}", count)
    return found[:count]
