"""CARES: scenarios written, checked, spoken, aligned and mixed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from prefect import task

from schemas import SceneEvents, Scenes, Turns, valid_rows
from sonolake.audition import takes_of
from sonolake.cares.banks import default_banks
from sonolake.cares.casting import CastVoice, Recordings, cast, voices_of_split
from sonolake.cares.checker import check
from sonolake.cares.recipe import SceneRecipe, TurnSpec
from sonolake.cares.records import Scenario, Template, Timeline
from sonolake.cares.render import render
from sonolake.cares.scene import PlacedEvent, Scene
from sonolake.cares.settings import MixSettings
from sonolake.cares.speaking import ALIGNER
from sonolake.cares.voice_track import require_placed
from sonolake.cares.writer import LICENCE, WRITER, write
from sonolake.datasets.crediting import credit, credit_of_voice, credit_of_writer, credited, name_of_voice
from sonolake.datasets.layers import licences_of, mixed_licence, usable_assets
from sonolake.datasets.made import keep_made
from sonolake.datasets.making import make
from sonolake.errors import ItemRefused
from sonolake.ids import seed_of
from sonolake.lake import Lake
from sonolake.lake.step import Counts, Done, Edge, Outcome
from sonolake.models.base import Voice
from sonolake.models.registry import get
from sonolake.rendering.scenes import scene_inputs, spoken
from sonolake.serial import to_json
from sonolake.sources.licences import UNKNOWN
from tasks.dialogues import dialogues_of
from tasks.muted import with_muted
from tasks.opening import lake_at, run_of
from tasks.scripts import SITUATIONS, template_of
from tasks.sounds import sounds_of
from tasks.speech import voices_of

CODE_VERSION = "8"
STEP = "render-scenes"
RETAKES = 4
"""How often a turn is spoken, with other seeds, until its words can be placed."""


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def render_scenes(
    lake: str,
    run_id: str,
    some: Sequence[Scenario],
    length: str,
    workers: int = 1,
    voices: Sequence[str] = (),
    least_confidence: float = MixSettings.least_confidence,
) -> Counts:
    """Write, speak, align and mix one batch of scenarios, with ``voices`` or with those that are installed."""
    run = run_of(lake, STEP, run_id)
    material = template_of(run.lake), recordings_of(run.lake), dialogues_of(run.lake, some)
    settings = MixSettings(least_confidence=least_confidence)
    things = {scenario.scenario_id: scenario for scenario in some}
    with voices_of(run.lake, run_id, voices) as speakers:
        of_voices = [credit_of_voice(v.spec, v.weights_sha256, v.licence) for v in speakers.values()]
        credit(run.lake, run_id, [credit_of_writer(WRITER, LICENCE), *of_voices])
        studio = _Studio(lake, length, *material, speakers, settings, _split_of_voices(run.lake))
        return make(
            run,
            STEP,
            things,
            "scenes",
            "scenario_id",
            studio.make,
            code_version=CODE_VERSION,
            inputs=studio.may_use,
            workers=workers,
        )


def recordings_of(lake: Lake) -> dict[str, Recordings]:
    """What the mixes of each split may use: takes by event, with trims, ambiences and mono responses by location."""
    found: dict[str, dict[str, dict[str, list[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    trims: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
    for take in takes_of(lake):
        if take.split:
            found[take.split]["take"][take.event].append(take.asset_id)
            if take.trim_s:
                trims[take.event][take.asset_id] = take.trim_s
    for kind in ("ambience", "response"):
        for asset in usable_assets(lake, kind):
            if asset["split"] and asset["location"]:
                found[asset["split"]][kind][asset["location"]].append(asset["asset_id"])
    return {
        split: Recordings(of["take"], of["ambience"], of["response"], trims) for split, of in found.items()
    }


def _split_of_voices(lake: Lake) -> dict[str, str]:
    return {
        row["item"]: row["split"] for row in lake.rows("SELECT item, split FROM splits WHERE kind = 'voice'")
    }


def _with_trims(there: Recordings, event: str) -> list[tuple[str, tuple[float, float] | None]]:
    trims = there.trims.get(event, {})
    return [(take, trims.get(take)) for take in sorted(there.takes.get(event, ()))]


@dataclass(frozen=True)
class _Studio:
    """Everything that turns a scenario into rows and sound."""

    lake: str
    length: str
    templates: Mapping[str, Template]
    recordings: Mapping[str, Recordings]
    dialogues: Mapping[str, tuple[str, Timeline]]
    voices: Mapping[str, Voice]
    settings: MixSettings
    split_of_voice: Mapping[str, str]

    def may_use(self, scenario: Scenario) -> dict[str, Any]:
        """What a scene may be made of; one that was refused is tried again when that has changed."""
        there = self._recordings(scenario)
        return {
            "length": self.length,
            "writer": self._writer(scenario),
            "voices": sorted(f"{voice.spec}@{voice.weights_sha256}" for voice in self._speaking(scenario)),
            "least_confidence": self.settings.least_confidence,
            "takes": {e.event_id: _with_trims(there, e.event_id) for e in scenario.events},
            "ambiences": sorted(there.ambiences.get(scenario.location, ())),
            "responses": sorted(there.responses.get(scenario.location, ())),
        }

    def _recordings(self, scenario: Scenario) -> Recordings:
        return self.recordings.get(scenario.split, Recordings({}, {}, {}))

    def make(self, scenario: Scenario) -> Outcome:
        self._require_recordings(scenario)
        self._require_voices(scenario)
        recipe = self._recipe(scenario)
        layers = dict.fromkeys(recipe.take_ids, "take") | {recipe.ambience_id: "ambience"}
        if recipe.response_id:
            layers[recipe.response_id] = "response"
        licences = licences_of(lake_at(self.lake), layers)
        made_by = [name_of_voice(v.spec, v.weights_sha256) for v in recipe.voices]
        made_by += self._writers(scenario)
        of_makers = credited(lake_at(self.lake), made_by)
        licence = mixed_licence(
            [*(licences[a] for a in layers), *(of_makers.get(m, UNKNOWN) for m in made_by)]
        )
        inputs = scene_inputs(recipe, sounds_of(self.lake), self._speakers(recipe))
        scene = render(recipe, inputs, muted=scenario.split == "test")
        _require_rules(scene)
        title = self.templates[scenario.template_id].title
        asset = keep_made(
            lake_at(self.lake),
            "scene",
            recipe.scene_id,
            scene.samples,
            scene.rate,
            licence,
            title,
            location=scenario.location,
            language="en",
            synthetic=True,
        )
        done = _done(scenario, recipe, scene, asset, layers, self._writer(scenario))
        return with_muted(lake_at(self.lake), done, scene, asset)

    def _recipe(self, scenario: Scenario) -> SceneRecipe:
        banks = default_banks()
        _, timeline = self._dialogue(scenario)
        if findings := check(timeline, scenario, banks, self.length):
            raise ItemRefused("breaks_dialogue_rule", "; ".join(str(finding) for finding in findings))
        recordings, pool = self._recordings(scenario), self._speaking(scenario)
        return self._speakable(cast(scenario, timeline, banks, pool, recordings, self.settings))

    def _writers(self, scenario: Scenario) -> list[str]:
        """Who wrote the dialogue, and the situation where that is not of the banks."""
        of_template = lake_at(self.lake).rows(
            "SELECT parent FROM lineage WHERE child = ? AND role = ?", [scenario.template_id, SITUATIONS]
        )
        return [f"writer:{self._writer(scenario)}", *(row["parent"] for row in of_template)]

    def _writer(self, scenario: Scenario) -> str:
        return self.dialogues[scenario.scenario_id][0] if scenario.scenario_id in self.dialogues else WRITER

    def _dialogue(self, scenario: Scenario) -> tuple[str, Timeline]:
        """Writer and dialogue: the lake's own, else the embedded writer's."""
        if scenario.scenario_id in self.dialogues:
            return self.dialogues[scenario.scenario_id]
        template = self.templates[scenario.template_id]
        if "matter" not in dict(template.details):
            said = "the embedded writer writes about its own templates alone: name a chat model or a file"
            raise ItemRefused("dialogue_missing", f"{said}, not for {template.title!r}")
        return WRITER, write(scenario, template, default_banks(), self.length)

    def _require_recordings(self, scenario: Scenario) -> None:
        there = self._recordings(scenario)
        lacking = [e.event_id for e in scenario.events if not there.takes.get(e.event_id)]
        lacking += [] if there.ambiences.get(scenario.location) else [f"the place {scenario.location}"]
        if lacking:
            raise ItemRefused("no_recording", f"nothing usable in {scenario.split} for {', '.join(lacking)}")

    def _speaking(self, scenario: Scenario) -> tuple[CastVoice, ...]:
        pool = [CastVoice(v.spec, v.weights_sha256, v.gender, v.tags) for v in self.voices.values()]
        return voices_of_split(scenario.split, pool, self.split_of_voice)

    def _require_voices(self, scenario: Scenario) -> None:
        have = Counter(voice.gender for voice in self._speaking(scenario))
        if Counter(scenario.genders.lower()) - have:
            said = f"{', '.join(self.voices)} cannot speak {scenario.genders}"
            raise ItemRefused("no_voice", f"{said}, which was allocated for other voices")

    def _speakers(self, recipe: SceneRecipe) -> dict[str, Voice]:
        return {voice.speaker: self.voices[voice.spec] for voice in recipe.voices}

    def _speakable(self, recipe: SceneRecipe) -> SceneRecipe:
        """The recipe with other seeds for the turns whose words cannot be placed in the speech of the first ones."""
        speakers, least = self._speakers(recipe), recipe.settings.least_confidence
        turns = tuple(_retaken(speakers[turn.speaker], turn, least) for turn in recipe.turns)
        return replace(recipe, turns=turns)


def _retaken(voice: Voice, turn: TurnSpec, least_confidence: float) -> TurnSpec:
    """The turn with the first of a few seeds whose speech aligns.

    Raises:
        ItemRefused: ``alignment_failed`` when none does.
    """
    for retake in range(RETAKES):
        candidate = replace(turn, seed=seed_of(str(turn.seed), str(retake)) % 2**31) if retake else turn
        try:
            require_placed(candidate, spoken(voice, candidate), least_confidence)
        except ItemRefused as refusal:
            refused = refusal
        else:
            return candidate
    raise refused


def _require_rules(scene: Scene) -> None:
    broken = [f"{e.event_id}: {e.violates}" for e in scene.events if e.violates]
    broken += [scene.violates] if scene.violates else []
    if broken:
        raise ItemRefused("breaks_mix_rule", "; ".join(broken))


def _done(
    scenario: Scenario,
    recipe: SceneRecipe,
    scene: Scene,
    asset: dict[str, object],
    layers: Mapping[str, str],
    writer: str,
) -> Done:
    row = {
        "scene_id": scene.scene_id,
        "scenario_id": scenario.scenario_id,
        "template_id": scenario.template_id,
        "split": scenario.split,
        "asset_id": asset["asset_id"],
        "duration_s": scene.duration_s,
        "loudness_lufs": scene.loudness_lufs,
        "peak_dbfs": scene.peak_dbfs,
        "licence": asset["licence"],
        "location": scenario.location,
        "true_peak_dbtp": scene.true_peak_dbtp,
        "record": to_json(recipe),
        **scene.levels,
    }
    turns = [
        {
            "scene_id": scene.scene_id,
            "turn": n,
            "speaker": t.speaker,
            "text": t.text,
            "start_s": t.start_s,
            "end_s": t.end_s,
            "asked_gap_s": t.asked_gap_s,
            "measured_gap_s": t.measured_gap_s,
            "confidence": t.confidence,
            "words": to_json(t.words),
            "tags": to_json(t.tags),
        }
        for n, t in enumerate(scene.turns)
    ]
    events = [_event_row(scene.scene_id, event) for event in scene.events]
    rows = {
        "assets": [asset],
        "scenes": valid_rows(Scenes, [row]),
        "scene_events": valid_rows(SceneEvents, events),
        "turns": valid_rows(Turns, turns),
    }
    return Done(rows, _edges(scenario, recipe, asset, layers, writer), made=1)


def _event_row(scene_id: str, event: PlacedEvent) -> dict[str, object]:
    facts = {name: value for name, value in vars(event).items() if name not in ("event_id", "take_id")}
    return {"scene_id": scene_id, "event": event.event_id, "take": event.take_id, **facts}


def _edges(
    scenario: Scenario, recipe: SceneRecipe, asset: dict[str, object], layers: Mapping[str, str], writer: str
) -> tuple[Edge, ...]:
    scene_id = recipe.scene_id
    aligner = get(ALIGNER)
    edges = [Edge(scene_id, parent, role) for parent, role in layers.items()]
    edges += [Edge(scene_id, name_of_voice(v.spec, v.weights_sha256), "voice") for v in recipe.voices]
    edges += [
        Edge(scene_id, scenario.scenario_id, "scenario"),
        Edge(scene_id, scenario.template_id, "template"),
        Edge(scene_id, f"model:{aligner.spec}@{aligner.weights_sha256}", "aligner"),
        Edge(scene_id, f"banks:{default_banks().sha256}", "banks"),
        Edge(scene_id, f"writer:{writer}", "writer"),
        Edge(scene_id, f"code:{recipe.code_version}", "code"),
        Edge(str(asset["asset_id"]), scene_id, "audio"),
    ]
    return tuple(dict.fromkeys(edges))
