"""The voices of scenes alone, made again from the scenes' records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sonolake.cares.scene import Clip
from sonolake.cares.voice_track import build_voice_track
from sonolake.datasets.sounds import Sounds
from sonolake.rendering.scenes import recipe_of, speakers_of, spoken

if TYPE_CHECKING:
    from sonolake.cli.validate_source import Scenes, Sound
    from sonolake.lake import Lake


def bare_voices(lake: Lake, scenes: Scenes) -> Iterator[tuple[str, Sound]]:
    """The dry voice track of each scene, spoken when it is asked for: no room, no sound, no ambience.

    Raises:
        InvalidInput: when asked, for a scene that another version of the mix made, or another voice than the installed
            one spoke.
    """
    sounds, speakers = Sounds(lake.media), speakers_of(lake)

    def of(row: dict[str, Any]) -> Sound:
        def sound() -> tuple[Any, int]:
            recipe = recipe_of(row["item_id"], row["record"])
            by_name = {one.speaker: speakers(one) for one in recipe.voices}
            turns = [spoken(by_name[turn.speaker], turn) for turn in recipe.turns]
            vocals = {vocal.take_id for turn in recipe.turns for vocal in turn.vocals}
            takes = {take: Clip(*sounds.channel(take)) for take in sorted(vocals)}
            track = build_voice_track(recipe, turns, takes)
            return track.samples, track.rate

        return sound

    for row in scenes.rows:
        yield row["item_id"], of(row)
