"""How well the reactions that were asked for are recovered, and which scenes pass (CARES, equation 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonolake.cares.records import REACTIONS
from sonolake.cares.validation.judges import Judge, Reading
from sonolake.cares.validation.rated import RatedScene
from sonolake.errors import ItemRefused
from sonolake.scoring.bootstrap import Figure, Score, Sums, intervals
from sonolake.scoring.kappa import Kappa, cohen

RESAMPLES = 2000
_KINDS = len(REACTIONS)


@dataclass(frozen=True)
class Recovered:
    """What a judge recovered of many scenes.

    Attributes:
        judge: its name.
        self_check: whether it wrote some of the dialogues itself.
        scenes, sounds: read, and typed in them.
        missing: sounds that were not typed, each of which fails its scene. unread: scenes without a reading.
        kappa: Cohen's, of asked and recovered reactions, on the sounds that were typed; None without any.
        interval: of kappa, 95 %, scenes drawn with replacement; None where kappa has no value.
        confusion: for each asked reaction, how often each one was recovered.
        passed: scenes with every reaction recovered and a topic that matches, where topics are compared.
    """

    judge: str
    self_check: bool
    scenes: int
    sounds: int
    missing: int
    unread: int
    kappa: Kappa | None
    interval: Score | None
    confusion: Mapping[str, Mapping[str, int]]
    passed: frozenset[str]


def recovered(
    scenes: Sequence[RatedScene],
    judge: Judge,
    readings: Mapping[str, Reading | ItemRefused],
    matches: Mapping[str, bool] | None = None,
    resamples: int = RESAMPLES,
) -> Recovered:
    """Compare what was read with what was asked for.

    A behavioral sound that is read as ambient passes where its register is a change of voice and the tag for it is in
    place: that is heard, not read. Kappa counts it as it was read.

    Args:
        scenes: with what was asked for.
        judge: who read them.
        readings: by scene id.
        matches: whether the topic matches, by scene id; None for topics that are not compared.
        resamples: of the interval; 0 for none.
    """
    read = {s.scene_id: r for s in scenes if isinstance(r := readings[s.scene_id], Reading)}
    of = {scene.scene_id: scene for scene in scenes if scene.scene_id in read}
    pairs = {
        scene_id: [(asked, read[scene_id].reactions.get(event)) for event, asked in scene.asked.items()]
        for scene_id, scene in of.items()
    }
    typed = [(asked, found) for some in pairs.values() for asked, found in some if found in REACTIONS]
    kappa = cohen([a for a, _ in typed], [b for _, b in typed]) if typed else None
    has_value = kappa is not None and kappa.value is not None
    return Recovered(
        judge=judge.name,
        self_check=any(judge.wrote(scene.writer) for scene in scenes),
        scenes=len(of),
        sounds=len(typed),
        missing=sum(map(len, pairs.values())) - len(typed),
        unread=len(scenes) - len(of),
        kappa=kappa,
        interval=_interval([pairs[one] for one in sorted(pairs)], resamples) if has_value else None,
        confusion={a: {b: typed.count((a, b)) for b in REACTIONS} for a in REACTIONS},
        passed=frozenset(one for one in of if _passes(of[one], read[one], matches)),
    )


def _passes(scene: RatedScene, reading: Reading, matches: Mapping[str, bool] | None) -> bool:
    if matches is not None and not matches.get(scene.scene_id, False):
        return False
    found = {event: reading.reactions.get(event) for event in scene.asked}
    return all(
        found[event] == asked or (found[event] == "ambient" and event in scene.voiced)
        for event, asked in scene.asked.items()
    )


def _interval(scenes: Sequence[Sequence[tuple[str, str | None]]], resamples: int) -> Score:
    counts = np.zeros((len(scenes), _KINDS**2))
    for row, pairs in zip(counts, scenes, strict=True):
        for asked, found in pairs:
            if found in REACTIONS:
                row[REACTIONS.index(asked) * _KINDS + REACTIONS.index(found)] += 1
    kappa: Figure = _kappas
    return intervals(counts, [kappa], resamples)[0]


def _kappas(sums: Sums) -> Sums:
    """Cohen's kappa of each row of counts; 1 where everybody gives one and the same label."""
    tables = sums.reshape(-1, _KINDS, _KINDS)
    n = np.maximum(1.0, tables.sum(axis=(1, 2)))
    observed = np.trace(tables, axis1=1, axis2=2) / n
    expected = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1) / n**2
    left = 1.0 - expected
    return np.asarray(np.divide(observed - expected, left, out=np.ones_like(left), where=left > 1e-12))
