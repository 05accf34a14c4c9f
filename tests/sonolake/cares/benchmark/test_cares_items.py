from collections import Counter

import pytest

from sonolake.cares.benchmark import (
    HeardSound,
    SceneFacts,
    build_items,
    files_of,
    question,
    read_items,
    scenes_of,
)
from sonolake.cares.records import REACTIONS
from sonolake.errors import InvalidInput, NotFound


def test_one_item_a_scene_or_a_sound(facts, items):
    """Uniform over 30 compositions: 7/3 sounds a scene, 1/30 of scenes without."""
    tasks = Counter(item.task for item in items)
    sounds = sum(len(scene.sounds) for scene in facts)
    assert tasks == {
        "scene": 1000,
        "reactions": sounds,
        "sounds": sounds,
        "muted": sounds,
        "summary": sum(bool(scene.sounds) for scene in facts),
    }
    assert 2300 <= sounds <= 2350
    assert len({item.item_id for item in items}) == len(items)


def test_four_options_of_which_one_is_right(items, banks):
    for item in items:
        if item.task in ("scene", "sounds"):
            assert len(set(item.options)) == 4
            assert item.options.count(item.answer) == 1
    names = {place.name for place in banks.locations.values()}
    assert {o for item in items if item.task == "scene" for o in item.options} == names


def test_distractors_are_of_the_same_place_and_not_in_the_scene(facts, items, banks):
    by_id = {scene.scene_id: scene for scene in facts}
    called = {sound.name: event for event, sound in banks.sounds.items()}
    for item in items:
        if item.task == "sounds":
            scene = by_id[item.scene_id]
            wrong = {called[option] for option in item.options if option != item.answer}
            assert not wrong & {sound.event for sound in scene.sounds}
            assert wrong <= {*banks.pool(scene.location), *banks.rare(scene.location)}


def test_a_rare_sound_is_not_the_odd_one_out(items, banks):
    rare = {s.name for e, s in banks.sounds.items() if e.startswith("rare_events/")}
    asked = [i for i in items if i.task == "sounds" and i.event.startswith("rare_events/")]
    assert len(asked) > 20
    assert all(sum(option in rare for option in item.options) >= 2 for item in asked)


def test_the_right_one_stands_anywhere(items):
    """Of n draws among four places: within four standard deviations of n/4."""
    for task in ("scene", "sounds"):
        places = Counter(i.options.index(i.answer) for i in items if i.task == task)
        n = sum(places.values())
        assert all(abs(count - n / 4) < 4 * (n * 3 / 16) ** 0.5 for count in places.values())


def test_items_do_not_depend_on_order_or_on_other_scenes(facts, items, banks):
    assert build_items(reversed(facts), banks) == items
    few = build_items(facts[:10], banks)
    assert set(few) <= set(items)


def test_the_muted_control_repeats_an_item(items):
    reactions = {item.item_id: item for item in items if item.task == "reactions"}
    muted = [item for item in items if item.task == "muted"]
    assert {item.of for item in muted} == set(reactions)
    for item in muted:
        first = reactions[item.of]
        assert (item.scene_id, item.event, item.at_s, item.answer) == (
            first.scene_id,
            first.event,
            first.at_s,
            first.answer,
        )


def test_questions(items):
    first = {item.task: item for item in reversed(items)}
    asked = question(first["reactions"])
    assert f"At {first['reactions'].at_s:.1f} s" in asked
    assert all(f"- {name}: " in asked for name in REACTIONS)
    assert question(first["muted"]) == question(next(i for i in items if i.item_id == first["muted"].of))
    assert all(f"- {option}\n" in question(first["scene"]) for option in first["scene"].options)
    assert "at most 25 words" in question(first["summary"], 25)
    with pytest.raises(InvalidInput, match="budget"):
        question(first["summary"])


def test_the_files_of_a_release_come_back(items, tmp_path):
    files = files_of(items)
    assert sorted(files) == [
        "muted.parquet",
        "reactions.parquet",
        "scene.parquet",
        "sounds.parquet",
        "summary.parquet",
    ]
    assert files_of(reversed(items)) == files, "equal items, equal bytes"
    folder = tmp_path / "release" / "benchmark" / "cares"
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    assert sorted(read_items(folder), key=lambda i: (i.task, i.item_id)) == list(items)
    assert set(read_items(tmp_path / "release")) == set(items)
    with pytest.raises(NotFound, match=r"reactions\.parquet"):
        read_items(tmp_path)


def test_scenes_of_a_releases_table(banks):
    import pyarrow as pa

    event = {"event": "general/zip", "reaction": "ambient", "onset_s": 7.0}
    other = {"event": "shared/dog_bark", "reaction": "verbal", "onset_s": 3.0}
    table = pa.Table.from_pylist(
        [
            {"item_id": "s1", "location": "rural", "events": [event, other]},
            {"item_id": "s2", "location": "car", "events": []},
        ]
    )
    names = {e: s.name for e, s in banks.sounds.items()}
    found = scenes_of(table, names)
    assert [s.event for s in found[0].sounds] == ["shared/dog_bark", "general/zip"]
    assert found[1] == SceneFacts("s2", "car", ())
    with pytest.raises(InvalidInput, match="sounds of the bank"):
        scenes_of(table, {})


def test_scenes_that_cannot_be_asked_about(banks):
    with pytest.raises(InvalidInput, match="every scene once"):
        build_items([SceneFacts("a", "car", ())] * 2, banks)
    with pytest.raises(InvalidInput, match="location of a"):
        build_items([SceneFacts("a", "moon", ())], banks)
    with pytest.raises(InvalidInput, match="reaction"):
        HeardSound("general/zip", "zip", "shrug", 1.0)
