"""CARES scenes from their recipes: speech, takes, ambience and response found and handed to the mix."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from sonolake.cares.recipe import CODE_VERSION, SceneRecipe, TurnSpec, VoiceSpec
from sonolake.cares.render import render
from sonolake.cares.scene import Clip, Scene, SceneInputs, TurnAudio
from sonolake.cares.speaking import ALIGNER, speak
from sonolake.datasets.sounds import Sounds
from sonolake.errors import InvalidInput
from sonolake.models.endpoints.specs import voice
from sonolake.models.registry import get
from sonolake.serial import read

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake
    from sonolake.models.base import Voice

Speakers = Callable[[VoiceSpec], "Voice"]
"""The voice that a recipe names."""


def rendered_scene(
    recipe: SceneRecipe, sounds: Sounds, speakers: Speakers, muted: bool = False, stems: bool = False
) -> Scene:
    """The scene of a recipe; with ``muted`` also without each of its events, with ``stems`` its layers.

    Raises:
        NotFound: when a sound is not there.
        ItemRefused: what voice, aligner and mix refuse.
        InvalidInput: for a voice that is another one now.
    """
    by_name = {one.speaker: speakers(one) for one in recipe.voices}
    return render(recipe, scene_inputs(recipe, sounds, by_name), stems=stems, muted=muted)


def scene_inputs(recipe: SceneRecipe, sounds: Sounds, speakers: Mapping[str, Voice]) -> SceneInputs:
    """What a recipe asks for; ``speakers`` are the voices of A and B."""
    turns = tuple(spoken(speakers[turn.speaker], turn) for turn in recipe.turns)
    takes = {take: Clip(*sounds.channel(take)) for take in recipe.take_ids}
    response = Clip(*sounds.channel(recipe.response_id)) if recipe.response_id else None
    return SceneInputs(turns, takes, Clip(*sounds.channel(recipe.ambience_id)), response)


def spoken(voice: Voice, turn: TurnSpec) -> TurnAudio:
    """A turn in a voice, with the times of its words; what was spoken lately is kept."""
    hashable: Any = voice
    return _spoken(hashable, turn)


@lru_cache(maxsize=64)
def _spoken(voice: Voice, turn: TurnSpec) -> TurnAudio:
    return speak(voice, get(ALIGNER), turn)


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


def speakers_of(lake: Lake) -> Speakers:
    """The voices of recipes, held against their weights; those behind endpoints say what the lake has kept of them."""
    kept = KeptSpeech(lake)

    @cache
    def speaker(spec: VoiceSpec) -> Voice:
        # The gender of a voice behind an endpoint is no part of its spec, and says nothing of how it is asked.
        behind_endpoint = spec.spec.startswith(("openai:", "elevenlabs:"))
        found = voice(f"{spec.spec}=f" if behind_endpoint else spec.spec, kept, asks=False)
        if found.weights_sha256 != spec.weights_sha256:
            raise InvalidInput(f"weights of {spec.spec}", spec.weights_sha256, found.weights_sha256)
        return found

    return speaker


class KeptSpeech:
    """What endpoints said, out of the lake, to which nothing is added."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake

    def get(self, key: str) -> bytes | None:
        """The file kept under a key."""
        rows = self._lake.rows("SELECT media FROM speech_answers WHERE request = ?", [key])
        return self._lake.media.read(rows[0]["media"]) if rows else None

    def put(self, key: str, data: bytes, spec: str) -> None:
        """Keep nothing."""
