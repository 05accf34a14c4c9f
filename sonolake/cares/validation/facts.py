"""What may give a reaction away, of every sound, and the report on all of it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sonolake.cares.banks.model import RARE
from sonolake.cares.validation.shortcuts import SHUFFLES, Shortcut, Values, shortcut
from sonolake.errors import NotFound

MUST = ("gap_s", "level_lufs")
"""What must say nothing, together."""
EARLY = "early and middle thirds"
"""Where places are compared: the rules themselves keep pivots out of the last third."""
ORDINARY = "sounds that are not rare"
"""Where sounds and takes are compared: the rules themselves make every rare sound a pivot."""
TIED = {"position": "all thirds, where no pivot comes last", "event": "all sounds, rare ones being pivots"}
"""What the rules themselves tie to the reaction, and where."""


@dataclass(frozen=True)
class Facts:
    """Of each sound: reaction, third, identifier, template, and features that have nothing to do with words."""

    reactions: list[str]
    bands: list[str]
    events: list[str]
    templates: list[str]
    features: dict[str, Values]


def facts_of(scenes: Iterable[Mapping[str, Any]]) -> Facts:
    """What may give the reaction away, of every sound in scenes.

    Args:
        scenes: ``template_id``, ``duration_s``, ``turns`` (``start_s``, ``end_s``), ``events`` as in the table
            ``scene_events``, and ``before``: the number of turns before each event, by its name.

    Raises:
        NotFound: when there is no sound.
    """
    numbers: dict[str, list[float]] = defaultdict(list)
    names: dict[str, list[str]] = defaultdict(list)
    for scene in scenes:
        for event in scene["events"]:
            for name in ("reaction", "band", "event", "take"):
                names[name].append(event[name])
            names["template"].append(scene["template_id"])
            for name, value in _numbers(scene, event).items():
                numbers[name].append(value)
    if not names:
        raise NotFound("no sounds of CARES here")
    features: dict[str, Values] = {**numbers, "event": names["event"], "take": names["take"]}
    return Facts(names["reaction"], names["band"], names["event"], names["template"], features)


def _numbers(scene: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, float]:
    turns, at = scene["turns"], scene["before"][event["event"]]
    length, voiced = event["offset_s"] - event["onset_s"], event.get("voice_s")
    return {
        "gap_s": turns[at]["start_s"] - turns[at - 1]["end_s"],
        "level_lufs": event["measured_level_lufs"],
        "position": event["onset_s"] / scene["duration_s"],
        "duration_s": length,
        "distance_m": event["distance_m"],
        "overlap": math.nan if voiced is None else voiced / length,
    }


def report(facts: Facts, shuffles: int = SHUFFLES) -> list[Shortcut]:
    """The whole report; what must stay within chance is its first line, what the rules themselves tie its last ones.

    Raises:
        InvalidInput: for scenes of too few templates.
    """
    found = [shortcut(facts.reactions, _of(facts, MUST), facts.templates, shuffles, must=True)]
    for name in facts.features:
        parts = {
            "position": (EARLY, [i for i, band in enumerate(facts.bands) if band != "late"]),
            "event": (ORDINARY, _ordinary(facts)),
            "take": (ORDINARY, _ordinary(facts)),
        }
        within, some = parts.get(name, ("all", range(len(facts.reactions))))
        chosen = _some(facts, some)
        found.append(shortcut(chosen.reactions, _of(chosen, (name,)), chosen.templates, shuffles, within))
    found += [
        shortcut(facts.reactions, _of(facts, (name,)), facts.templates, shuffles, within, tied=True)
        for name, within in TIED.items()
    ]
    return found


def _of(facts: Facts, names: Sequence[str]) -> dict[str, Values]:
    return {name: facts.features[name] for name in names}


def _ordinary(facts: Facts) -> list[int]:
    return [i for i, event in enumerate(facts.events) if not event.startswith(f"{RARE}/")]


def _some(facts: Facts, some: Sequence[int]) -> Facts:
    def of(values: Sequence[Any]) -> list[Any]:
        return [values[i] for i in some]

    features: dict[str, Values] = {name: of(values) for name, values in facts.features.items()}
    return Facts(of(facts.reactions), of(facts.bands), of(facts.events), of(facts.templates), features)
