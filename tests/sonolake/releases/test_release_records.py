import dataclasses

import pyarrow as pa
import pytest

from sonolake.errors import InvalidInput
from sonolake.releases import ReportSample, Track
from sonolake.releases.paths import holds_path, values_at


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": "1.0"},
        {"version": "01.0.0"},
        {"date": "2026-11-31"},
        {"date": "1 May 2026"},
        {"date": "20261101"},
        {"name": "My Release"},
        {"configs": ()},
        {"benchmark": {"../x": b""}},
        {"sources": pa.table({"asset_id": ["x"]})},
        {"lineage": pa.table({"child": ["x"]})},
    ],
)
def test_content_is_checked_when_made(make, wrong):
    with pytest.raises(InvalidInput):
        make(**wrong)


def changed(config, table):
    return dataclasses.replace(config, splits={**config.splits, "train": table})


def test_an_item_is_in_a_config_once(content):
    cares = content.configs[0]
    with pytest.raises(InvalidInput, match="item_id of cares"):
        changed(cares, cares.splits["test"])
    with pytest.raises(InvalidInput, match="item_id of cares/train"):
        changed(cares, pa.concat_tables([cares.splits["train"]] * 2))


def test_splits_have_one_schema_and_known_names(content):
    cares = content.configs[0]
    with pytest.raises(InvalidInput, match="schema of cares"):
        changed(cares, cares.splits["train"].drop_columns(["location"]))
    with pytest.raises(InvalidInput, match="splits of cares"):
        dataclasses.replace(cares, splits={"dev": cares.splits["train"]})


def test_every_column_has_a_meaning(content):
    meanings = {k: v for k, v in content.configs[0].meanings.items() if k != "location"}
    with pytest.raises(InvalidInput, match="location"):
        dataclasses.replace(content.configs[0], meanings=meanings)


def test_tracks_and_samples_are_checked():
    with pytest.raises(InvalidInput, match="kind"):
        Track("events", "dog", 0, 1, "loud")
    with pytest.raises(InvalidInput, match="times of dog"):
        Track("events", "dog", 2, 1)
    with pytest.raises(InvalidInput, match="duration_s"):
        ReportSample("i", "c", "train", "t", b"", b"", 0.0)


def test_paths_lead_into_lists_and_structs():
    table = pa.table({"e": [[{"r": "a"}, {"r": None}], [], None, [{"r": "b"}]], "n": [1, None, 2, 1]})
    assert values_at(table, "e.r") == ["a", "b"]
    assert values_at(table, "n") == [1, 2, 1]
    assert values_at(table, "no.such") == []
    assert holds_path(table.schema, "e.r") and not holds_path(table.schema, "e.x")
    assert not holds_path(table.schema, "n.r")
