"""RMS-AQA: clips rendered, cut from recordings, and asked about."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from prefect import task

from schemas import ClipEvents, Clips, Questions, valid_rows
from sonolake.datasets.crediting import credit, credit_of_writer, stated_licence
from sonolake.datasets.layers import licences_of, mixed_licence
from sonolake.datasets.made import keep_made
from sonolake.datasets.making import make
from sonolake.errors import InvalidInput, ItemRefused, Refused
from sonolake.ids import canonical_json, make_id
from sonolake.lake import Lake
from sonolake.lake.step import Already, Counts, Done, Edge, Outcome
from sonolake.models.chat import Asker
from sonolake.rendering.clips import CODE, CODE_VERSION, layers_of, made_clip
from sonolake.sources.licences import family_of
from sonolake.spatial.answers import answer
from sonolake.spatial.benchmark import Query, Record
from sonolake.spatial.benchmark.blindness import blindness, table, verdict
from sonolake.spatial.benchmark.records import most_at_once
from sonolake.spatial.paraphrase import paraphrased
from sonolake.spatial.questions import AskedClip, LeftOut, ask_set
from sonolake.spatial.recorded import LeftOut as WindowLeftOut
from sonolake.spatial.recorded import Window
from sonolake.spatial.records import CLIP_S, LETTERS, ClipEvent, ClipRecipe, Question
from sonolake.spatial.world import World
from tasks.answers import asking
from tasks.clip_plans import Planned
from tasks.opening import lake_at, run_of
from tasks.sounds import sounds_of

RENDER, ASK = "render-clips", "ask-clips"


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def render_clips(lake: str, run_id: str, plans: Sequence[Planned], workers: int = 1) -> Counts:
    """Render or cut the clips of one batch that are not there; windows that are left out are set aside."""
    run = run_of(lake, RENDER, run_id)
    things = {plan.clip_id: plan for plan in plans}
    sources = [plan.source for plan in plans if isinstance(plan.source, ClipRecipe | Window)]
    licences = licences_of(run.lake, {asset for source in sources for asset in layers_of(source)})
    return make(
        run,
        RENDER,
        things,
        "clips",
        "clip_id",
        lambda plan: _made(lake, plan, licences),
        code_version=CODE_VERSION,
        inputs=lambda plan: plan.source.reason if isinstance(plan.source, WindowLeftOut) else None,
        workers=workers,
    )


def _made(lake: str, plan: Planned, licences: Mapping[str, str]) -> Outcome:
    source = plan.source
    if source is None:
        return Already()
    if isinstance(source, WindowLeftOut):
        raise ItemRefused(source.reason, source.detail)
    layers = layers_of(source)
    licence = mixed_licence(licences[a] for a in layers)
    clip = made_clip(lake_at(lake), source, sounds_of(lake))
    if plan.at_once and (heard := most_at_once(clip.events)) > plan.at_once:
        raise ItemRefused("too_many_at_once", f"{heard} sounds at once, {plan.at_once} were asked")
    asset = keep_made(
        lake_at(lake),
        "clip",
        plan.clip_id,
        clip.samples,
        clip.rate,
        licence,
        f"Clip in {source.room}",
        convention="ambix",
        room=source.room,
        synthetic=source.origin != "recorded",
    )
    row = {
        "clip_id": plan.clip_id,
        "split": source.split,
        "room": source.room,
        "origin": source.origin,
        "asset_id": asset["asset_id"],
        "duration_s": CLIP_S,
        "licence": licence,
        "record": canonical_json(source.to_record()),
        "number": plan.number,
    }
    edges = [Edge(plan.clip_id, layer, role) for layer, role in layers.items()]
    edges += [
        Edge(plan.clip_id, f"room:{source.room}", "room"),
        Edge(plan.clip_id, CODE, "code"),
        Edge(str(asset["asset_id"]), plan.clip_id, "audio"),
    ]
    events = [_event_row(plan.clip_id, n, event) for n, event in enumerate(clip.events)]
    rows = {
        "assets": [asset],
        "clips": valid_rows(Clips, [row]),
        "clip_events": valid_rows(ClipEvents, events),
    }
    return Done(rows, tuple(edges), made=len(events))


def _event_row(clip_id: str, number: int, event: ClipEvent) -> dict[str, Any]:
    names = ("event", "onset_s", "offset_s", "azimuth_deg", "elevation_deg", "distance_m")
    names += ("far", "moving", "cut_start", "cut_end")
    track = canonical_json([point.to_record() for point in event.track]) if event.track else None
    return {
        "clip_id": clip_id,
        "number": number,
        **{name: getattr(event, name) for name in names},
        "track": track,
    }


@dataclass(frozen=True)
class Wording:
    """Who words the questions.

    Attributes:
        model: a chat model (``openai:…``, ``anthropic:…``); empty for nobody but us.
        licence: of its words, which leaves a clip's as it is: it has that before it is asked about.
        budget: money that the run may take; None for no limit.
        price_in, price_out: for a million tokens sent and received.
        requests: a minute at most; 0 for no limit.

    Raises:
        InvalidInput: for a model with another licence, or one that nobody states.
    """

    model: str = ""
    licence: str = ""
    budget: float | None = None
    price_in: float = 0.0
    price_out: float = 0.0
    requests: int = 0

    def __post_init__(self) -> None:
        if not self.model:
            return
        spdx = stated_licence(f"what {self.model} writes", self.licence, "--text-licence CC0-1.0")
        if family_of(spdx) != "public":
            allowed = "CC0-1.0, which leaves that of the clips as it is"
            raise InvalidInput("licence of questions", allowed, spdx)


OURS = Wording()


@task(persist_result=False)
def ask_clips(lake: str, run_id: str, wording: Wording = OURS) -> Counts:
    """Ask a stage-1 and a stage-2 question about every clip that has none, the dimensions balanced in each split.

    A clip that is left out is set aside, and tried again when the clips of its split are others. What a model does not
    put well in other words stays in ours.

    Raises:
        LimitReached: at the budget, before anything is asked; what the model said is kept, and a larger one goes on.
    """
    run = run_of(lake, ASK, run_id)
    chosen: dict[str, _Chosen] = {}
    for split in ("train", "validation", "test"):
        clips, world = _to_ask(run.lake, split)
        pairs, left_out = ask_set(clips, world)
        inputs = make_id("clips", {"clips": sorted(clip.clip_id for clip in clips)})
        by_id = {clip.clip_id: _Chosen(clip, inputs) for clip in clips}
        by_id |= {pair[0].clip_id: replace(by_id[pair[0].clip_id], pair=pair) for pair in pairs}
        by_id |= {one.clip_id: replace(by_id[one.clip_id], left_out=one) for one in left_out}
        chosen |= by_id
    if wording.model:
        chosen = _in_other_words(run.lake, run_id, chosen, wording)
    return make(
        run,
        ASK,
        chosen,
        "questions",
        "clip_id",
        _asked,
        code_version=CODE_VERSION,
        inputs=lambda one: one.inputs,
    )


def _in_other_words(
    lake: Lake, run_id: str, chosen: Mapping[str, _Chosen], wording: Wording
) -> dict[str, _Chosen]:
    """Questions as a model puts them; what it answered before is not asked again."""
    with asking(lake, run_id, wording.model, wording) as asker:
        writer = f"chat:{asker.model.spec} questions"
        credit(lake, run_id, [credit_of_writer(writer, wording.licence, "questions")])
        return {
            clip_id: one if one.pair is None else _reworded(one, one.pair, asker, writer)
            for clip_id, one in chosen.items()
        }


def _reworded(one: _Chosen, pair: tuple[Question, Question], asker: Asker, writer: str) -> _Chosen:
    first, second = (_best(question, asker) for question in pair)
    return replace(one, pair=(first, second), writer="" if (first, second) == pair else writer)


def _best(question: Question, asker: Asker) -> Question:
    """In the model's words, or in ours where those ask something else."""
    try:
        return paraphrased(question, asker)
    except ItemRefused:
        return question


