"""Partitions: one sound under several names is in one of them, and nobody moves."""

import pytest

from sonolake.datasets.ledgers import asset_members, short_strata
from sonolake.lake.step import Counts
from tasks.partitioning import partition_assets, split_rooms
from tasks.scripts import make_templates, split_templates


def partitions(lake):
    return {r["item"]: r["split"] for r in lake.rows("SELECT item, split FROM partitions")}


def takes(*names, **facts):
    return [{"name": name, **facts} for name in names]


def duplicate(of, source_id):
    return {
        "item": f"again-{source_id}",
        "asset_id": "d" * 64,
        "of": of,
        "how": "sound",
        "source_id": source_id,
    }


def test_an_asset_is_tied_to_its_source_its_samples_and_its_duplicates(lake, add_assets):
    (bell,) = add_assets({"name": "bell"})
    lake.table("duplicates").append([duplicate(bell, "other-site:7")])
    (member,) = asset_members(lake, "take")
    assert member.item == bell
    assert member.keys == {"source:bell", "pcm:bell", "source:other-site:7"}
    assert member.stratum == "office/fan"


def test_what_a_duplicate_ties_is_in_one_split(lake, path, add_assets):
    """A page offers two takes, one of which is a sound that is there under another name: all three are one group."""
    known = add_assets(*takes(*(f"t{n:02}" for n in range(30))))[0]
    (neighbour,) = add_assets({"name": "neighbour", "source_id": "page:1"})
    lake.table("duplicates").append([duplicate(known, "page:1")])
    partition_assets.fn(path, "run", "take")
    there = partitions(lake)
    assert there[known] == there[neighbour]
    assert len(there) == 31 and set(there.values()) == {"train", "validation", "test"}
    groups = {r["item"]: r["group_id"] for r in lake.rows("SELECT item, group_id FROM partitions")}
    assert groups[known] == groups[neighbour] and len(set(groups.values())) == 30


def test_partitioning_again_adds_nothing(lake, path, add_assets):
    add_assets(*takes(*(f"t{n}" for n in range(9))))
    assert partition_assets.fn(path, "run-1", "take") == Counts(taken=9, done=9)
    before = lake.sql("SELECT * FROM partitions ORDER BY item")
    assert partition_assets.fn(path, "run-2", "take") == Counts(taken=9, already=9)
    assert lake.sql("SELECT * FROM partitions ORDER BY item") == before


def test_later_arrivals_move_nobody(lake, path, add_assets):
    add_assets(*takes("b", "d", "f", "h"))
    partition_assets.fn(path, "run-1", "take")
    before = partitions(lake)
    add_assets(*takes("a", "c", "e", "g", "i"))
    assert partition_assets.fn(path, "run-2", "take") == Counts(taken=9, done=5, already=4)
    after = partitions(lake)
    assert {item: after[item] for item in before} == before


def test_a_newcomer_that_ties_two_partitions_is_set_aside_and_nobody_moves(lake, path, add_assets):
    add_assets(*takes(*(f"t{n}" for n in range(12))))
    partition_assets.fn(path, "run-1", "take")
    before = partitions(lake)
    rows = lake.rows(
        "SELECT a.source_id, a.pcm_hash, p.split FROM assets a JOIN partitions p ON p.item = a.asset_id"
    )
    one = next(row for row in rows if row["split"] == "train")
    other = next(row for row in rows if row["split"] == "test")
    (bridge,) = add_assets({"name": "z", "source_id": one["source_id"], "pcm_hash": other["pcm_hash"]})
    assert partition_assets.fn(path, "run-2", "take") == Counts(taken=13, already=12, quarantined=1)
    assert partitions(lake) == before
    (row,) = lake.rows("SELECT item, step, reason, detail FROM quarantine")
    assert (row["item"], row["step"], row["reason"]) == (bridge, "split-take", "ties_two_partitions")
    assert one["source_id"] in row["detail"] and other["pcm_hash"] in row["detail"]


def test_what_was_set_aside_is_not_counted_anew(lake, path, add_assets):
    test_a_newcomer_that_ties_two_partitions_is_set_aside_and_nobody_moves(lake, path, add_assets)
    assert partition_assets.fn(path, "run-3", "take") == Counts(taken=13, already=13)
    assert len(lake.rows("SELECT * FROM quarantine")) == 1


def test_quotas_can_be_set(lake, path, add_assets):
    add_assets(*takes(*(f"t{n}" for n in range(10))))
    partition_assets.fn(path, "run", "take", {"train": 1, "test": 1})
    splits = sorted(partitions(lake).values())
    assert splits == ["test"] * 5 + ["train"] * 5


