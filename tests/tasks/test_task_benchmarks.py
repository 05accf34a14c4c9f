"""The benchmark that a release carries is of its own test split."""

import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.cares.benchmark import read_items
from sonolake.releases import Config
from tasks.contents.benchmarks import benchmarks_of

EVENT = {"event": "rural/cow_moo", "reaction": "verbal", "onset_s": 12.34}


def config(*splits, name="cares"):
    tables = {
        split: pa.Table.from_pylist(
            [
                {"item_id": f"{split}-{n}", "licence": "CC0-1.0", "location": "rural", "events": [EVENT]}
                for n in "ab"
            ]
        )
        for split in splits
    }
    meanings = dict.fromkeys(("item_id", "licence", "location", "events"), "as it says")
    return Config(name=name, title="t", description="d", splits=tables, meanings=meanings)


def test_items_of_the_test_split_alone(tmp_path):
    files = benchmarks_of([config("train", "test")])
    assert sorted(files) == [
        f"cares/{t}.parquet" for t in ("muted", "reactions", "scene", "sounds", "summary")
    ]
    for path, data in files.items():
        target = tmp_path / "benchmark" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    items = read_items(tmp_path)
    assert {item.scene_id for item in items} == {"test-a", "test-b"}
    assert {item.at_s for item in items if item.task == "reactions"} == {12.3}
    assert pq.read_table(tmp_path / "benchmark/cares/reactions.parquet")["question"][0].as_py()


def test_without_a_test_split_there_is_none():
    assert benchmarks_of([config("train")]) == {}
    assert benchmarks_of([config("test", name="other")]) == {}
