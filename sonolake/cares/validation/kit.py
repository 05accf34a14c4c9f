"""A rating kit for people: one HTML file with no server behind it, and the ratings that come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sonolake.cares.records import REACTIONS
from sonolake.cares.validation.rated import RatedScene
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of
from sonolake.pages.rating import SAVED, kit_id, rating_page, read_saved
from sonolake.scoring.raters import RaterAgreement, rater_agreement

MEANINGS = {
    "pivot": "The sound is referred to, and the talk turns to it.",
    "verbal": "The sound is referred to in passing; the talk goes on as before, in the same or the next turn.",
    "behavioral": "The sound is not referred to, but it disturbs the talk: somebody breaks off, stumbles, starts "
    "again, asks to have something repeated, or speaks in another voice.",
    "ambient": "The sound is neither referred to nor does it change anything, however loud it may be.",
}
"""What raters are told (after CARES, section 3.2)."""
Place = tuple[str, str]
"""A scene and a sound in it."""


@dataclass(frozen=True)
class Ratings:
    """One rater's reactions, by scene and sound, and the scenes of the kit that they come from."""

    rater: str
    scenes: tuple[str, ...]
    reactions: Mapping[Place, str]


def kit_page(scenes: Sequence[RatedScene]) -> str:
    """The page: scenes in an order drawn from the kit's id, without the reactions that were asked for.

    Raises:
        InvalidInput: when no scene has a sound.
    """
    rated = sorted((one for one in scenes if one.transcript.sounds), key=lambda scene: scene.scene_id)
    if not rated:
        raise InvalidInput("scenes", "one with a sound at least", len(scenes))
    name = kit_id("scenes", [scene.scene_id for scene in rated])
    order = rng_of(name, "kit").permutation(len(rated))
    fragment = files("sonolake.cares.validation").joinpath("kit.html").read_text(encoding="utf-8")
    data = {"kit_id": name, "meanings": MEANINGS, "scenes": [_shown(rated[i]) for i in order]}
    return rating_page("How do the speakers react to the sound?", fragment, data)


def _shown(scene: RatedScene) -> dict[str, object]:
    """What raters see of a scene."""
    seen = scene.transcript
    return {
        "scene_id": scene.scene_id,
        "utterances": seen.utterances,
        "sounds": [vars(sound) for sound in seen.sounds],
    }


def read_ratings(path: Path) -> Ratings:
    """The ratings that the page saved.

    Raises:
        InvalidInput: for what the page does not write.
    """
    saved = read_saved(path, "scenes")
    try:
        rows = {(str(r["scene_id"]), str(r["event"])): r["reaction"] for r in saved.ratings}
    except (LookupError, TypeError):
        raise InvalidInput(path.name, SAVED, saved.ratings[:1]) from None
    if strange := [(*place, found) for place, found in rows.items() if found not in REACTIONS]:
        raise InvalidInput(path.name, f"reactions of {REACTIONS}", strange[0])
    return Ratings(saved.rater, saved.shown, rows)


def agreement(ratings: Sequence[Ratings], scenes: Iterable[RatedScene]) -> RaterAgreement:
    """What raters agree on, with each other and with what was asked for.

    Raises:
        InvalidInput: for two raters of one name, or a sound that no scene has.
    """
    asked = {(scene.scene_id, event): reaction for scene in scenes for event, reaction in scene.asked.items()}
    return rater_agreement([(one.rater, one.reactions) for one in ratings], asked)
