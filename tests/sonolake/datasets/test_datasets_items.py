"""A data set of one's own from its declaration: planned, made, counted, remade to the byte, released."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import sonolake.releases as releases
from sonolake import Column, Lake
from sonolake.audio.decode import decode
from sonolake.datasets import (
    DataSet,
    Recipe,
    Rendered,
    Shown,
    Sounds,
    content_of,
    make_items,
    plan_items,
    release,
    split_assets,
)
from sonolake.errors import InvalidInput, ItemRefused, NotFound, Refused
from sonolake.lake.run import Run, running
from sonolake.lake.step import Counts

RATE = 8_000
NOTES = ("Tones, not bells.",)


@dataclass(frozen=True)
class Beeps(Recipe):
    """A take played a number of times over an ambience."""

    take: str = ""
    ambience: str = ""
    event: str = ""
    times: int = 1
    gain: float = 0.25

    def layers(self):
        return {self.take: "take", self.ambience: "ambience"}


def draw(slot, shelf):
    by_event = shelf.by("take", "event")
    event = sorted(by_event)[int(slot.rng("event").integers(len(by_event)))]
    take, ambience = by_event[event][0], shelf.of("ambience")[0]
    times = int(slot.rng("times").integers(1, 4))
    gain = round(float(slot.rng("gain").uniform(0.1, 0.4)), 3)
    return Beeps(slot.split, slot.number, take["asset_id"], ambience["asset_id"], event, times, gain)


def render(recipe, sounds):
    one = sounds.mono(recipe.take, RATE) * recipe.gain
    samples = np.tile(one, recipe.times) + 0.01 * np.resize(
        sounds.mono(recipe.ambience, RATE), len(one) * recipe.times
    )
    return Rendered(samples, RATE, {"event": recipe.event, "times": recipe.times}, f"{recipe.times} beeps")


def beeps(**more):
    return DataSet(
        **{
            "name": "beep-counts",
            "title": "Counted beeps",
            "description": "One sound, one to three times.",
            "recipe": Beeps,
            "kinds": ("take", "ambience"),
            "draw": draw,
            "render": render,
            "columns": (
                Column("event", "VARCHAR", "sound"),
                Column("times", "BIGINT", "how often it sounds"),
            ),
            "charts": (("How often", "times", "clips"),),
            "show": lambda row: Shown(f"{row['times']} times", (("Sound", row["event"]),)),
            **more,
        }
    )


@pytest.fixture
def stocked(lake, add_tones):
    """A lake with two takes and an ambience in each split."""
    for n, split in enumerate(("train", "validation", "test")):
        add_tones("take", split, 300 + 100 * n, 1000 + 100 * n)
        add_tones("ambience", split, 50 + n)
    return lake


def made(lake, data_set, count, workers=1):
    return make_items(Run(lake, "tests", "run"), data_set, plan_items(lake, data_set, count), workers=workers)


def rows(lake):
    return lake.sql("SELECT * FROM beep_counts ORDER BY item_id")


def test_as_many_items_as_asked_by_the_shares_of_the_splits(stocked):
    assert made(stocked, beeps(), 20) == Counts(taken=20, done=20, made=20)
    found = stocked.rows(
        "SELECT split, count(*) AS n, max(number) AS last FROM beep_counts GROUP BY ALL ORDER BY ALL"
    )
    # 8 : 1 : 1 of twenty, numbered from 0.
    assert found == [
        {"split": "test", "n": 2, "last": 1},
        {"split": "train", "n": 16, "last": 15},
        {"split": "validation", "n": 2, "last": 1},
    ]


def test_each_item_sounds_as_its_recipe_says(stocked):
    made(stocked, beeps(), 6)
    for row in stocked.rows(
        "SELECT b.*, a.kind, a.sample_rate FROM beep_counts b JOIN assets a USING (asset_id)"
    ):
        decoded = decode(stocked.media.read(row["asset_id"]))
        assert (row["kind"], row["sample_rate"], decoded.samples.shape) == (
            "clip",
            RATE,
            (row["times"] * RATE, 1),
        )
        assert row["duration_s"] == row["times"]
        spectrum = np.abs(np.fft.rfft(decoded.samples[:, 0]))
        assert np.argmax(spectrum) / row["times"] == float(row["event"].rpartition("_")[2])


def test_the_record_alone_makes_the_same_bytes_again(stocked):
    import json

    made(stocked, beeps(), 5)
    for row in stocked.rows("SELECT * FROM beep_counts"):
        recipe = Beeps.from_record(json.loads(row["record"]))
        assert recipe.item_id == row["item_id"]
        again = render(recipe, Sounds(stocked.media)).samples
        there = decode(stocked.media.read(row["asset_id"])).samples[:, 0]
        assert np.array_equal(np.rint(again * 32768), there * 32768)


def test_again_there_is_nothing_to_do_and_more_keeps_the_first(stocked, add_tones):
    made(stocked, beeps(), 10)
    before = rows(stocked)
    assert made(stocked, beeps(), 10) == Counts(taken=10, already=10)
    add_tones("take", "train", 2000, 3000)
    assert made(stocked, beeps(), 10) == Counts(taken=10, already=10), "a larger pool adds nothing"
    assert made(stocked, beeps(), 4) == Counts(taken=4, already=4)
    assert rows(stocked) == before
    assert made(stocked, beeps(), 20) == Counts(taken=20, done=10, already=10, made=10)
    assert set(before["item_id"].to_pylist()) <= set(rows(stocked)["item_id"].to_pylist())


def test_batches_order_and_workers_change_nothing(stocked, tmp_path):
    import shutil

    data_set, other = beeps(), Lake.open(shutil.copytree(stocked.root, tmp_path / "other"))
    made(stocked, data_set, 12, workers=4)
    planned = plan_items(other, data_set, 12)
    for some in (planned[8:], planned[3:8][::-1], planned[:3]):
        make_items(Run(other, "tests", "run"), data_set, some)
    assert rows(stocked) == rows(other)


def test_lineage_leads_to_every_layer_and_to_the_code(stocked):
    made(stocked, beeps(code_version="7"), 1)
    (row,) = stocked.rows("SELECT item_id, asset_id, record FROM beep_counts")
    edges = {(r["parent"], r["role"]) for r in stocked.rows("FROM lineage WHERE child = ?", [row["item_id"]])}
    assert {role for _, role in edges} == {"take", "ambience", "code", "environment"}
    assert ("code:make-beep-counts:7", "code") in edges
    assert stocked.rows("SELECT parent FROM lineage WHERE child = ?", [row["asset_id"]]) == [
        {"parent": row["item_id"]}
    ]


def test_what_cannot_be_made_is_set_aside_and_tried_again_by_later_code(stocked):
    def unlucky(recipe, sounds):
        if recipe.times == 3:
            raise ItemRefused("silent", "three are not heard")
        return render(recipe, sounds)

    counts = made(stocked, beeps(render=unlucky), 12)
    assert counts.quarantined > 0 and counts.done + counts.quarantined == 12
    assert made(stocked, beeps(render=unlucky), 12) == Counts(taken=12, already=12)
    assert made(stocked, beeps(code_version="2"), 12) == Counts(
        taken=12, done=counts.quarantined, already=counts.done, made=counts.quarantined
    )
    assert stocked.rows("SELECT * FROM quarantine") == []


def test_a_slot_that_cannot_be_filled_is_set_aside_and_tried_again_when_there_is_more(stocked, add_tones):
    def picky(slot, shelf):
        if len(shelf.of("take")) < 3:
            raise ItemRefused("no_recording", f"{len(shelf.of('take'))} takes, three are needed")
        return draw(slot, shelf)

    data_set = beeps(draw=picky)
    assert made(stocked, data_set, 10) == Counts(taken=10, quarantined=10)
    assert made(stocked, data_set, 10) == Counts(taken=10, already=10)
    add_tones("take", "train", 2000)
    assert made(stocked, data_set, 10) == Counts(taken=10, done=8, already=2, made=8)


def test_no_two_items_are_made_from_the_same(lake, add_tones):
    """Two takes, one to three times, one gain: six recipes and no more."""
    add_tones("take", "train", 300, 400)
    add_tones("ambience", "train", 50)

    def plain(slot, shelf):
        recipe = draw(slot, shelf)
        return Beeps(slot.split, slot.number, recipe.take, recipe.ambience, recipe.event, recipe.times)

    data_set = beeps(draw=plain)
    assert made(lake, data_set, 8) == Counts(taken=8, done=6, quarantined=2, made=6)
    assert lake.rows("SELECT count(*) AS n FROM (SELECT DISTINCT event, times FROM beep_counts)") == [
        {"n": 6}
    ]
    assert {row["reason"] for row in lake.rows("SELECT reason FROM quarantine")} == {"same_recipe"}
    assert made(lake, data_set, 8) == Counts(taken=8, already=8)


@pytest.mark.parametrize(
    ("rendered", "reason"),
    [
        (Rendered(np.full(800, 1.5), RATE, {"event": "e", "times": 1}), "breaks_mix_rule"),
        (Rendered(np.full(800, np.nan), RATE, {"event": "e", "times": 1}), "breaks_mix_rule"),
        (Rendered(np.zeros(800) + 0.1, RATE, {"event": "e"}), "breaks_schema"),
        (Rendered(np.zeros(800) + 0.1, RATE, {"event": "e", "times": 1, "more": 2}), "breaks_schema"),
    ],
)
def test_samples_and_columns_that_cannot_be_are_a_reason(stocked, rendered, reason):
    assert made(stocked, beeps(render=lambda recipe, sounds: rendered), 1) == Counts(taken=1, quarantined=1)
    assert [row["reason"] for row in stocked.rows("SELECT reason FROM quarantine")] == [reason]


def test_only_what_may_be_changed_and_released_is_used(lake, add_tones):
    add_tones("take", "train", 300, licence="LicenseRef-unclear")
    add_tones("ambience", "train", 50)
    with pytest.raises(NotFound, match=r"no split has sounds of every kind \(take, ambience\) that may be"):
        plan_items(lake, beeps(), 3)
    add_tones("take", "train", 400, licence="CC-BY-NC-4.0")
    made(lake, beeps(), 3)
    assert {row["licence"] for row in lake.rows("SELECT licence FROM beep_counts")} == {"CC-BY-NC-4.0"}


def test_a_lake_of_one_split_makes_items_of_that_split(lake, add_tones):
    add_tones("take", "test", 300)
    add_tones("ambience", "test", 50)
    made(lake, beeps(), 3)
    assert {row["split"] for row in lake.rows("SELECT split FROM beep_counts")} == {"test"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"name": "Beep Counts"}, "data set: expected 1 to 64 of a-z"),
        ({"kinds": ("vocal",)}, "kinds of beep-counts: expected some of take"),
        ({"shares": {"dev": 1}}, "shares of beep-counts"),
        ({"columns": (Column("split", "VARCHAR", "again"),), "charts": ()}, "distinct names"),
        ({"charts": (("Hm", "nothing", "clips"),)}, "charts of beep-counts"),
    ],
)
def test_a_declaration_that_cannot_be_is_refused(more, message):
    with pytest.raises(InvalidInput, match=message):
        beeps(**more)


def test_a_count_below_one_is_refused(stocked):
    with pytest.raises(InvalidInput, match="1 or more"):
        plan_items(stocked, beeps(), 0)


def test_it_is_released_with_its_sources_and_the_proofs_hold(stocked, tmp_path):
    made(stocked, beeps(), 20)
    with running(stocked, "release") as run:
        published = release(run, [beeps()], "beeps", "1.0.0", "2026-11-30", notes=NOTES)
    assert published.counts.done == 1
    assert releases.verify(Path(published.place)) == []
    must = [r for r in releases.prove(Path(published.place)) if r.proof.policy == "must"]
    assert must and {r.outcome for r in must} <= {"holds", "absent"}
    card = (Path(published.place) / "README.md").read_text()
    assert "Tones, not bells." in card and "how often it sounds" in card
    report = (Path(published.place) / "report.html").read_text()
    assert "How often" in report and "times" in report
    assert "cut, levelled, mixed" in (Path(published.place) / "ATTRIBUTION.csv").read_text()
    with running(stocked, "release") as run:
        again = release(run, [beeps()], "beeps", "1.0.0", notes=NOTES)
    assert again.counts.already == 1, "the version keeps its date"
    made(stocked, beeps(), 30)
    with running(stocked, "release") as run, pytest.raises(Refused, match="publish the next one"):
        release(run, [beeps()], "beeps", "1.0.0")


def test_a_split_leak_stops_the_release(stocked):
    """A take of train is heard in an item of test: the release proves that nothing is shared."""
    made(stocked, beeps(), 20)
    (leak,) = stocked.rows(
        "SELECT parent FROM lineage JOIN beep_counts ON child = item_id WHERE split = 'train' LIMIT 1"
    )
    with stocked.transaction("leak") as tx:
        tx.sql(
            "UPDATE lineage SET parent = ? WHERE role = 'take' AND child = "
            "(SELECT min(item_id) FROM beep_counts WHERE split = 'test')",
            [leak["parent"]],
        )
    with running(stocked, "release") as run, pytest.raises(Refused):
        release(run, [beeps()], "beeps", "1.0.0", "2026-11-30")


def test_without_items_there_is_nothing_to_release(stocked):
    stocked.declare(beeps().table)
    with pytest.raises(NotFound, match="no item of beep-counts"):
        content_of(stocked, [beeps()], "beeps", "1.0.0", "2026-11-30", stocked.snapshot)


def test_assets_are_split_and_then_they_can_be_used(lake, add_assets):
    add_assets(*({"name": f"t{n}"} for n in range(30)))
    with running(lake, "split") as run:
        assert split_assets(run, "take") == Counts(taken=30, done=30)
        assert split_assets(run, "take") == Counts(taken=30, already=30)
    counts = {
        r["split"]: r["n"] for r in lake.rows("SELECT split, count(*) AS n FROM partitions GROUP BY split")
    }
    assert counts == {"train": 20, "validation": 5, "test": 5}
