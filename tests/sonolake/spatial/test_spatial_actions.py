"""The table of next steps."""

import json
from importlib.resources import files

import numpy as np

from sonolake.spatial.actions import action_for, actions, distinct, without_action
from sonolake.spatial.domestic import domestic_classes
from sonolake.spatial.world import World


def test_each_class_of_the_list_has_a_step_or_a_reason_for_none():
    table = json.loads(files("sonolake.spatial").joinpath("actions.json").read_text("utf-8"))
    named = [name for part in ("actions", "no_action") for row in table[part] for name in row["classes"]]
    assert sorted(named) == sorted(domestic_classes())
    asked = [name for name in domestic_classes() if action_for(name)]
    assert len(asked) > 0.75 * len(named)
    assert without_action().keys() == domestic_classes().keys() - set(asked)


def test_steps_by_hand():
    assert action_for("smoke alarm").step == "raise the alarm and check for smoke or fire"
    assert action_for("cat meow").action_id == "pet"
    assert action_for("clock tick") is None and "works" in without_action()["clock tick"]
    assert action_for("unheard of") is None
    assert len({one.step for one in actions().values()}) == len(actions())


def test_what_is_akin_is_so_both_ways_and_never_a_wrong_answer():
    assert all(name in actions()[other].akin for name, one in actions().items() for other in one.akin)
    ids = ("fire", "stove", "pet")
    assert distinct(ids).tolist() == [[False, False, True], [False, False, True], [True, True, False]]


def test_every_step_has_many_that_are_clearly_wrong():
    assert min(distinct(tuple(actions())).sum(axis=1)) >= 40


def test_a_wrong_step_is_one_that_other_sounds_of_the_split_call_for():
    world = World.of([], ["smoke alarm", "frying", "dog bark", "telephone ring", "clock tick"])
    rng = np.random.default_rng(0)
    drawn = {world.steps.other("fire", rng) for _ in range(200)} - {None}
    assert drawn == {"pet", "phone"}
