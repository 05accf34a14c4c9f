"""A takedown: what goes, what stays, and that it is gone."""

import json
import shutil

import pytest

from sonolake.errors import Damaged, InvalidInput, NotFound, Refused
from sonolake.lake.run import running
from sonolake.releases import building, prove, pull, pull_items, verify
from sonolake.releases.finding import find_release
from sonolake.releases.publishing import publish
from sonolake.releases.takedown import Target, plan_of, take_down
from sonolake.releases.takedown.patch import counted_anew
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake

DOG = Target("source", "freesound:1")
REASON = "The author asked for it."


def folder(lake, version):
    return lake.releases_root / "demo" / version


def everything(place):
    return {p.relative_to(place): p.read_bytes() for p in place.rglob("*") if p.is_file()}


@pytest.mark.parametrize("target", [DOG, Target("author", "ann"), Target("speaker", "voice of ann")])
def test_the_plan_names_all_that_goes_and_touches_nothing(lake, ids, target):
    before = everything(lake.root)
    plan = plan_of(lake, target)
    assert everything(lake.root) == before
    assert [(row["title"], row["author"]) for row in plan.assets] == [("A dog", "ann")]
    assert set(plan.made) == {"scene-0", "scene-3", ids["scene-0"], ids["scene-3"]}
    assert {held.release: held.items for held in plan.releases} == {
        "demo@1.0.0": ("scene-0",),
        "demo@1.1.0": ("scene-0", "scene-3"),
        "solo@1.0.0": ("scene-0",),
    }


def test_it_is_out_of_the_lake_and_of_every_file(taken):
    lake, ids = taken.lake, taken.ids
    gone = {ids["freesound:1"], ids["scene-0"], ids["scene-3"]}
    assert taken.done.gone and taken.done.media == 3 and taken.done.vectors == 3
    left = set(ids.values()) - gone
    assert {row["asset_id"] for row in lake.rows("SELECT asset_id FROM assets")} == left
    assert set(lake.media) == left
    assert lake.vectors.ids("sounds") == {ids[f"freesound:{n}"] for n in (12, 3, 7, 8)}
    assert lake.vectors.versions("sounds") == 1
    named = [one.encode() for one in gone]
    indexes = ("tombstones", "catalog", "demo/1.0.0/", "demo/1.1.0/", "solo/1.0.0/")
    for path, data in everything(lake.root).items():
        if not any(word in path.as_posix() for word in indexes):
            assert not any(one in data for one in named), path
    for version in ("1.0.0", "1.1.0"):
        for shard in (folder(lake, version) / "data/cares").iterdir():
            assert b"words of scene-0" not in shard.read_bytes() and b"scene-3" not in shard.read_bytes()
    first = lake.snapshots()["snapshot_id"].to_pylist()[0]
    with pytest.raises(NotFound, match="no snapshot"):
        lake.sql("FROM assets", at=first - 1)


def test_the_patch_is_the_last_version_without_the_items_splits_unmoved(taken, items):
    lake = taken.lake
    assert taken.done.replaced == {
        "demo@1.0.0": "demo@1.1.1",
        "demo@1.1.0": "demo@1.1.1",
        "solo@1.0.0": None,
    }
    assert [p.name for p in (lake.releases_root / "solo").glob("[!.]*")] == ["1.0.0"]
    left = {k: v for k, v in taken.items["1.1.0"].items() if k not in ("scene-0", "scene-3")}
    assert items(lake, "1.1.1") == left
    (row,) = lake.rows("FROM releases WHERE version = '1.1.1'")
    assert row["state"] == "published" and verify(folder(lake, "1.1.1"), row["manifest_sha256"]) == []
    assert all(result.outcome == "holds" for result in prove(folder(lake, "1.1.1")))
    said = (folder(lake, "1.1.1") / "CHANGELOG.md").read_text()
    assert "source freesound:1. The author asked for it. demo@1.1.0 is retracted." in said
    assert "freesound:1," not in (folder(lake, "1.1.1") / "ATTRIBUTION.csv").read_text()
    answers = (folder(lake, "1.1.1") / "benchmark/cares/answers.jsonl").read_text()
    assert [json.loads(line)["item_id"] for line in answers.splitlines()] == ["scene-1", "scene-2", "scene-4"]
    assert "3 scenes, made up." in (folder(lake, "1.1.1") / "README.md").read_text().replace("`", "")


def test_a_retracted_version_keeps_its_manifest_and_says_what_is_withheld(taken):
    lake = taken.lake
    notice = json.loads((folder(lake, "1.0.0") / "_RETRACTED.json").read_text())
    assert notice["items"] == ["scene-0"] and notice["replaced_by"] == "demo@1.1.1"
    assert [one["what"] for one in notice["withdrawn"]] == ["source freesound:1"]
    there = {path.name for path in (folder(lake, "1.0.0") / "data/cares").iterdir()}
    withheld = {path.rpartition("/")[2] for path in notice["files"] if path.startswith("data/")}
    assert taken.shards["1.0.0"] - there == withheld != set()
    states = {row["version"]: row["state"] for row in lake.rows("FROM releases WHERE name = 'demo'")}
    assert states == {"1.0.0": "retracted", "1.1.0": "retracted", "1.1.1": "published"}
    problems = find_release("demo@1.0.0", lambda: lake.place).verify()
    assert {(p.kind, p.path) for p in problems} == {("withheld", path) for path in notice["files"]}
    assert "source freesound:1 was taken down: The author asked for it." in problems[0].detail


