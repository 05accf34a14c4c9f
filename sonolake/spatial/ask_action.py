"""Action Prediction: what to do, and in which direction, about the sound that starts first or last.

Two steps crossed with two directions: the words alone favour none of the four. The false step is one that other sounds
call for and that is not akin to the true one.
"""

from __future__ import annotations

import numpy as np

from sonolake.spatial.actions import Action, action_for, actions
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
    other = scene.world.steps.other(action.action_id, rng) or one_of(rng, _unlike(action))
    place = sector(chosen.azimuth_deg)
    wrong = one_of(rng, [name for name in SECTORS if name != place])
    claims = [(step, where) for where in (place, wrong) for step in (action.action_id, other)]
    a, b, c, d = ("|".join(claim) for claim in claims)
    words = {"|".join(claim): {"step": actions()[claim[0]].step, "sector": claim[1]} for claim in claims}
    return Draft(kind, (a, b, c, d), {}, words)


def _unlike(action: Action) -> list[str]:
    return [one for one in actions() if one != action.action_id and one not in action.akin]