@dataclass(frozen=True)
class _Chosen:
    """A clip with its questions and who worded them, or with why it has none; neither where they are there."""

    clip: AskedClip
    inputs: str
    pair: tuple[Question, Question] | None = None
    writer: str = ""
    left_out: LeftOut | None = None


def _to_ask(lake: Lake, split: str) -> tuple[list[AskedClip], World]:
    """The clips of a split with their labels, and what is usual in it."""
    clips = {
        r["clip_id"]: r
        for r in lake.rows(
            "SELECT c.clip_id, c.record, q.dimension FROM clips c "
            "LEFT JOIN questions q ON q.clip_id = c.clip_id AND q.stage = 2 WHERE c.split = ? ORDER BY c.clip_id",
            [split],
        )
    }
    events: dict[str, list[ClipEvent]] = {clip_id: [] for clip_id in clips}
    query = "SELECT e.* FROM clip_events e JOIN clips c USING (clip_id) WHERE c.split = ? ORDER BY clip_id, number"
    for row in lake.rows(query, [split]):
        facts = {name: value for name, value in row.items() if name not in ("clip_id", "number")}
        events[row["clip_id"]].append(ClipEvent.from_record(facts))
    asked = []
    for clip_id, clip in clips.items():
        laid_out = json.loads(clip["record"])
        names = (laid_out.get("dimension", ""), laid_out.get("kind", ""), clip["dimension"] or "")
        asked.append(AskedClip(clip_id, tuple(events[clip_id]), *names))
    known = [row["event"] for row in lake.rows("SELECT DISTINCT event FROM dry_events")]
    return asked, World.of(events.values(), known, [clip.kind for clip in asked])


