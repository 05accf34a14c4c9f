"""RMS-AQA: clips allocated, rendered, cut from recordings, and asked about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from prefect import task

from schemas import ClipEvents, Clips, Questions, valid_rows
from sonolake.errors import ItemRefused, NotFound
from sonolake.ids import canonical_json
from sonolake.lake import Lake
from sonolake.lake.step import Counts, Done, Edge, Outcome
from sonolake.spatial.allocate import allocate_splits
from sonolake.spatial.answers import answer
from sonolake.spatial.dcase import events_of, read
from sonolake.spatial.pool import Pool, Response, Take, World, split_pools
from sonolake.spatial.questions import AskedClip, ask_set
from sonolake.spatial.recorded import Window, cut, windows
from sonolake.spatial.records import CLIP_S, LETTERS, ClipEvent, ClipRecipe, Question
from sonolake.spatial.render import Clip, ClipInputs, render
from tasks.layers import licences_of, mixed_licence, usable_assets
from tasks.made import keep_made
from tasks.making import make
from tasks.opening import lake_at, run_of
from tasks.sounds import mono, sound

CODE_VERSION = "1"
RENDER, ASK = "render-clips", "ask-clips"
SHARES = {"train": 6.0, "validation": 1.0}
"""Simulated clips only train and validate (RMS-AQA, section 2.1)."""


def class_of(event: str) -> str:
    """What a person calls the sound ``namespace/name``."""
    return event.rpartition("/")[2].replace("_", " ")


def pools(lake: Lake) -> dict[str, Pool]:
    """What the simulated clips of each split may be made of."""
    takes = [
        Take(a["asset_id"], class_of(a["event"]), a["duration_s"])
        for a in usable_assets(lake, "take")
        if a["event"]
    ]
    responses = [
        Response(a["asset_id"], a["room"], a["azimuth_deg"], a["elevation_deg"], a["distance_m"])
        for a in usable_assets(lake, "response")
        if a["channels"] >= 4 and a["room"] and a["distance_m"] is not None
    ]
    ambiences = [a["asset_id"] for a in usable_assets(lake, "ambience")]
    return split_pools(takes, responses, ambiences, _splits(lake))


def _splits(lake: Lake) -> dict[str, str]:
    """Split of every take, ambience and room."""
    rows = lake.rows(
        "SELECT item, split FROM partitions UNION ALL SELECT item, split FROM splits WHERE kind = 'room'"
    )
    return {row["item"]: row["split"] for row in rows}


def recording_windows(lake: Lake) -> list[Window]:
    """The 10 s windows with events of every labelled recording whose room has a split."""
    rooms = _splits(lake)
    found: list[Window] = []
    for asset in usable_assets(lake, "foa"):
        if asset["room"] in rooms:
            kept, _ = windows(
                asset["asset_id"],
                asset["room"],
                rooms[asset["room"]],
                asset["duration_s"],
                labels_of(asset),
                stand_in=bool(asset["synthetic"]),
            )
            found += kept
    return sorted(found, key=lambda window: window.clip_id)


def labels_of(asset: Mapping[str, Any]) -> Sequence[ClipEvent]:
    """The labels that came with a recording: its DCASE table, whose classes and unit its manifest row names."""
    if not asset["labels"]:
        return ()
    tags = json.loads(asset["tags"] or "{}")
    classes = [class_of(name) for name in tags.get("classes", "").split(";")]
    return events_of(read(asset["labels"], tags.get("distance_unit", "cm")), classes)


def plan_clips(lake: str, clips: int) -> list[ClipRecipe | Window]:
    """What a set of ``clips`` clips is made from: windows of recordings for a quarter at most, the rest simulated."""
    root = lake_at(lake)
    cut_out = recording_windows(root)[: clips // 4]
    usable = {split: pool for split, pool in pools(root).items() if split in SHARES}
    if not usable:
        raise NotFound(
            "no clip can be made: it takes four-channel responses of rooms and takes in one split (docs/rms-aqa.md)"
        )
    simulated = allocate_splits(clips - len(cut_out), usable, SHARES)
    return [*simulated, *cut_out]


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def render_clips(lake: str, run_id: str, plans: Sequence[ClipRecipe | Window], workers: int = 1) -> Counts:
    """Render or cut one batch of clips."""
    run = run_of(lake, RENDER, run_id)
    things = {plan.clip_id: plan for plan in plans}
    licences = licences_of(run.lake, {a for plan in plans for a in _layers(plan)})
    return make(
        run,
        RENDER,
        things,
        "clips",
        "clip_id",
        lambda plan: _made(lake, plan, licences),
        code_version=CODE_VERSION,
        workers=workers,
    )


def _layers(plan: ClipRecipe | Window) -> dict[str, str]:
    """The assets of a clip with the part each one plays."""
    if isinstance(plan, Window):
        return {plan.recording_id: "foa"}
    layers = {source.take_id: "take" for source in plan.sources}
    layers |= {source.response_id: "response" for source in plan.sources}
    return layers | ({plan.ambience_id: "ambience"} if plan.ambience_id else {})


def _made(lake: str, plan: ClipRecipe | Window, licences: Mapping[str, str]) -> Outcome:
    layers = _layers(plan)
    licence = mixed_licence(licences[a] for a in layers)
    clip = _cut(lake, plan) if isinstance(plan, Window) else _rendered(lake, plan)
    asset = keep_made(
        lake_at(lake),
        "clip",
        plan.clip_id,
        clip.samples,
        clip.rate,
        licence,
        f"Clip in {plan.room}",
        convention="ambix",
        room=plan.room,
        synthetic=plan.origin != "recorded",
    )
    row = {
        "clip_id": plan.clip_id,
        "split": plan.split,
        "room": plan.room,
        "origin": plan.origin,
        "asset_id": asset["asset_id"],
        "duration_s": CLIP_S,
        "licence": licence,
        "record": canonical_json(plan.to_record()),
    }
    edges = [Edge(plan.clip_id, layer, role) for layer, role in layers.items()]
    edges += [
        Edge(plan.clip_id, f"room:{plan.room}", "room"),
        Edge(plan.clip_id, f"code:{RENDER}:{CODE_VERSION}", "code"),
        Edge(str(asset["asset_id"]), plan.clip_id, "audio"),
    ]
    events = [_event_row(plan.clip_id, n, event) for n, event in enumerate(clip.events)]
    rows = {
        "assets": [asset],
        "clips": valid_rows(Clips, [row]),
        "clip_events": valid_rows(ClipEvents, events),
    }
    return Done(rows, tuple(edges), made=len(events))


def _rendered(lake: str, recipe: ClipRecipe) -> Clip:
    takes = {source.take_id: mono(lake, source.take_id) for source in recipe.sources}
    responses = {source.response_id: sound(lake, source.response_id, "ambix") for source in recipe.sources}
    ambience = sound(lake, recipe.ambience_id) if recipe.ambience_id else None
    return render(recipe, ClipInputs(takes, responses, ambience))


def _cut(lake: str, window: Window) -> Clip:
    (asset,) = lake_at(lake).rows("SELECT tags, labels FROM assets WHERE asset_id = ?", [window.recording_id])
    samples, rate = sound(lake, window.recording_id, "ambix")
    return cut(window, samples, rate, labels_of(asset))


def _event_row(clip_id: str, number: int, event: ClipEvent) -> dict[str, Any]:
    names = ("event", "onset_s", "offset_s", "azimuth_deg", "elevation_deg", "distance_m")
    names += ("moving", "cut_start", "cut_end")
    return {"clip_id": clip_id, "number": number, **{name: getattr(event, name) for name in names}}


@task(persist_result=False)
def ask_clips(lake: str, run_id: str) -> Counts:
    """Ask a stage-1 and a stage-2 question about every clip that has none, the dimensions balanced in each split."""
    run = run_of(lake, ASK, run_id)
    chosen: dict[str, tuple[AskedClip, tuple[Question, Question]]] = {}
    for split in ("train", "validation", "test"):
        clips, world = _to_ask(run.lake, split)
        by_id = {clip.clip_id: clip for clip in clips}
        for pair in ask_set(clips, world):
            chosen[pair[0].clip_id] = (by_id[pair[0].clip_id], pair)
    return make(run, ASK, chosen, "questions", "clip_id", _asked, code_version=CODE_VERSION)


def _to_ask(lake: Lake, split: str) -> tuple[list[AskedClip], World]:
    """The clips of a split with their labels, and what is usual in it."""
    clips = {
        r["clip_id"]: r for r in lake.rows("SELECT * FROM clips WHERE split = ? ORDER BY clip_id", [split])
    }
    events: dict[str, list[ClipEvent]] = {clip_id: [] for clip_id in clips}
    query = "SELECT e.* FROM clip_events e JOIN clips c USING (clip_id) WHERE c.split = ? ORDER BY clip_id, number"
    for row in lake.rows(query, [split]):
        facts = {name: value for name, value in row.items() if name not in ("clip_id", "number")}
        events[row["clip_id"]].append(ClipEvent(**facts))
    asked = []
    for clip_id, clip in clips.items():
        plan = json.loads(clip["record"])
        asked.append(AskedClip(clip_id, events[clip_id], plan.get("dimension", ""), plan.get("kind", "")))
    heard = [(e.event, e.distance_m, e.duration_s) for some in events.values() for e in some]
    known = [class_of(a["event"]) for a in usable_assets(lake, "take") if a["event"]]
    return asked, World.of_events(heard, known)


def _asked(asked: tuple[AskedClip, tuple[Question, Question]]) -> Done:
    clip, pair = asked
    for question in pair:
        if (recomputed := answer(question, clip.events)) != question.answer:
            raise ItemRefused(
                "wrong_answer", f"{question.question}: {question.answer}, recomputed {recomputed}"
            )
    rows = [_question_row(question) for question in pair]
    edges = tuple(Edge(str(row["question_id"]), clip.clip_id, "clip") for row in rows)
    return Done({"questions": valid_rows(Questions, rows)}, edges, made=len(rows))


def _question_row(question: Question) -> dict[str, Any]:
    names = ("question_id", "clip_id", "stage", "dimension", "kind", "question", "answer")
    return {
        **{name: getattr(question, name) for name in names},
        "arguments": canonical_json(dict(question.arguments)),
        "options": canonical_json(dict(zip(LETTERS, question.options, strict=True))),
        "claims": canonical_json(dict(zip(LETTERS, question.values, strict=True))),
    }
