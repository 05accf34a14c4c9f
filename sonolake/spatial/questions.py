"""Questions about a clip, from its labels.

Nothing is asked whose answer a careful listener could dispute: directions within 5 degrees of a sector's edge, times
within 0.2 s of each other or of the clip's edge, distances within 15 %. A question depends on the clip's id, its
labels and the world alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonolake.errors import InvalidInput
from sonolake.ids import rng_of
from sonolake.spatial import ask_action, ask_audible, ask_counting, ask_space, ask_time
from sonolake.spatial.balance import balance
from sonolake.spatial.dimensions import DIMENSIONS, KINDS, STAGE_1
from sonolake.spatial.draft import Draft, worded
from sonolake.spatial.records import ClipEvent, Question
from sonolake.spatial.scene import Scene
from sonolake.spatial.world import World

_ASK: Mapping[str, Callable[[Scene, np.random.Generator], Draft | None]] = {
    "audible": ask_audible.audible,
    "count_events": ask_counting.count_events,
    "count_classes": ask_counting.count_classes,
    "count_repeats": ask_counting.count_repeats,
    "count_simultaneous": ask_counting.count_simultaneous,
    "sector_of": ask_space.sector_of,
    "event_at": ask_space.event_at,
    "onset": ask_time.onset,
    "offset": ask_time.offset,
    "duration": ask_time.duration,
    "nearer": ask_space.nearer,
    "farther": ask_space.farther,
    "relation": ask_time.relation,
    "first": ask_time.first,
    "last": ask_time.last,
    "step_first": ask_action.step_first,
    "step_last": ask_action.step_last,
}


def stage_1(clip_id: str, events: Sequence[ClipEvent], world: World) -> Question | None:
    """Which sounds are audible, or None when that is doubtful or the world has too few classes."""
    draft = _draft(clip_id, Scene(tuple(events), world), "audible") if events else None
    return worded(draft, clip_id, 1, STAGE_1) if draft else None


def stage_2(
    clip_id: str, events: Sequence[ClipEvent], world: World, dimension: str, kind: str = ""
) -> Question | None:
    """A question of a dimension, or None when the clip answers none of its kinds clearly.

    Args:
        clip_id: the clip.
        events: its labels.
        world: what is usual in its split.
        dimension: ``SC``, ``SL``, ``TD``, ``SR``, ``TR`` or ``AP``.
        kind: the kind to try first; the others follow in a drawn order.

    Raises:
        InvalidInput: for another dimension.
    """
    if dimension not in DIMENSIONS:
        raise InvalidInput("dimension", f"one of {tuple(DIMENSIONS)}", dimension)
    kinds = KINDS[dimension]
    order = [kinds[int(i)] for i in rng_of(clip_id, f"kind:{dimension}").permutation(len(kinds))]
    scene = Scene(tuple(events), world)
    for name in sorted(order, key=lambda name: name != kind):
        draft = _draft(clip_id, scene, name) if events else None
        if draft:
            return worded(draft, clip_id, 2, dimension)
    return None


def _draft(clip_id: str, scene: Scene, kind: str) -> Draft | None:
    return _ASK[kind](scene, rng_of(clip_id, f"ask:{kind}"))


@dataclass(frozen=True)
class AskedClip:
    """A clip to ask about.

    Attributes:
        clip_id: the clip.
        events: its labels.
        dimension, kind: what it was laid out for, empty when nothing.
        asked: the dimension of the question that it has already; empty for a clip without one.
    """

    clip_id: str
    events: tuple[ClipEvent, ...]
    dimension: str = ""
    kind: str = ""
    asked: str = ""


@dataclass(frozen=True)
class LeftOut:
    """A clip that is not asked about: ``no_clear_question`` or ``beyond_balance``, with a sentence for a person."""

    clip_id: str
    reason: str
    detail: str


def ask_set(
    clips: Iterable[AskedClip], world: World
) -> tuple[list[tuple[Question, Question]], list[LeftOut]]:
    """One stage-1 and one stage-2 question a clip that has none, the six dimensions equally frequent over all clips.

    A clip keeps the dimension that it was laid out for where its labels allow. Left out are clips without a clear
    question, and as few others as it takes to keep the dimensions equally frequent; under ten of each, within
    one where the number is not a multiple of six. Both lists are ordered by clip id.
    """
    firsts: dict[str, Question] = {}
    seconds: dict[str, dict[str, Question]] = {}
    wanted: dict[str, str] = {}
    possible: dict[str, tuple[str, ...]] = {}
    left_out = []
    for clip in clips:
        if clip.asked:
            possible[clip.clip_id] = (clip.asked,)
            continue
        first = stage_1(clip.clip_id, clip.events, world)
        found = ((d, stage_2(clip.clip_id, clip.events, world, d, clip.kind)) for d in DIMENSIONS)
        second = {d: question for d, question in found if question}
        if first is None or not second:
            left_out.append(LeftOut(clip.clip_id, "no_clear_question", _doubt(clip, first is None)))
            continue
        firsts[clip.clip_id], seconds[clip.clip_id] = first, second
        wanted[clip.clip_id], possible[clip.clip_id] = clip.dimension, tuple(second)
    chosen = balance(possible, wanted)
    pairs = [(firsts[c], seconds[c][chosen[c]]) for c in sorted(firsts) if c in chosen]
    spare = "its dimensions ({}) have more clips than the others"
    left_out += [
        LeftOut(c, "beyond_balance", spare.format(", ".join(possible[c]))) for c in firsts if c not in chosen
    ]
    return pairs, sorted(left_out, key=lambda one: one.clip_id)


def _doubt(clip: AskedClip, first: bool) -> str:
    if not clip.events:
        return "the clip has no labels"
    if first:
        return "which sounds are audible cannot be asked beyond doubt, or too few classes are known for four options"
    return "its labels answer no question of any dimension beyond doubt"