def _asked(chosen: _Chosen) -> Outcome:
    if chosen.left_out is not None:
        raise ItemRefused(chosen.left_out.reason, chosen.left_out.detail)
    if chosen.pair is None:
        return Already()
    for question in chosen.pair:
        if (recomputed := _recomputed(question, chosen.clip.events)) != question.answer:
            raise ItemRefused(
                "wrong_answer", f"{question.question}: {question.answer}, recomputed {recomputed}"
            )
    rows = [_question_row(question) for question in chosen.pair]
    clip_id = chosen.clip.clip_id
    edges = [Edge(str(row["question_id"]), clip_id, "clip") for row in rows]
    edges += [Edge(clip_id, f"writer:{chosen.writer}", "paraphrase")] if chosen.writer else []
    return Done({"questions": valid_rows(Questions, rows)}, tuple(edges), made=len(rows))


def _recomputed(question: Question, events: Sequence[ClipEvent]) -> str:
    try:
        return answer(question, events)
    except Refused as refused:
        raise ItemRefused("wrong_answer", str(refused)) from None


def _question_row(question: Question) -> dict[str, Any]:
    names = ("question_id", "clip_id", "stage", "dimension", "kind", "question", "answer")
    return {
        **{name: getattr(question, name) for name in names},
        "arguments": canonical_json(dict(question.arguments)),
        "options": canonical_json(dict(zip(LETTERS, question.options, strict=True))),
        "claims": canonical_json(dict(zip(LETTERS, question.values, strict=True))),
    }


def answered_blindly(lake: str) -> str:
    """What predictors that hear nothing reach on all questions of the lake, as a table and a sentence."""
    findings = blindness(_records(lake_at(lake)))
    return f"{table(findings)}{verdict(findings)}" if findings else ""


def _records(lake: Lake) -> list[Record]:
    """The pairs of questions; what only the clips know is not needed here."""
    asked: dict[str, dict[int, dict[str, Any]]] = defaultdict(dict)
    for row in lake.rows("SELECT * FROM questions ORDER BY clip_id, stage"):
        asked[row["clip_id"]][row["stage"]] = row
    return [
        Record(clip_id, clip_id, pair[2]["dimension"], _query(pair[1]), _query(pair[2]))
        for clip_id, pair in asked.items()
    ]


def _query(row: Mapping[str, Any]) -> Query:
    return Query(row["question_id"], row["question"], json.loads(row["options"]), row["answer"])
