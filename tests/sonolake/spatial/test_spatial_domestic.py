"""The list of sounds of a home, and what other sets call them."""

import json
from importlib.resources import files

import jsonschema
import pytest

from sonolake.errors import ItemRefused
from sonolake.sources.procedural.catalog import TAKES
from sonolake.spatial.domestic import class_name, class_of_event, class_of_labels, domestic_classes


def read(name):
    return json.loads(files("sonolake.spatial").joinpath(name).read_text("utf-8"))


def test_the_list_is_what_its_schema_says():
    jsonschema.validate(read("domestic.json"), read("domestic.schema.json"))


def test_there_are_as_many_classes_as_in_the_paper_or_more_each_once_and_somewhere_in_a_home():
    data, classes = read("domestic.json"), domestic_classes()
    parts = [part for group in data["groups"] for part in group["parts"]]
    assert len(classes) == sum(len(part["classes"]) for part in parts) >= 324
    assert len({one.event for one in classes.values()}) == len(classes)
    assert {area for one in classes.values() for area in one.areas} == set(data["areas"])
    labels = [label for one in classes.values() for label in one.labels]
    assert len(labels) == len(set(labels))


def test_umbrellas_stand_over_what_there_is():
    data, classes = read("domestic.json"), domestic_classes()
    there = {name for one in classes.values() for name in (one.name, one.part, one.group)}
    assert {name for scope in data["umbrellas"].values() for name in scope} <= there


def test_all_of_esc_50_but_waves_is_in_it():
    """Its 50 categories; the sea is not heard at home."""
    assert (
        sum(label.startswith("esc50:") for one in domestic_classes().values() for label in one.labels) == 49
    )


@pytest.mark.parametrize(
    ("labels", "name"),
    [
        (["Bark", "Dog", "Domestic_animals_and_pets", "Animal"], "dog bark"),
        (["Walk, footsteps"], "footsteps"),
        (["Walk_and_footsteps", "Human_locomotion"], "footsteps"),
        (["Male speech, man speaking", "Speech"], "man speaking"),
        (["Electric_guitar", "Guitar"], "electric guitar"),
        (["esc50:clock_tick"], "clock tick"),
    ],
)
def test_broader_names_beside_a_class_count_for_nothing(labels, name):
    assert class_of_labels(labels).name == name


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (["Bark", "Meow"], "several_sources"),
        (["Speech", "Music"], "several_sources"),
        (["Bark", "Sonar"], "several_sources"),
        (["Dog"], "not_domestic"),
        (["esc50:sea_waves"], "not_domestic"),
        ([], "not_domestic"),
    ],
)
def test_what_is_no_clear_sound_of_a_home_says_why(labels, reason):
    with pytest.raises(ItemRefused) as refused:
        class_of_labels(labels)
    assert refused.value.reason == reason


def test_every_embedded_event_has_a_class_or_is_heard_elsewhere():
    """By hand: 13 of 76 are sounds of airports, stations, shops, harbours and the inside of cars."""
    elsewhere = {}
    for kind in TAKES:
        try:
            class_of_event(kind.event_id)
        except ItemRefused as refused:
            elsewhere[kind.event_id] = (refused.reason, refused.detail)
    assert len(TAKES) - len(elsewhere) == 63
    assert {reason for reason, _ in elsewhere.values()} == {"not_domestic"}
    assert elsewhere["beach/wave_crash"][1] == "no class of the list, but of the sea: wave_crash"


@pytest.mark.parametrize(
    ("event", "name"),
    [
        ("home/dog_bow_wow", "dog bow-wow"),
        ("home_indoor/faucet", "tap running"),
        ("mine/Bark", "dog bark"),
        ("general/glass_break", "glass breaking"),
    ],
)
def test_an_event_of_a_folder_is_a_class_by_its_own_name_an_alias_or_a_label(event, name):
    assert class_of_event(event).name == class_name(event) == name


def test_a_take_in_which_more_is_heard_says_so():
    assert class_of_event("home/dog_bark", ["Dog", "home/dog_bark"]).name == "dog bark"
    with pytest.raises(ItemRefused, match="more than one sound is labelled: car horn, dog bark") as refused:
        class_of_event("home/dog_bark", ["street_traffic/car_horn"])
    assert refused.value.reason == "several_sources"
    assert class_name("office/paper_aeroplane") == "paper aeroplane"
