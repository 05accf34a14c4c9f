"""Conditions over a real lake's assets."""

import pytest

from sonolake.errors import InvalidInput
from sonolake.lake import Lake
from sonolake.search.filters import assets_where


@pytest.fixture
def lake(tmp_path):
    with Lake.create(tmp_path / "lake") as lake:
        rows = [
            {"asset_id": "a", "kind": "take", "title": "Rex", "event": "dog_bark", "duration_s": 2.0},
            {
                "asset_id": "b",
                "kind": "scene",
                "item": "yards/1.wav",
                "source_id": "lib:1",
                "duration_s": 60.0,
            },
        ]
        lake.table("assets").append(rows)
        yield lake


def test_a_condition_chooses_assets_with_their_facts(lake):
    assert assets_where(lake, "duration_s < 10") == {
        "a": {
            "title": "Rex",
            "event": "dog_bark",
            "licence": None,
            "kind": "take",
            "item": None,
            "source_id": None,
        }
    }
    assert assets_where(lake, "kind = 'scene'")["b"]["item"] == "yards/1.wav"
    assert set(assets_where(lake, None)) == {"a", "b"}
    assert set(assets_where(lake, "asset_id IN (SELECT asset_id FROM assets WHERE kind = 'scene')")) == {"b"}


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("license = 'CC0-1.0'", r"columns of assets \(asset_id, kind, item.*\"license\" not found"),
        ("licence =", r"columns of assets.*syntax error"),
        ("duration_s = 'long'", r"columns of assets.*'long'"),
        ("true); DELETE FROM assets; SELECT (1", "one condition"),
    ],
)
def test_a_bad_condition_is_explained_and_does_nothing(lake, where, message):
    with pytest.raises(InvalidInput, match=message):
        assets_where(lake, where)
    assert lake.sql("SELECT count(*) FROM assets")[0][0].as_py() == 2
