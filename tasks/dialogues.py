"""CARES: dialogues by a chat model or from a file, before scenes are made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from prefect import task

from schemas import Dialogues, valid_rows
from sonolake.cares.banks import default_banks
from sonolake.cares.records import Scenario, Timeline
from sonolake.cares.writers import ChatWriter, ImportedWriter, Plan, Writer, Written, plan_run
from sonolake.datasets.crediting import credit, credit_of_writer, stated_licence
from sonolake.datasets.making import make
from sonolake.errors import InvalidInput, ItemRefused, LimitReached
from sonolake.ids import canonical_json
from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.lake.step import Already, Counts, Done
from sonolake.models.chat import Meter, Spent
from tasks.answers import asking
from tasks.opening import run_of
from tasks.scripts import template_of

STEP = "write-dialogues"
CODE_VERSION = "1"
EMBEDDED = "embedded"


@dataclass(frozen=True)
class Writing:
    """Who writes and how.

    Attributes:
        writer: ``embedded``, a chat model (``openai:…``, ``anthropic:…``) or a file of JSON lines.
        length: ``paper`` or ``short``.
        budget: money that the run may take; None for no limit.
        price_in, price_out: for a million tokens sent and received.
        requests: a minute at most; 0 for no limit.
        workers: scenarios written at the same time.
        in_batches: through the provider's batches.
        licence: of what is written, which no provider and no file says; the embedded writer's is its own.

    Raises:
        InvalidInput: for another writer, or none of the licences that allow mixing.
    """

    writer: str = EMBEDDED
    length: str = "paper"
    budget: float | None = None
    price_in: float = 0.0
    price_out: float = 0.0
    requests: int = 0
    workers: int = 8
    in_batches: bool = False
    licence: str = ""

    def __post_init__(self) -> None:
        if self.writer != EMBEDDED and not self.asks_a_model and not Path(self.writer).is_file():
            allowed = "embedded, a chat model such as openai:MODEL@URL, or a file that is there"
            raise InvalidInput("writer", allowed, self.writer)
        if self.writer != EMBEDDED:
            stated_licence(f"what {self.writer} writes", self.licence, "--text-licence CC-BY-4.0")

    @property
    def asks_a_model(self) -> bool:
        """Whether the writer is a chat model."""
        return self.writer.startswith(("openai:", "anthropic:"))


@task(persist_result=False)
def write_dialogues(lake: str, run_id: str, some: Sequence[Scenario], how: Writing) -> tuple[Counts, Spent]:
    """Write the dialogues of some scenarios, and say what the run has taken of the model so far.

    Raises:
        LimitReached: at the budget, when what was written by then is committed.
    """
    run = run_of(lake, "cares", run_id)
    todo = _missing(run.lake, some)
    with _author(run.lake, run_id, how) as (writer, meter):
        credit(run.lake, run_id, [credit_of_writer(writer.name, how.licence)])
        written = _written(writer, todo, run.lake, how)
        waiting = {s.scenario_id for s in todo} - set(_decided(written))
        things = {s.scenario_id: s for s in some if s.scenario_id not in waiting}

        def work(scenario: Scenario) -> Done | Already:
            if scenario.scenario_id in written.refused:
                raise written.refused[scenario.scenario_id]
            if scenario.scenario_id not in written.timelines:
                return Already()
            return _row(scenario, written.timelines[scenario.scenario_id], writer.name, how.length)

        counts = make(
            run,
            STEP,
            things,
            "dialogues",
            "scenario_id",
            work,
            code_version=f"{CODE_VERSION} {writer.name} {how.length}",
        )
    if written.stopped:
        raise LimitReached(written.stopped)
    return counts, meter.spent


@task(persist_result=False)
def preview_dialogues(lake: str, run_id: str, some: Sequence[Scenario], how: Writing) -> Plan:
    """Five dialogues to look at, and what all of ``some`` may cost; their answers are kept for the run itself."""
    if not how.asks_a_model:
        raise InvalidInput("preview", "a chat model as writer: nothing else costs anything", how.writer)
    run = run_of(lake, "cares", run_id)
    with _author(run.lake, run_id, how) as (writer, meter):
        assert isinstance(writer, ChatWriter)
        return plan_run(writer, meter, _missing(run.lake, some), template_of(run.lake))


def ready(lake: Lake, some: Sequence[Scenario]) -> list[Scenario]:
    """Those scenarios that have a dialogue or a scene in the lake."""
    missing = {scenario.scenario_id for scenario in _missing(lake, some)}
    return [scenario for scenario in some if scenario.scenario_id not in missing]


def dialogues_of(lake: Lake, some: Sequence[Scenario]) -> dict[str, tuple[str, Timeline]]:
    """Writer and dialogue of those scenarios that have one in the lake, by scenario id."""
    ids = [scenario.scenario_id for scenario in some]
    rows = lake.rows(f"SELECT scenario_id, writer, timeline FROM dialogues WHERE scenario_id IN {among(ids)}")
    return {r["scenario_id"]: (r["writer"], Timeline.from_plain(json.loads(r["timeline"]))) for r in rows}


@contextmanager
def _author(lake: Lake, run_id: str, how: Writing) -> Iterator[tuple[Writer, Meter]]:
    """The writer, and the meter that it counts on."""
    banks = default_banks()
    if not how.asks_a_model:
        yield ImportedWriter(Path(how.writer), banks, how.length), Meter()
        return
    with asking(lake, run_id, how.writer, how) as asker:
        yield ChatWriter(asker, banks, how.length), asker.meter


def _missing(lake: Lake, some: Sequence[Scenario]) -> list[Scenario]:
    """Scenarios that have neither a dialogue nor a scene."""
    ids = among([scenario.scenario_id for scenario in some])
    tables = ("dialogues", "scenes")
    known = {
        row["scenario_id"]
        for table in tables
        for row in lake.rows(f"SELECT scenario_id FROM {table} WHERE scenario_id IN {ids}")
    }
    return [scenario for scenario in some if scenario.scenario_id not in known]


def _written(writer: Writer, todo: Sequence[Scenario], lake: Lake, how: Writing) -> Written:
    templates = template_of(lake)
    if isinstance(writer, ChatWriter):
        if how.in_batches:
            return writer.write_in_batches(todo, templates)
        return writer.write_many(todo, templates, how.workers)
    timelines: dict[str, Timeline] = {}
    refused: dict[str, ItemRefused] = {}
    for scenario in todo:
        try:
            timelines[scenario.scenario_id] = writer.write(scenario, templates[scenario.template_id])
        except ItemRefused as refusal:
            refused[scenario.scenario_id] = refusal
    return Written(timelines, refused)


def _decided(written: Written) -> Mapping[str, object]:
    return {**written.timelines, **written.refused}


def _row(scenario: Scenario, timeline: Timeline, writer: str, length: str) -> Done:
    row = {
        "scenario_id": scenario.scenario_id,
        "writer": writer,
        "length": length,
        "utterances": len(timeline.utterances),
        "words": sum(len(u.text.split()) for u in timeline.utterances),
        "timeline": canonical_json(timeline.to_plain()),
    }
    return Done({"dialogues": valid_rows(Dialogues, [row])}, made=1)
