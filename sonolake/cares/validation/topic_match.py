"""Which of the topics that were asked for are recovered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonolake.cares.validation.judges import Reading
from sonolake.cares.validation.rated import RatedScene
from sonolake.cares.validation.topics import Encoder, Threshold, cosines, identified
from sonolake.errors import ItemRefused


@dataclass(frozen=True)
class TopicMatch:
    """Topics asked for and recovered.

    Attributes:
        threshold: that it is held against.
        matches: whether the recovered topic is as near as the threshold asks, by scene id; None for a judge that only
            quotes, which no threshold for reworded topics fits.
        identified: whether what was read is nearer to the scene's own topic than to those of the template's other
            scenes, by scene id; scenes without others are left out.
        chance: the share that a blind choice would identify; 0 without any.
    """

    threshold: Threshold
    matches: Mapping[str, bool] | None
    identified: Mapping[str, bool]
    chance: float


def topic_match(
    scenes: Sequence[RatedScene],
    readings: Mapping[str, Reading | ItemRefused],
    encoder: Encoder,
    threshold: Threshold,
    quotes: bool,
) -> TopicMatch:
    """Compare topics.

    Args:
        scenes: those without a topic, or that nobody read, are left out.
        readings: by scene id.
        encoder, threshold: sentence vectors, and what was calibrated for them.
        quotes: whether the judge's topics are sentences of the transcript.
    """
    read = {s.scene_id: r.topic for s in scenes if s.topic and isinstance(r := readings[s.scene_id], Reading)}
    of = [scene for scene in scenes if scene.scene_id in read]
    near = cosines(encoder, [(scene.topic, read[scene.scene_id]) for scene in of]) >= threshold.tau
    matches = {scene.scene_id: bool(one) for scene, one in zip(of, near, strict=True)}
    others = _others(of, encoder, threshold)
    asked = [(read[s.scene_id], s.topic, others[s.scene_id]) for s in of if others[s.scene_id]]
    found = identified(encoder, asked)
    named = [scene.scene_id for scene in of if others[scene.scene_id]]
    chance = float(np.mean([1 / (1 + len(rest)) for _, _, rest in asked])) if asked else 0.0
    known = {name: bool(one) for name, one in zip(named, found, strict=True)}
    return TopicMatch(threshold, None if quotes else matches, known, chance)


def _others(
    scenes: Sequence[RatedScene], encoder: Encoder, threshold: Threshold
) -> dict[str, tuple[str, ...]]:
    """The topics of other scenes of each one's template that the threshold tells from its own."""
    topics: dict[str, set[str]] = defaultdict(set)
    for scene in scenes:
        topics[scene.template_id].add(scene.topic)
    pairs = [(a, b) for some in topics.values() for a in sorted(some) for b in sorted(some) if a != b]
    apart = {pair for pair, near in zip(pairs, cosines(encoder, pairs), strict=True) if near < threshold.tau}
    return {
        scene.scene_id: tuple(one for one in sorted(topics[scene.template_id]) if (scene.topic, one) in apart)
        for scene in scenes
    }