def test_quotas_hold_event_by_event(lake, path, add_assets):
    add_assets(*takes("a", "b", "c"), *takes("x", "y", "z", event="office/stapler"))
    partition_assets.fn(path, "run", "take")
    rows = lake.rows("SELECT stratum, list(split ORDER BY split) AS splits FROM partitions GROUP BY stratum")
    assert {row["stratum"]: row["splits"] for row in rows} == {
        "office/fan": ["test", "train", "validation"],
        "office/stapler": ["test", "train", "validation"],
    }
    assert short_strata(lake, "take") == []


def test_an_event_with_too_few_takes_is_reported(lake, path, add_assets):
    add_assets({"name": "only"})
    partition_assets.fn(path, "run", "take")
    (short,) = short_strata(lake, "take")
    assert (short.stratum, short.groups, short.missing) == ("office/fan", 1, ("validation", "test"))


@pytest.fixture
def rooms(add_assets):
    def response(name, room, kind="response", **facts):
        return {"name": name, "kind": kind, "channels": 4, "room": room, "event": None, **facts}

    place = {"azimuth_deg": 30.0, "elevation_deg": 0.0, "distance_m": 2.0}
    add_assets(
        *(response(f"r{n}-{p}", f"room-{n}", **place) for n in range(10) for p in range(2)),
        *(response(f"f{n}", f"hall-{n}", "foa", labels="0,0,0,30,0,200") for n in range(4)),
    )


def test_rooms_of_simulated_clips_train_and_those_of_recordings_test(lake, path, rooms):
    assert split_rooms.fn(path, "run-1") == Counts(taken=14, done=14)
    rows = lake.rows("SELECT stratum, split, count(*) AS n FROM splits WHERE kind = 'room' GROUP BY ALL")
    assert {(r["stratum"], r["split"]): r["n"] for r in rows} == {
        ("simulated", "train"): 9,
        ("simulated", "validation"): 1,
        ("recorded", "validation"): 2,
        ("recorded", "test"): 2,
    }
    assert split_rooms.fn(path, "run-2") == Counts(taken=14, already=14)


def test_rooms_that_no_clip_can_be_made_of_take_no_place(lake, path, rooms, add_assets):
    """Validation has one of the ten rooms whose responses say where they are, test two of the four labelled ones."""
    room = {"channels": 4, "event": None}
    add_assets(
        *({"name": f"nowhere-{n}", "room": f"a-{n}", "kind": "response", **room} for n in range(9)),
        *({"name": f"unlabelled-{n}", "room": f"b-{n}", "kind": "foa", **room} for n in range(4)),
    )
    split_rooms.fn(path, "run")
    rows = lake.rows("SELECT stratum, split, count(*) AS n FROM splits WHERE kind = 'room' GROUP BY ALL")
    found = {(r["stratum"], r["split"]): r["n"] for r in rows}
    assert (found["simulated", "validation"], found["recorded", "test"]) == (1, 2)
    assert sum(n for (stratum, _), n in found.items() if stratum.endswith("unlabelled")) == 13


def test_rooms_recorded_in_one_upload_never_come_in_two_splits(lake, path, add_assets):
    """Twenty rooms; those of one upload are one group, so the quotas cannot tear it."""
    room = {"kind": "response", "channels": 4, "event": None}
    add_assets(
        *({"name": f"one-{n}", "room": f"one-{n}", "source_id": "upload:1", **room} for n in range(10)),
        *({"name": f"own-{n}", "room": f"own-{n}", **room} for n in range(10)),
    )
    split_rooms.fn(path, "run")
    rows = lake.rows("SELECT item, group_id, split FROM splits WHERE kind = 'room'")
    together = [row for row in rows if row["item"].startswith("one-")]
    assert len(together) == 10 and len({(row["group_id"], row["split"]) for row in together}) == 1
    assert len({row["group_id"] for row in rows}) == 11
    assert {row["split"] for row in rows} == {"train", "validation"}


def test_four_channel_responses_follow_their_room(lake, rooms, add_assets):
    (mono,) = add_assets({"name": "mono", "kind": "response", "event": None, "location": "office"})
    assert [member.item for member in asset_members(lake, "response")] == [mono]


def test_each_theme_of_templates_has_its_share_of_every_split(lake, path):
    make_templates.fn(path, "run", 300)
    split_templates.fn(path, "run")
    rows = lake.rows(
        "SELECT t.theme, s.split, count(*) AS n FROM templates t JOIN splits s ON s.item = t.template_id GROUP BY ALL"
    )
    found = {
        split: sum(r["n"] for r in rows if r["split"] == split) for split in ("train", "validation", "test")
    }
    assert found == {"train": 240, "validation": 30, "test": 30}
    for theme in {row["theme"] for row in rows}:
        of = {row["split"]: row["n"] for row in rows if row["theme"] == theme}
        assert abs(of["train"] - 0.8 * sum(of.values())) <= 2
