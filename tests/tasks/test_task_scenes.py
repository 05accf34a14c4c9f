"""Scenes: the same recipe gives the same bytes, alone or in a batch, with one worker or two."""

import io
from types import SimpleNamespace

import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile

from sonolake.audition import Decision
from sonolake.audition.decisions import decide
from sonolake.cares.banks import default_banks
from sonolake.cares.benchmark import HeardSound, SceneFacts, build_items
from sonolake.lake.step import Counts, Done
from sonolake.rendering import scenes
from tasks.contents.data_sets import cares_muted
from tasks.contents.release import content_of
from tasks.muted import with_muted
from tasks.opening import lake_at
from tasks.scenes import recordings_of, render_scenes
from tasks.scripts import allocate_scenarios, make_templates, scenarios, split_templates

HALF_STEP_DB = 0.00016
"""Half a step of 16 bits at -1 dBFS: 20 log10(1 + 0.5 / 29204.5)."""

FILES = "SELECT scenario_id, scene_id, asset_id, record FROM scenes ORDER BY scenario_id"


def rows_of(files, name):
    return pq.read_table(io.BytesIO(files[name])).to_pylist() if name in files else []


def asset_of(lake, scene_id):
    return lake.rows("SELECT asset_id FROM scenes WHERE scene_id = ?", [scene_id])[0]["asset_id"]


def forget_scenes(lake, but=""):
    with lake.transaction("forget") as tx:
        for table in ("scene_events", "turns"):
            tx.sql(f"DELETE FROM {table} WHERE scene_id <> ?", [but])
        tx.sql("DELETE FROM assets WHERE kind = 'scene' AND item <> ?", [but])
        tx.sql("DELETE FROM scenes WHERE scene_id <> ?", [but])


@pytest.fixture
def made(own_lake):
    """A lake whose two scenes one worker made, each alone, in another process; what was spoken since is kept."""
    return lake_at(str(own_lake))


@pytest.mark.parametrize("workers", [2, 4])
def test_a_batch_of_several_workers_makes_the_scenes_that_one_made_alone(made, workers):
    before = made.rows(FILES)
    tables = ("scene_events", "turns")
    rows = [made.sql(f"SELECT * FROM {table} ORDER BY ALL") for table in tables]
    assert len(before) == 2
    forget_scenes(made)
    scenes._spoken.cache_clear()
    counts = render_scenes.fn(str(made.root), "run", scenarios(made), "short", workers=workers)
    assert counts == Counts(taken=2, done=2, made=2)
    assert made.rows(FILES) == before
    assert [made.sql(f"SELECT * FROM {table} ORDER BY ALL") for table in tables] == rows


def test_one_that_is_missing_is_made_and_the_others_are_left_alone(made):
    before = made.rows(FILES)
    kept = before[0]["scene_id"]
    forget_scenes(made, but=kept)
    first, second = scenarios(made)
    counts = render_scenes.fn(str(made.root), "run", [second, first], "short", workers=1)
    assert counts == Counts(taken=2, done=1, already=1, made=1)
    assert made.rows(FILES) == before


def test_scripts_that_are_there_stay_as_they_are(made):
    root = str(made.root)
    tables = ("templates", "scenarios", "splits")
    before = [made.sql(f"SELECT * FROM {table} ORDER BY ALL") for table in tables]
    assert make_templates.fn(root, "run", 2) == Counts(taken=2, already=2)
    assert split_templates.fn(root, "run") == Counts(taken=2, already=2)
    assert allocate_scenarios.fn(root, "run", 2) == Counts(taken=2, already=2)
    assert [made.sql(f"SELECT * FROM {table} ORDER BY ALL") for table in tables] == before


def test_more_scenes_leave_the_first_ones_as_they_were(made):
    root = str(made.root)
    before = {r["scenario_id"]: r for r in made.rows("SELECT * FROM scenarios")}
    assert allocate_scenarios.fn(root, "run", 8) == Counts(taken=8, done=6, already=2, made=6)
    after = {r["scenario_id"]: r for r in made.rows("SELECT * FROM scenarios")}
    assert {one: after[one] for one in before} == before


def test_a_scene_only_uses_what_its_split_may_use(made):
    query = (
        "SELECT s.scene_id, s.split, l.role, p.split AS of_layer FROM scenes s JOIN lineage l ON l.child = s.scene_id "
        "JOIN partitions p ON p.item = l.parent AND p.kind = l.role"
    )
    rows = made.rows(query)
    assert {row["role"] for row in rows} == {"take", "ambience", "response"}
    assert [row for row in rows if row["split"] != row["of_layer"]] == []


def test_a_scene_says_what_was_measured(made):
    """CARES, section 4: -23 LUFS, peaks at most -1 dBFS; only what touches the limiter may be quieter."""
    for row in made.rows("SELECT * FROM scenes"):
        assert row["peak_dbfs"] <= -1.0 + HALF_STEP_DB
        assert row["loudness_lufs"] <= -22.9
        assert row["loudness_lufs"] >= -23.1 or row["peak_dbfs"] == pytest.approx(-1.0, abs=0.01)
        assert (row["asked_loudness_lufs"], row["asked_voice_lufs"]) == (-23.0, -20.0)
        assert row["measured_voice_lufs"] == pytest.approx(-20.0, abs=0.5)
        assert row["measured_ambience_lufs"] == pytest.approx(row["asked_ambience_lufs"], abs=0.5)
        assert row["limited_db"] >= 0.0
    for row in made.rows("SELECT * FROM scene_events"):
        assert row["measured_onset_s"] == pytest.approx(row["asked_onset_s"], abs=0.05)
        assert row["measured_offset_s"] == row["offset_s"]
        assert row["measured_offset_s"] == pytest.approx(row["asked_offset_s"], abs=0.05)
        assert (row["measured_duck_db"] is None) or row["measured_duck_db"] <= 4.05
        assert row["violates"] is None
    for row in made.rows("SELECT * FROM turns"):
        gaps = row["asked_gap_s"], row["measured_gap_s"]
        assert gaps == (None, None) if row["turn"] == 0 else 0.47 <= min(gaps) <= max(gaps) <= 0.88


