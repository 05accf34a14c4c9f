"""Conditions over a real lake's assets."""

import pytest

from sonolake.errors import InvalidInput
from sonolake.lake import Lake
from sonolake.search import filters
from sonolake.search.filters import chosen


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
    short = chosen(lake, "duration_s < 10")
    assert short.ids == {"a"} and short.among(["a", "b", "c"]) == {"a"}
    facts = {"title": "Rex", "event": "dog_bark", "licence": None, "kind": "take"}
    assert short.facts("a") == {**facts, "item": None, "source_id": None}
    with pytest.raises(KeyError):
        short.facts("b")
    assert chosen(lake, "kind = 'scene'").facts("b")["item"] == "yards/1.wav"
    assert chosen(lake, "asset_id IN (SELECT asset_id FROM assets WHERE kind = 'scene')").ids == {"b"}


def test_without_a_condition_only_what_is_found_is_asked_for(lake):
    every = chosen(lake, None)
    assert every.ids is None and every.among(["a", "it's nobody", "b"]) == {"a", "b"}
    assert every.among([]) == set()


def test_of_many_that_a_condition_keeps_only_what_is_found_is_asked_for(lake, monkeypatch):
    monkeypatch.setattr(filters, "MOST_IDS", 1)
    both = chosen(lake, "duration_s > 1 -- both")
    assert both.ids is None and both.among(["a", "b", "c"]) == {"a", "b"}
    assert chosen(lake, "kind = 'take'").ids == {"a"}


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
        chosen(lake, where)
    assert lake.sql("SELECT count(*) FROM assets")[0][0].as_py() == 2
