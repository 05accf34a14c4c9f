"""What a release holds: only what may be released, and where all of it comes from."""

import re
from itertools import chain

import pytest

from sonolake.errors import NotFound
from sonolake.sources.licences import releasable
from tasks.contents import content_of
from tasks.opening import lake_at

UNCLEAR = "LicenseRef-unclear"


@pytest.fixture
def made(own_lake):
    return lake_at(str(own_lake))


@pytest.fixture(scope="module")
def whole(plain_lake):
    """What is released of the lake as it is, and the kinds of its assets."""
    lake = lake_at(str(plain_lake))
    kinds = {r["asset_id"]: r["kind"] for r in lake.rows("SELECT asset_id, kind FROM assets")}
    return content(lake), kinds


def content(lake):
    return content_of(lake, "tiny", "0.2.0", "2026-11-30", lake.snapshot)


def items(made_content):
    return {
        (config.name, item)
        for config in made_content.configs
        for table in config.splits.values()
        for item in table["item_id"].to_pylist()
    }


def parents(made_content):
    edges = {}
    for row in made_content.lineage.to_pylist():
        edges.setdefault(row["child"], set()).add(row["parent"])
    return edges


def everything_behind(item, edges):
    found, waiting = set(), [item]
    while waiting:
        for parent in edges.get(waiting.pop(), ()):
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return found


def test_all_three_data_sets_are_there_with_their_counts(whole):
    made_content, kinds = whole
    counts = {config.name: config.rows for config in made_content.configs}
    made = list(kinds.values())
    assert counts["cares"] == made.count("scene") == 2
    assert 0 < counts["rms-aqa"] <= made.count("clip") == 6
    assert counts["wesr"] == made.count("speech") == 4


def test_every_item_goes_back_to_sounds_with_a_licence_that_allows_release(whole):
    made_content, kinds = whole
    edges = parents(made_content)
    sources = {row["asset_id"]: row for row in made_content.sources.to_pylist()}
    for config, item in items(made_content):
        behind = everything_behind(item, edges)
        sounds = {one for one in behind if one in kinds}
        assert sounds, f"{config} {item} comes from nowhere"
        assert sounds <= set(sources)
        assert all(releasable(sources[one]["licence"]) and sources[one]["author"] for one in sounds)
        voices = {one for one in behind if one.startswith("voice:")}
        assert voices <= set(sources) and (config != "cares" or len(voices) == 2)


def test_every_item_names_the_code_that_made_it_and_the_weights_of_models(whole):
    made_content, _ = whole
    edges = parents(made_content)
    for config, item in items(made_content):
        behind = everything_behind(item, edges)
        assert any(one.startswith("code:") for one in behind), f"{config} {item}"
        models = [one for one in behind if one.startswith(("model:", "voice:"))]
        assert bool(models) == (config != "rms-aqa")
        assert all(len(one.partition("@")[2]) == 64 for one in models)


def test_what_may_not_be_released_is_left_out(made):
    before = items(content(made))
    with made.transaction("unclear") as tx:
        scene = tx.sql("SELECT min(scene_id) AS one FROM scenes")["one"][0].as_py()
        recording = tx.sql("SELECT min(asset_id) AS one FROM assets WHERE kind = 'speech'")["one"][0].as_py()
        tx.sql("UPDATE scenes SET licence = ? WHERE scene_id = ?", [UNCLEAR, scene])
        tx.sql("UPDATE assets SET licence = ? WHERE asset_id = ?", [UNCLEAR, recording])
        said = tx.sql("SELECT utterance_id AS one FROM utterances WHERE asset_id = ?", [recording])[
            "one"
        ].to_pylist()
    made_content = content(made)
    assert before - items(made_content) == {("cares", scene), *(("wesr", one) for one in said)}
    licences = {row["licence"] for row in made_content.sources.to_pylist()}
    assert UNCLEAR not in licences and all(map(releasable, licences))
    assert recording not in made_content.lineage["parent"].to_pylist()


def test_items_of_licences_that_exclude_each_other_in_a_mix_stand_side_by_side(made):
    """A collection is no mix (CC's compatibility chart is about adaptations): each item keeps its own licence."""
    before = items(content(made))
    with made.transaction("others") as tx:
        tx.sql("UPDATE scenes SET licence = 'CC-BY-SA-4.0'")
        tx.sql("UPDATE clips SET licence = 'CC-BY-NC-4.0'")
        tx.sql("UPDATE assets SET licence = 'CC-BY-4.0' WHERE kind = 'speech'")
    made_content = content(made)
    assert items(made_content) == before
    assert made_content.licence == "CC-BY-NC-4.0 AND CC-BY-SA-4.0"
    assert {
        config.name: {licence for t in config.splits.values() for licence in t["licence"].to_pylist()}
        for config in made_content.configs
    } == {"cares": {"CC-BY-SA-4.0"}, "rms-aqa": {"CC-BY-NC-4.0"}, "wesr": {"CC-BY-4.0"}}


def test_turns_say_how_sure_their_words_are_and_what_became_of_their_tags(whole):
    (cares,) = (config for config in whole[0].configs if config.name == "cares")
    turns = [turn for table in cares.splits.values() for turn in chain(*table["turns"].to_pylist())]
    assert turns
    for turn in turns:
        words = " ".join(re.findall(r"[^\W_]+(?:['’][^\W_]+)*", re.sub(r"\[.*?\]", " ", turn["text"])))
        assert " ".join(word["text"] for word in turn["words"]) == words
        assert all(0 <= one["confidence"] <= 1 for one in (turn, *turn["words"]))
        assert turn["start_s"] - 0.05 <= turn["words"][0]["start_s"] <= turn["words"][-1]["end_s"]
        assert [tag["tag"] for tag in turn["tags"]] == re.findall(r"\[(.*?)\]", turn["text"])


def test_a_snapshot_is_read_as_it_was(made):
    before, snapshot = content(made), made.snapshot
    with made.transaction("forget") as tx:
        for table in ("scenes", "clips", "utterances"):
            tx.sql(f"DELETE FROM {table}")
    again = content_of(made, "tiny", "0.2.0", "2026-11-30", snapshot)
    assert items(again) == items(before) and again.lineage == before.lineage
    with pytest.raises(NotFound, match="nothing to release"):
        content(made)


def test_the_notes_say_what_is_synthetic_and_who_can_be_heard(whole):
    notes = " ".join(whole[0].notes)
    assert "FM" in notes or "MF" in notes
    assert "synthetic" in notes and "nobody has confirmed" in notes
    (cares,) = (config for config in whole[0].configs if config.name == "cares")
    split_of = {item: split for split, table in cares.splits.items() for item in table["item_id"].to_pylist()}
    spoken = {
        (e["parent"], split_of[e["child"]]) for e in whole[0].lineage.to_pylist() if e["role"] == "voice"
    }
    shared = len({voice for voice, _ in spoken}) < len(spoken)
    assert ("splits share voices" in notes) is shared
    assert ("no voice speaks in two splits" in notes) is not shared


def test_every_column_has_a_meaning(whole):
    for config in whole[0].configs:
        assert set(config.schema.names) - {"audio_asset"} <= set(config.meanings)