def test_a_scenario_without_takes_is_set_aside_and_made_once_there_are_some(made):
    root = str(made.root)
    before = made.rows(FILES)
    (with_sound, *_) = made.rows(
        "SELECT s.scenario_id, e.event FROM scenes s JOIN scene_events e USING (scene_id)"
    )
    (scenario,) = [s for s in scenarios(made) if s.scenario_id == with_sound["scenario_id"]]
    forget_scenes(made)
    hide = "UPDATE assets SET licence = ? WHERE kind = 'take' AND event = ?"
    (licence,) = made.rows("SELECT DISTINCT licence FROM assets WHERE event = ?", [with_sound["event"]])

    def render():
        return render_scenes.fn(root, "run", [scenario], "short")

    with made.transaction("take away") as tx:
        tx.sql(hide, ["LicenseRef-unclear", with_sound["event"]])
    assert render() == Counts(taken=1, quarantined=1)
    (row,) = made.rows("SELECT item, reason, detail FROM quarantine WHERE step = 'render-scenes'")
    assert (row["item"], row["reason"]) == (scenario.scenario_id, "no_recording")
    assert with_sound["event"] in row["detail"] and scenario.split in row["detail"]
    assert render() == Counts(taken=1, already=1)
    with made.transaction("put back") as tx:
        tx.sql(hide, [licence["licence"], with_sound["event"]])
    assert render() == Counts(taken=1, done=1, made=1)
    assert made.rows("SELECT * FROM quarantine WHERE step = 'render-scenes'") == []
    assert made.rows(FILES) == [one for one in before if one["scenario_id"] == scenario.scenario_id]


def test_the_takes_of_a_split_are_those_that_people_left(lake, add_assets):
    ids = add_assets(*({"name": name} for name in ("fan", "hum", "tick")))
    lake.table("partitions").append([{"item": one, "kind": "take", "split": "test"} for one in ids])
    fan, hum, tick = ids
    decide(lake, "office/fan", fan, Decision("reject"), "ann", 0)
    decide(lake, "office/fan", hum, Decision("accept", trim_s=(0.25, 1.0)), "ann", 0)
    decide(lake, "office/clock", tick, Decision("accept"), "ann", 0)
    there = recordings_of(lake)["test"]
    assert {event: set(some) for event, some in there.takes.items()} == {
        "office/fan": {hum, tick},
        "office/clock": {tick},
    }
    assert there.trims == {"office/fan": {hum: (0.25, 1.0)}}


def test_muted_scenes_are_assets_that_their_events_name(lake):
    scene = SimpleNamespace(scene_id="scene-1", rate=8000, muted={"rural/cow_moo": np.ones(8000, np.int16)})
    asset = {"asset_id": "a", "licence": "CC-BY-4.0", "title": "t", "location": "rural"}
    asset |= {"language": "en", "synthetic": True}
    events = [{"scene_id": "scene-1", "event": one} for one in ("rural/cow_moo", "rural/tractor")]
    done = with_muted(lake, Done({"assets": [asset], "scene_events": events}), scene, asset)
    _, made = done.rows["assets"]
    facts = SceneFacts("scene-1", "rural", (HeardSound("rural/cow_moo", "a cow", "verbal", 1.0),))
    (item,) = (one for one in build_items([facts], default_banks()) if one.task == "muted")
    assert (made["kind"], made["item"], made["licence"]) == ("muted", item.item_id, "CC-BY-4.0")
    assert [row["muted"] for row in done.rows["scene_events"]] == [made["asset_id"], None]
    assert {(edge.child, edge.parent) for edge in done.edges} == {
        (item.item_id, "scene-1"),
        (made["asset_id"], item.item_id),
    }
    lake.table("assets").append([made])
    lake.table("scenes").append([{"scene_id": "scene-1", "split": "test"}])
    lake.table("scene_events").append(list(done.rows["scene_events"]))
    config = cares_muted(lake, lake.snapshot)
    row = config.splits["test"].to_pylist()[0]
    assert (row["item_id"], row["scene_id"], row["event"]) == (item.item_id, "scene-1", "rural/cow_moo")
    assert (row["audio_asset"], row["duration_s"]) == (made["asset_id"], 1.0)


def test_a_test_scene_is_released_without_each_of_its_sounds_as_well(made):
    events = made.rows("SELECT e.*, s.split FROM scene_events e JOIN scenes s USING (scene_id)")
    assert {row["muted"] is not None for row in events if row["split"] == "test"} <= {True}
    assert {row["muted"] for row in events if row["split"] != "test"} <= {None}
    content = content_of(made, "x", "0.1.0", "2026-01-01", made.snapshot)
    configs = {config.name: config for config in content.configs}
    asked = {row["item_id"] for row in rows_of(content.benchmark, "cares/muted.parquet")}
    heard = configs["cares-muted"].splits["test"].to_pylist() if "cares-muted" in configs else []
    assert {row["item_id"] for row in heard} == asked
    for row in heard:
        whole, _ = soundfile.read(io.BytesIO(made.media.read(asset_of(made, row["scene_id"]))))
        muted, _ = soundfile.read(io.BytesIO(made.media.read(row["audio_asset"])))
        assert len(muted) == len(whole) and (muted != whole).any()
