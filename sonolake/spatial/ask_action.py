"""Action Prediction: what to do, and in which direction, about the sound that starts first or last.

Two steps crossed with two directions: the words alone favour none of the four.
"""

from __future__ import annotations

import numpy as np

from sonolake.spatial.actions import action_for, actions
from sonolake.spatial.ask_time import outermost
from sonolake.spatial.draft import Draft
from sonolake.spatial.scene import Scene, one_of
from sonolake.spatial.sectors import SECTORS, sector


def step_first(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """The step that the first sound to start calls for."""
    return _step(scene, rng, "step_first")


def step_last(scene: Scene, rng: np.random.Generator) -> Draft | None:
    """The step that the last sound to start calls for."""
    return _step(scene, rng, "step_last")


def _step(scene: Scene, rng: np.random.Generator, kind: str) -> Draft | None:
    chosen = outermost(scene, kind.removeprefix("step_"))
    action = action_for(chosen.event) if chosen else None
    if chosen is None or action is None or chosen.event not in scene.facing:
        return None
    other = scene.world.steps.other(action.action_id, rng) or one_of(rng, _all_but(action.action_id))
    place = sector(chosen.azimuth_deg)
    wrong = one_of(rng, [name for name in SECTORS if name != place])
    claims = [(step, where) for where in (place, wrong) for step in (action.action_id, other)]
    steps = {row.action_id: row.step for row in actions()}
    a, b, c, d = ("|".join(claim) for claim in claims)
    words = {"|".join(claim): {"step": steps[claim[0]], "sector": claim[1]} for claim in claims}
    return Draft(kind, (a, b, c, d), {}, words)


def _all_but(action_id: str) -> list[str]:
    return [row.action_id for row in actions() if row.action_id != action_id]
