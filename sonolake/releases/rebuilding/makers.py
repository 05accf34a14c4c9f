"""How the items of each config are made again, from a row of the release and the sounds of the lake."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sonolake.audio.encode import flac_bytes, quantise
from sonolake.cares.scene import PlacedEvent, Scene
from sonolake.datasets.sounds import Sounds
from sonolake.errors import InvalidInput, NotFound
from sonolake.ids import canonical_json
from sonolake.models.registry import get
from sonolake.rendering.clips import made_clip, source_of
from sonolake.rendering.scenes import recipe_of, rendered_scene, speakers_of
from sonolake.rendering.utterances import recording, sound_of, stretch
from sonolake.serial import plain
from sonolake.spatial.records import ClipEvent

if TYPE_CHECKING:
    from sonolake.datasets.dataset import DataSet
    from sonolake.lake.lake import Lake

Row = Mapping[str, Any]
"""A row of a release, all columns but the sound."""
Models = Mapping[str, str]
"""The models that an item was made with, by role."""
RECORDINGS, SCENES = 2, 4
"""Long sounds that are kept for the next item."""
TOLD_OF_TURNS = (
    "speaker", "text", "start_s", "end_s", "asked_gap_s", "measured_gap_s", "confidence", "words", "tags",
)  # fmt: skip
"""What a release tells of a turn."""


@dataclass(frozen=True)
class Remade:
    """An item made again: its file, and those of its columns that are measured on it or follow from it."""

    sound: bytes
    columns: Mapping[str, object] = field(default_factory=dict)


Maker = Callable[[Row, Models], Remade]


def makers_of(lake: Lake, data_sets: Sequence[DataSet[Any]] = ()) -> dict[str, Maker]:
    """Who makes the items of each config, by its name; ``data_sets`` are a team's own."""
    sounds = Sounds(lake.media)
    scenes, utterances = _Scenes(lake, sounds), _Utterances(lake)
    makers: dict[str, Maker] = {
        "cares": scenes.whole,
        "cares-muted": scenes.muted,
        "rms-aqa": lambda row, models: _clip(lake, sounds, row),
    }
    makers |= dict.fromkeys(("wesr", "wesr-bench", "wesr-train"), utterances.cut)
    return makers | {one.name: _own(one, sounds) for one in data_sets}


class _Scenes:
    """CARES scenes, with all of their sounds or without one."""

    def __init__(self, lake: Lake, sounds: Sounds) -> None:
        self._lake, self._sounds, self._speakers = lake, sounds, speakers_of(lake)
        self._without = lru_cache(maxsize=SCENES)(self._without_each)

    def whole(self, row: Row, models: Models) -> Remade:
        """A scene."""
        recipe = recipe_of(row["item_id"], row["record"])
        scene = rendered_scene(recipe, self._sounds, self._speakers)
        turns = [{name: plain(getattr(turn, name)) for name in TOLD_OF_TURNS} for turn in scene.turns]
        ordered = sorted(scene.events, key=lambda event: (event.onset_s, event.event_id))
        levels = {name: getattr(scene, name) for name in ("loudness_lufs", "peak_dbfs", "true_peak_dbtp")}
        told = {
            **levels,
            "duration_s": scene.duration_s,
            "turns": turns,
            "events": list(map(_event, ordered)),
        }
        return Remade(flac_bytes(scene.samples, scene.rate), told)

    def muted(self, row: Row, models: Models) -> Remade:
        """A scene without one of its sounds."""
        scene = self._without(row["scene_id"])
        return Remade(flac_bytes(scene.muted[row["event"]], scene.rate), {"duration_s": scene.duration_s})

    def _without_each(self, scene_id: str) -> Scene:
        rows = self._lake.rows("SELECT record FROM scenes WHERE scene_id = ?", [scene_id])
        if not rows:
            raise NotFound(f"{scene_id} is not among the scenes of {self._lake.place}")
        return rendered_scene(
            recipe_of(scene_id, rows[0]["record"]), self._sounds, self._speakers, muted=True
        )


def _event(event: PlacedEvent) -> dict[str, object]:
    return {**vars(event), "event": event.event_id, "take": event.take_id}


def _clip(lake: Lake, sounds: Sounds, row: Row) -> Remade:
    clip = made_clip(lake, source_of(row["item_id"], row["record"]), sounds)
    return Remade(flac_bytes(clip.samples, clip.rate), {"events": list(map(_clip_event, clip.events))})


def _clip_event(event: ClipEvent) -> dict[str, object]:
    track = canonical_json([point.to_record() for point in event.track]) if event.track else None
    return {**vars(event), "far": event.far, "track": track}


class _Utterances:
    """Stretches of recordings."""

    def __init__(self, lake: Lake) -> None:
        self._recording = lru_cache(maxsize=RECORDINGS)(lambda asset_id: recording(lake.media, asset_id))

    def cut(self, row: Row, models: Models) -> Remade:
        """An utterance, denoised where it was."""
        samples, rate = self._recording(row["recording"])
        part = stretch(samples, rate, row["start_s"], row["end_s"])
        if "denoiser" in models:
            part = get(models["denoiser"]).denoise(part, rate)
        return Remade(sound_of(part, rate))


def _own(data_set: DataSet[Any], sounds: Sounds) -> Maker:
    def make(row: Row, models: Models) -> Remade:
        recipe = data_set.recipe.from_record(json.loads(row["record"]))
        if recipe.item_id != row["item_id"]:
            raise InvalidInput(f"record of {row['item_id']}", "its own", recipe.item_id)
        made = data_set.render(recipe, sounds)
        return Remade(flac_bytes(quantise(made.samples), made.rate), made.columns)

    return make
