import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.recipe import SceneRecipe
from sonolake.cares.records import Event, Scenario, Template, Timeline, Utterance
from sonolake.errors import InvalidInput
from sonolake.serial import read, to_json

text = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20)


def test_scenarios_and_templates_round_trip(scenarios, templates):
    for scenario in scenarios[:50]:
        assert read(Scenario, json.loads(to_json(scenario))) == scenario
    for template, _ in templates[:20]:
        assert read(Template, json.loads(to_json(template))) == template


def test_a_recipe_round_trips_and_keeps_its_id(cast_scene, rich):
    recipe, _ = cast_scene(rich)
    first, *others = recipe.events
    recipe = replace(recipe, events=(replace(first, trim_s=(0.25, 1.5)), *others))
    again = read(SceneRecipe, json.loads(to_json(recipe)))
    assert again == recipe
    assert again.scene_id == recipe.scene_id
    assert recipe.scene_id.startswith("scene-")


def test_a_recipe_that_was_kept_before_it_had_all_its_fields_is_read(cast_scene, rich):
    recipe, _ = cast_scene(rich)
    old = json.loads(to_json(recipe))
    for turn in old["turns"]:
        del turn["vocals"], turn["tags"]
    for event in old["events"]:
        del event["trim_s"]
    del old["settings"]["least_confidence"]
    turns = tuple(replace(turn, vocals=(), tags=()) for turn in recipe.turns)
    assert read(SceneRecipe, old) == replace(recipe, turns=turns)
    del old["events"][0]["before"]
    with pytest.raises(InvalidInput, match="EventPlan fields"):
        read(SceneRecipe, old)


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.one_of(st.builds(Utterance, st.sampled_from("AB"), text), st.builds(Event, text)), max_size=8)
)
def test_timelines_round_trip(items):
    timeline = Timeline(tuple(items))
    assert Timeline.from_plain(json.loads(json.dumps(timeline.to_plain()))) == timeline


def test_unknown_fields_and_types_are_refused(scenarios):
    data = json.loads(to_json(scenarios[0]))
    with pytest.raises(InvalidInput, match="Scenario fields"):
        read(Scenario, {**data, "mood": "sad"})
    with pytest.raises(InvalidInput, match="timeline item"):
        Timeline.from_plain([{"type": "music", "text": "la"}])


def test_a_scenario_must_hold_what_its_composition_says(scenarios):
    data = json.loads(to_json(scenarios[0]))
    with pytest.raises(InvalidInput, match="composition"):
        read(
            Scenario, {**data, "composition": "P0V3B0A0" if data["composition"] != "P0V3B0A0" else "P0V0B0A0"}
        )