def test_a_pull_of_a_retracted_version_brings_the_rest_and_the_notice(taken, published_lake, tmp_path):
    found = find_release("demo@1.0.0", lambda: taken.lake.place)
    result = pull(found.offered, tmp_path / "pulled", beside=())
    assert result.notice is not None and "was retracted" in result.notice.told()
    here = {path.name for path in (tmp_path / "pulled/data/cares").iterdir()}
    assert taken.shards["1.0.0"] - here == {p[11:] for p in result.notice.files if p.startswith("data/")}
    assert {p.kind for p in verify(tmp_path / "pulled")} == {"withheld"}
    shutil.copytree(published_lake / "releases/demo/1.0.0", tmp_path / "before")
    assert verify(tmp_path / "before") == []
    pull(found.offered, tmp_path / "before", beside=())
    assert all("still here, delete it" in p.detail for p in verify(tmp_path / "before"))


def test_items_that_are_withheld_are_refused_with_the_notice(taken, tmp_path):
    found = find_release("demo@1.0.0", lambda: taken.lake.place)
    with pytest.raises(Refused, match=r"demo@1\.0\.0 was retracted"):
        pull_items(found.offered, tmp_path / "dog", "item_id = 'scene-0'")
    pull_items(found.offered, tmp_path / "fan", "item_id = 'scene-4'")
    assert {p.kind for p in verify(tmp_path / "fan")} <= {"withheld"}
    with pytest.raises(Refused, match=r"demo@1\.0\.0 was retracted"):
        found.prove()


def test_a_later_takedown_of_an_author_retracts_the_patch_too(taken_lake, items, offer, noise, packed):
    done = take_down(taken_lake, Target("author", "cem"), "So did another one.")
    assert done.gone and items(taken_lake, "1.1.2") == {"scene-2": "train", "scene-4": "test"}
    notice = json.loads((folder(taken_lake, "1.0.0") / "_RETRACTED.json").read_text())
    assert len(notice["withdrawn"]) == 2 and notice["items"] == ["scene-0", "scene-1"]
    assert set(done.replaced.values()) == {"demo@1.1.2"}
    with running(taken_lake, "ingest") as run:
        ingest = Ingest(run, Intake("take"))
        assert ingest.take([offer("owl", packed(noise("owl")), author="cem")]).quarantined == 1
        assert ingest.take([offer("owl", packed(noise("owl")), author="ann")]).done == 1


def test_a_retracted_version_is_not_published_again_nor_what_was_made_of_it(lake, taken, contents):
    content = contents(lake, "1.2.0", {"scene-0", "scene-1"})
    with running(taken.lake, "test") as run:
        with pytest.raises(Refused, match=r"1\.2\.0 would hold .* taken down \(The author asked for it"):
            publish(run, content, taken.lake.snapshot)
        with pytest.raises(Refused, match=r"demo 1\.0\.0 was retracted"):
            publish(run, contents(taken.lake, "1.0.0", {"scene-1"}), taken.lake.snapshot)


@pytest.mark.parametrize("harm", ["of an earlier sonolake", "a sound changed", "a shard lost"])
def test_where_no_patch_can_be_made_it_is_said_before_anything_is_done(lake, contents, monkeypatch, harm):
    """The newest version of ``demo`` cannot be made anew: the lake stays as it was, and --no-patch goes on."""
    if harm == "of an earlier sonolake":
        monkeypatch.setattr(building, "with_description", lambda items, content: items)
        with running(lake, "test") as run:
            publish(run, contents(lake, "1.2.0", {*taken_by_name(lake)}), lake.snapshot)
    else:
        shard = max((folder(lake, "1.1.0") / "data/cares").glob("test-*"), key=lambda p: p.stat().st_size)
        data = bytearray(shard.read_bytes())
        data[data.index(b"fLaC") + 3000] ^= 1
        shard.unlink()
        if harm == "a sound changed":
            shard.write_bytes(data)
    before = [lake.rows(f"FROM {table} ORDER BY ALL") for table in ("assets", "releases", "tombstones")]
    with pytest.raises((Refused, Damaged), match="--no-patch"):
        take_down(lake, DOG, REASON)
    assert [
        lake.rows(f"FROM {table} ORDER BY ALL") for table in ("assets", "releases", "tombstones")
    ] == before
    assert not list(lake.releases_root.rglob("_RETRACTED.json"))
    if harm == "of an earlier sonolake":
        done = take_down(lake, DOG, REASON, patches=False)
        assert done.gone and set(done.replaced.values()) == {None}


def test_a_second_takedown_of_what_was_left_without_a_patch_makes_none(lake):
    """Parts of the highest version are gone: nothing can be made of it, and the rest of the work is done."""
    take_down(lake, DOG, REASON, patches=False)
    told = []
    done = take_down(lake, Target("source", "freesound:12"), REASON, tell=told.append)
    assert done.gone and set(done.replaced.values()) == {None}
    assert "no version replaces those of demo that are retracted" in told
    notice = json.loads((folder(lake, "1.1.0") / "_RETRACTED.json").read_text())
    assert notice["items"] == ["scene-0", "scene-1", "scene-2", "scene-3"]


def taken_by_name(lake):
    return {row["item"] for row in lake.rows("SELECT item FROM assets WHERE kind = 'scene'")}


def test_what_the_lake_never_had_is_not_taken_down(lake):
    with pytest.raises(
        NotFound, match=r"no source freesound:2 .*the most alike of those that there are: freesound:1"
    ):
        plan_of(lake, Target("source", "freesound:2"))
    with pytest.raises(InvalidInput, match="why it is taken down"):
        take_down(lake, DOG, " ")


def test_a_count_is_told_anew_where_it_is_of_that_config_alone():
    counts = {"2 scenes": "1 scenes", "2 scenes without a sound": "no scenes without a sound"}
    said = "2 scenes, 2 scenes without a sound, 12 scenes"
    assert counted_anew(said, counts) == "1 scenes, no scenes without a sound, 12 scenes"
