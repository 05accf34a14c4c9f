"""The flow that makes CARES scenes."""

from __future__ import annotations

from collections.abc import Sequence

from prefect import flow

from flows.running import in_batches, pool, run_in, up_to_limit
from flows.splitting import split
from sonolake.cares.records import Scenario
from sonolake.cares.settings import MixSettings
from sonolake.cares.writers import Plan
from sonolake.errors import LimitReached
from sonolake.lake.step import Counts
from tasks.dialogues import EMBEDDED, Writing, preview_dialogues, ready, write_dialogues
from tasks.opening import lake_at
from tasks.scenes import render_scenes
from tasks.scripts import allocate_scenarios, make_templates, scenarios, split_templates, split_voices
from tasks.situations import find_situations, require_situations, writer_of

BATCH = 2
WRITTEN_AT_ONCE = 40
"""Dialogues of a chat model committed together."""


@flow(
    task_runner=pool(),
    name="cares",
    description="Templates, dialogues, speech and mixes of CARES scenes.",
)
def cares(
    lake: str,
    templates: int = 100,
    scenes: int = 1000,
    short: bool = False,
    writer: str = EMBEDDED,
    budget: float | None = None,
    price_in: float = 0.0,
    price_out: float = 0.0,
    requests: int = 0,
    in_batches_of_provider: bool = False,
    voices: tuple[str, ...] = (),
    least_confidence: float = MixSettings.least_confidence,
    situations: str = EMBEDDED,
    text_licence: str = "",
) -> dict[str, Counts]:
    """Make ``scenes`` scenes from ``templates`` templates, those that are there included.

    ``writer`` and what follows up to ``voices`` are those of :class:`tasks.dialogues.Writing`; ``voices`` are specs of
    :func:`sonolake.models.endpoints.voice`, without any those that are installed. ``situations`` is the source of the
    templates, one of :func:`tasks.situations.require_situations`; ``text_licence`` that of texts of others.
    """
    how = Writing(
        writer,
        "short" if short else "paper",
        budget,
        price_in,
        price_out,
        requests,
        in_batches=in_batches_of_provider,
        licence=text_licence,
    )
    require_situations(situations, how)
    split(lake)
    asked = {"templates": templates, "scenes": scenes, "short": short, "writer": writer}
    asked |= {"voices": list(voices), "least_confidence": least_confidence, "situations": situations}
    with run_in(lake, "cares", asked) as run:
        todo = _scenarios(lake, run.run_id, templates, scenes, voices, how, situations)
        stopped = _write(lake, run.run_id, todo, how)
        if how.writer != EMBEDDED:
            todo = ready(lake_at(lake), todo)
        in_batches(
            "render scenes",
            todo,
            BATCH,
            lambda some: render_scenes.submit(
                lake, run.run_id, some, how.length, voices=voices, least_confidence=least_confidence
            ),
        )
        if stopped is not None:
            raise stopped
        return run.counts()


@flow(name="cares-preview", description="Five dialogues of a chat model, and what all may cost.")
def preview(
    lake: str,
    templates: int,
    scenes: int,
    short: bool,
    writer: str,
    price_in: float = 0.0,
    price_out: float = 0.0,
    voices: tuple[str, ...] = (),
    situations: str = EMBEDDED,
    text_licence: str = "",
) -> Plan:
    """Allocate what is missing, write five dialogues, and say what the rest may take."""
    how = Writing(writer, "short" if short else "paper", None, price_in, price_out, licence=text_licence)
    require_situations(situations, how)
    split(lake)
    asked = {"templates": templates, "scenes": scenes, "writer": writer, "situations": situations}
    with run_in(lake, "cares-preview", asked) as run:
        todo = _scenarios(lake, run.run_id, templates, scenes, voices, how, situations)
        return preview_dialogues(lake, run.run_id, todo, how)


def _scenarios(
    lake: str,
    run_id: str,
    templates: int,
    scenes: int,
    voices: tuple[str, ...],
    how: Writing,
    situations: str,
) -> list[Scenario]:
    found = find_situations(lake, run_id, templates, situations, how)
    make_templates(lake, run_id, templates, found, writer_of(situations, how))
    split_templates(lake, run_id)
    split_voices(lake, run_id, voices)
    allocate_scenarios(lake, run_id, scenes, voices)
    return scenarios(lake_at(lake))[:scenes]


def _write(lake: str, run_id: str, todo: Sequence[Scenario], how: Writing) -> LimitReached | None:
    """Write what a chat model or a file is to write; the limit, if that ended it early."""
    if how.writer == EMBEDDED:
        return None
    size = len(todo) if how.in_batches or not how.asks_a_model else WRITTEN_AT_ONCE
    return up_to_limit(
        "write dialogues", todo, max(1, size), lambda some: write_dialogues(lake, run_id, some, how)
    )
