"""A rating kit for people: one HTML file with no server behind it, and the ratings that come back."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import combinations
from pathlib import Path

from sonolake.cares.records import REACTIONS
from sonolake.cares.validation.kappa import Kappa, cohen, fleiss
from sonolake.cares.validation.rated import RatedScene
from sonolake.errors import InvalidInput
from sonolake.ids import make_id, rng_of

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


@dataclass(frozen=True)
class RaterAgreement:
    """What raters agree on.

    Attributes:
        with_asked: for each rater, Cohen's kappa with the reactions that were asked for.
        pooled: the same over all ratings; None without any.
        between: Cohen's kappa of every two raters on what both rated; pairs without any are left out.
        all_raters: Fleiss' kappa on the sounds that everybody rated; None for one rater or no such sound.
        sounds: how many everybody rated.
    """

    with_asked: Mapping[str, Kappa]
    pooled: Kappa | None
    between: Mapping[tuple[str, str], Kappa]
    all_raters: Kappa | None
    sounds: int


def kit_id(scene_ids: Iterable[str]) -> str:
    """Names a kit by the scenes in it."""
    return make_id("kit", {"scenes": sorted(scene_ids)})


def kit_page(scenes: Sequence[RatedScene]) -> str:
    """The page: scenes in an order drawn from the kit's id, without the reactions that were asked for.

    Raises:
        InvalidInput: when no scene has a sound.
    """
    rated = sorted((one for one in scenes if one.transcript.sounds), key=lambda scene: scene.scene_id)
    if not rated:
        raise InvalidInput("scenes", "one with a sound at least", len(scenes))
    name = kit_id(scene.scene_id for scene in rated)
    order = rng_of(name, "kit").permutation(len(rated))
    data = {
        "kit_id": name,
        "meanings": MEANINGS,
        "scenes": [_shown(rated[i]) for i in order],
    }
    text = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    page = files("sonolake.cares.validation").joinpath("kit.html").read_text(encoding="utf-8")
    return page.replace("/*KIT*/", text)


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
    allowed = "a file that the rating kit saved"
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else "no such file"
    try:
        data = json.loads(text)
        rows = {(str(r["scene_id"]), str(r["event"])): r["reaction"] for r in data["ratings"]}
        rater, name, scenes = data["rater"], data["kit_id"], tuple(map(str, data["scenes"]))
    except (ValueError, LookupError, TypeError):
        raise InvalidInput(path.name, allowed, text[:80]) from None
    if name != kit_id(scenes) or not isinstance(rater, str) or not rater:
        raise InvalidInput(path.name, allowed, (rater, name), "it was changed by hand")
    if strange := [(*place, found) for place, found in rows.items() if found not in REACTIONS]:
        raise InvalidInput(path.name, f"reactions of {REACTIONS}", strange[0])
    return Ratings(rater, scenes, rows)


def agreement(ratings: Sequence[Ratings], scenes: Iterable[RatedScene]) -> RaterAgreement:
    """What raters agree on, with each other and with what was asked for.

    Raises:
        InvalidInput: for two raters of one name, or a sound that no scene has.
    """
    names = [one.rater for one in ratings]
    if len(set(names)) < len(names):
        raise InvalidInput("raters", "a name each", names)
    asked = {(scene.scene_id, event): reaction for scene in scenes for event, reaction in scene.asked.items()}
    for one in ratings:
        if strange := set(one.reactions) - set(asked):
            raise InvalidInput(f"ratings of {one.rater}", "sounds of these scenes", min(strange))
    by_place: dict[Place, list[str]] = defaultdict(list)
    for one in ratings:
        for place, found in one.reactions.items():
            by_place[place].append(found)
    whole = [found for found in by_place.values() if len(found) == len(ratings)]
    between = {}
    for first, second in combinations(ratings, 2):
        both = sorted(set(first.reactions) & set(second.reactions))
        if both:
            rated = [(first.reactions[p], second.reactions[p]) for p in both]
            between[first.rater, second.rater] = _kappa(rated)
    pairs = {one.rater: [(asked[p], one.reactions[p]) for p in sorted(one.reactions)] for one in ratings}
    return RaterAgreement(
        {rater: _kappa(some) for rater, some in pairs.items() if some},
        _kappa([pair for some in pairs.values() for pair in some]) if any(pairs.values()) else None,
        between,
        fleiss(whole) if len(ratings) > 1 and whole else None,
        len(whole),
    )


def _kappa(pairs: Sequence[tuple[str, str]]) -> Kappa:
    return cohen([a for a, _ in pairs], [b for _, b in pairs])
