"""CARES: templates, their splits, and scenarios."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from prefect import task

from schemas import Scenarios, Templates, valid_rows
from sonolake.audition import takes_of
from sonolake.cares.allocator import Slot, allocate, slots
from sonolake.cares.banks import default_banks
from sonolake.cares.casting import parted
from sonolake.cares.pool import Pool, speakable
from sonolake.cares.records import Scenario, Template
from sonolake.cares.templates import write_templates
from sonolake.datasets.layers import usable_assets
from sonolake.datasets.ledgers import extend
from sonolake.datasets.making import make
from sonolake.errors import NotFound
from sonolake.lake import Lake
from sonolake.lake.step import Counts, Done, Edge
from sonolake.serial import read, to_json
from sonolake.splits import SPLITS, TEMPLATES, Member
from tasks.opening import lake_at, run_of
from tasks.speech import voices_of

CODE_VERSION = "1"
ALLOCATION = "3"
"""Version of the allocator."""
SITUATIONS = "situations"
"""The part that who wrote a template plays in its lineage."""


@task(persist_result=False)
def make_templates(
    lake: str, run_id: str, count: int, written: Sequence[Template] | None = None, writer: str = ""
) -> Counts:
    """Keep those that somebody else, ``writer``, has ``written``; without them the first ``count`` of the banks."""
    some = write_templates(count, default_banks()) if written is None else written
    templates = {t.template_id: t for t in some}
    run = run_of(lake, "cares", run_id)

    def kept(template: Template) -> Done:
        return _template(template, writer)

    return make(
        run, "write-templates", templates, "templates", "template_id", kept, code_version=CODE_VERSION
    )


def _template(template: Template, writer: str) -> Done:
    names = ("template_id", "title", "description", "theme", "category")
    row = {**{name: getattr(template, name) for name in names}, "record": to_json(template)}
    edges = (Edge(template.template_id, f"writer:{writer}", SITUATIONS),) if writer else ()
    return Done({"templates": valid_rows(Templates, [row])}, edges, made=1)


@task(persist_result=False)
def split_templates(lake: str, run_id: str) -> Counts:
    """Give every template its split, each theme its share of all three: all its scenarios follow (CARES, section 4)."""
    rows = lake_at(lake).rows("SELECT template_id, category, theme FROM templates ORDER BY template_id")
    members = [
        Member(
            row["template_id"],
            frozenset({f"template:{row['template_id']}"}),
            f"{row['category']}: {row['theme']}",
        )
        for row in rows
    ]
    return extend(run_of(lake, "cares", run_id), "splits", "template", members, TEMPLATES, pooled=True)


@task(persist_result=False)
def allocate_scenarios(lake: str, run_id: str, count: int, voices: Sequence[str] = ()) -> Counts:
    """Allocate scenarios until there are ``count``, for ``voices`` or for those that are installed; those that are
    there stay as they are.
    """
    run = run_of(lake, "cares", run_id)
    prior = scenarios(run.lake)
    wanted: tuple[Slot, ...] = slots(_templates(run.lake), count, prior)
    pool = pool_of(run.lake, _genders(run.lake, run_id, voices)) if wanted else None
    planned = allocate(wanted, default_banks(), pool, prior) if pool else ()
    things = {one.scenario_id: one for one in [*prior, *planned]}
    return make(
        run, "allocate-scenarios", things, "scenarios", "scenario_id", _scenario, code_version=ALLOCATION
    )


def _scenario(scenario: Scenario) -> Done:
    names = ("scenario_id", "template_id", "composition", "location", "relation", "genders")
    row = {**{name: getattr(scenario, name) for name in names}, "record": to_json(scenario)}
    edges = (
        Edge(scenario.scenario_id, scenario.template_id, "template"),
        Edge(scenario.scenario_id, f"banks:{default_banks().sha256}", "banks"),
    )
    return Done({"scenarios": valid_rows(Scenarios, [row])}, edges, made=1)


def scenarios(lake: Lake) -> list[Scenario]:
    """Every scenario of the lake, by id."""
    rows = lake.rows("SELECT record FROM scenarios ORDER BY scenario_id")
    return [read(Scenario, json.loads(row["record"])) for row in rows]


def _templates(lake: Lake) -> list[tuple[Template, str]]:
    rows = lake.rows(
        "SELECT t.record, s.split FROM templates t JOIN splits s ON s.item = t.template_id AND s.kind = 'template' "
        "ORDER BY t.template_id"
    )
    return [(read(Template, json.loads(row["record"])), row["split"]) for row in rows]


def template_of(lake: Lake) -> dict[str, Template]:
    """Every template of the lake that has a split, by id."""
    return {template.template_id: template for template, _ in _templates(lake)}


@task(persist_result=False)
def split_voices(lake: str, run_id: str, voices: Sequence[str] = ()) -> Counts:
    """Give every voice of a run its split, where there are two women and two men for each; no one who has one moves."""
    run = run_of(lake, "cares", run_id)
    with voices_of(run.lake, run_id, voices) as found:
        genders = {spec: voice.gender for spec, voice in found.items()}
    if not parted("".join(genders.values())):
        return Counts()
    members = [Member(spec, frozenset({f"voice:{spec}"}), gender) for spec, gender in genders.items()]
    return extend(run, "splits", "voice", members, dict.fromkeys(SPLITS, 1))


def _genders(lake: Lake, run_id: str, specs: Sequence[str]) -> str:
    with voices_of(lake, run_id, specs) as found:
        return "".join(voice.gender for voice in found.values())


def pool_of(lake: Lake, genders: str) -> Pool:
    """What can be heard in each split, and spoken by voices of ``genders``; places need an ambience in every split."""
    events: dict[str, set[str]] = {split: set() for split in TEMPLATES}
    for take in takes_of(lake):
        if take.split and take.event in default_banks().sounds:
            events[take.split].add(take.event)
    places: dict[str, set[str]] = defaultdict(set)
    for asset in usable_assets(lake, "ambience"):
        places[asset["location"]].add(asset["split"])
    everywhere = tuple(p for p in default_banks().locations if places[p] >= set(TEMPLATES))
    if not everywhere:
        raise NotFound(
            "no place has an ambience in every split: take in three or more ambiences of a place, and split"
        )
    return Pool({split: frozenset(ids) for split, ids in events.items()}, speakable(genders), everywhere)
