"""The voices of scenes alone, made again from the scenes' records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from sonolake.audio.decode import decode
from sonolake.cares.recipe import CODE_VERSION, SceneRecipe, VoiceSpec
from sonolake.cares.scene import Clip
from sonolake.cares.speaking import ALIGNER, speak
from sonolake.cares.voice_track import build_voice_track
from sonolake.errors import InvalidInput
from sonolake.models.endpoints.specs import voice
from sonolake.models.registry import get
from sonolake.serial import read

if TYPE_CHECKING:
    from sonolake.cli.validate_source import Scenes, Sound
    from sonolake.lake import Lake
    from sonolake.models.base import Voice


def bare_voices(lake: Lake, scenes: Scenes) -> Iterator[tuple[str, Sound]]:
    """The dry voice track of each scene, spoken when it is asked for: no room, no sound, no ambience.

    Raises:
        InvalidInput: when asked, for a scene that another version of the mix made, or another voice than the installed
            one spoke.
    """
    kept = _Kept(lake)

    @cache
    def speaker(spec: VoiceSpec) -> Voice:
        # The gender of a voice behind an endpoint is no part of its spec, and says nothing of how it is asked.
        behind_endpoint = spec.spec.startswith(("openai:", "elevenlabs:"))
        found = voice(f"{spec.spec}=f" if behind_endpoint else spec.spec, kept)
        if found.weights_sha256 != spec.weights_sha256:
            raise InvalidInput(f"weights of {spec.spec}", spec.weights_sha256, found.weights_sha256)
        return found

    def of(row: dict[str, Any]) -> Sound:
        def sound() -> tuple[Any, int]:
            recipe = recipe_of(row["item_id"], row["record"])
            by_name = {one.speaker: speaker(one) for one in recipe.voices}
            turns = [speak(by_name[turn.speaker], get(ALIGNER), turn) for turn in recipe.turns]
            vocals = {vocal.take_id for turn in recipe.turns for vocal in turn.vocals}
            takes = {take: _clip(lake, take) for take in sorted(vocals)}
            return build_voice_track(recipe, turns, takes).samples, recipe.settings.rate

        return sound

    for row in scenes.rows:
        yield row["item_id"], of(row)


def recipe_of(scene_id: str, record: str) -> SceneRecipe:
    """The recipe that a scene's record holds.

    Raises:
        InvalidInput: for one that this version of the mix would render otherwise.
    """
    recipe = read(SceneRecipe, json.loads(record))
    if (recipe.code_version, recipe.scene_id) != (CODE_VERSION, scene_id):
        cause = "another version made it; scenes are made anew in a lake of their own"
        raise InvalidInput(f"record of {scene_id}", f"one of {CODE_VERSION}", recipe.code_version, cause)
    return recipe


def _clip(lake: Lake, asset_id: str) -> Clip:
    decoded = decode(lake.media.read(asset_id))
    return Clip(decoded.samples.mean(axis=1), decoded.sample_rate)


class _Kept:
    """What endpoints said, out of the lake, to which nothing is added."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake

    def get(self, key: str) -> bytes | None:
        """The file kept under a key."""
        rows = self._lake.rows("SELECT media FROM speech_answers WHERE request = ?", [key])
        return self._lake.media.read(rows[0]["media"]) if rows else None

    def put(self, key: str, data: bytes, spec: str) -> None:
        """Keep nothing."""
