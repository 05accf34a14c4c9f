"""All that the lake has made, as the content of a release."""

from __future__ import annotations

from collections import Counter, defaultdict

import pyarrow as pa
import pyarrow.compute as pc

from sonolake.datasets.alike import near_duplicates
from sonolake.datasets.allowing import allowed_configs, told_of
from sonolake.datasets.origins import lineage_of, sources_of
from sonolake.datasets.tables import items_of
from sonolake.errors import NotFound
from sonolake.lake import Lake
from sonolake.releases import Chart, Config, Content
from sonolake.releases.figures import proof_link
from sonolake.releases.licences import Profile, licence_of_collection
from tasks.contents.benchmarks import benchmarks_of
from tasks.contents.checks import blind_answers, checks_of, told_without_sound
from tasks.contents.claims import claims_of, gaps_note, levels_note
from tasks.contents.clips import spread_checks, stand_in_note
from tasks.contents.data_sets import QUERIES, cares, cares_muted, spatial, wesr, wesr_bench, wesr_train
from tasks.contents.samples import samples_of
from tasks.wesr_sets import left_out

_CHARTS = (
    Chart(
        "Reactions to sounds",
        "cares",
        "events.reaction",
        "sounds",
        ("pivot", "verbal", "behavioral", "ambient"),
    ),
    Chart("Places", "cares", "location", "scenes"),
    Chart("Genders of the speakers", "cares", "genders", "scenes"),
    Chart("Licences of scenes", "cares", "licence", "scenes"),
    Chart("Question dimensions", "rms-aqa", "questions.dimension", "questions"),
    Chart("Rooms", "rms-aqa", "room", "clips"),
    Chart("Origin of clips", "rms-aqa", "origin", "clips"),
    Chart("Vocal events searched", "wesr", "candidates.tag", "candidates"),
)


def content_of(
    lake: Lake, name: str, version: str, date: str, snapshot: int, profile: Profile = "research"
) -> Content:
    """Everything that the lake had made at ``snapshot`` and that may be in a release for ``profile``.

    Raises:
        NotFound: when there is nothing to release.
    """
    of_lake = (cares, cares_muted, spatial, wesr, wesr_bench, wesr_train)
    there = [config for config in (of(lake, snapshot) for of in of_lake) if config]
    configs, not_allowed = allowed_configs(lake, snapshot, there, profile)
    if not configs:
        cause = told_of(not_allowed) or ": make scenes, clips or utterances first (python -m flows cares …)"
        raise NotFound(f"nothing to release{cause}")
    lineage = lineage_of(lake, snapshot, [item for config in configs for item in items_of(config)])
    sources = sources_of(lake, snapshot, lineage)
    told = told_without_sound(lake, snapshot)
    alike, alike_proofs = near_duplicates(lake, snapshot, configs, sources, lineage)
    licences = {row for c in configs for t in c.splits.values() for row in t["licence"].to_pylist()}
    names = {config.name for config in configs}
    return Content(
        name=name,
        version=version,
        date=date,
        title=name,
        summary=_summary(configs),
        licence=licence_of_collection(licences),
        configs=configs,
        sources=sources,
        lineage=lineage,
        notes=_notes(configs, lineage),
        languages=("en",),
        tags=("audio", "speech", "sound-events", "ambisonics", "synthetic"),
        charts=tuple(chart for chart in _CHARTS if chart.config in names),
        samples=tuple(sample for config in configs for sample in samples_of(lake, config)),
        checks=(*spread_checks(configs), *checks_of(configs, told)),
        benchmark=benchmarks_of(configs, left_out(lake, snapshot)) | blind_answers(configs, told) | alike,
        proofs=(*claims_of(configs, told), *alike_proofs),
        queries=QUERIES,
        profile=profile,
        left_out=not_allowed,
    )


def _summary(configs: tuple[Config, ...]) -> str:
    parts = [f"{config.rows} {config.title}" for config in configs]
    made = "made by sonolake from the sounds, voices and texts credited in `ATTRIBUTION.md`"
    return f"{', '.join(parts)}, {made} ({proof_link('counts-items')})."


def _writers(lineage: pa.Table) -> list[str]:
    """Who wrote the dialogues, a sentence each, as every scene's lineage says."""
    names = [r["parent"].partition(":")[2] for r in lineage.to_pylist() if r["role"] == "writer"]
    notes = []
    for name, scenes in sorted(Counter(names).items()):
        if name.startswith("embedded"):
            said = f"the embedded grammar writer ({name}), not by a language model or a person"
        elif name.startswith("chat:"):
            said = f"a language model: {name.partition(':')[2]}"
        else:
            said = f"others, and were taken in from a file: {name.partition(':')[2]}"
        notes.append(f"Dialogues of {scenes} scenes ({proof_link('counts-writers')}) were written by {said}.")
    return notes


def _voices(cares: Config, lineage: pa.Table) -> str:
    """Who speaks, and whether in several splits, as every scene's lineage says."""
    split_of = {item: name for name, table in cares.splits.items() for item in table["item_id"].to_pylist()}
    heard: dict[str, set[str]] = defaultdict(set)
    for edge in lineage.to_pylist():
        if edge["role"] == "voice" and edge["child"] in split_of:
            heard[edge["parent"].partition(":")[2].rpartition("@")[0]].add(split_of[edge["child"]])
    names = ", ".join(sorted(heard))
    if any(len(splits) > 1 for splits in heard.values()):
        return f"Speech is synthetic, and splits share voices, as there are few: {names}."
    return f"Speech is synthetic, and no voice speaks in more than one split: {names}."


def _notes(configs: tuple[Config, ...], lineage: pa.Table) -> tuple[str, ...]:
    notes = []
    by_name = {config.name: config for config in configs}
    if "cares" in by_name:
        pairs = sorted(
            {g for t in by_name["cares"].splits.values() for g in pc.unique(t["genders"]).to_pylist()}
        )
        notes.append(
            f"Gender pairs are drawn among those that the voices at hand can speak: {', '.join(pairs)}."
        )
        notes.append(levels_note(by_name["cares"]))
        notes.append(gaps_note())
        notes += _writers(lineage)
        notes.append(_voices(by_name["cares"], lineage))
    if "rms-aqa" in by_name:
        if note := stand_in_note(by_name["rms-aqa"]):
            notes.append(note)
        notes.append("Simulated rooms are shoebox models; their responses are not measured.")
    if "wesr" in by_name:
        notes.append("WESR candidates were found by YAMNet and a label bridge; nobody has confirmed them.")
    return tuple(notes)
