"""Which items of a lake a release may have, and what is told of the others."""

import datetime

import pyarrow as pa
import pytest

from sonolake import Lake
from sonolake.datasets.allowing import allowed
from sonolake.releases.records import LeftOut
from sonolake.sources.licences import licence_of_mix

LAYERS = {
    "of all": ("voice", "event", "ambience"),
    "without the ambience": ("voice", "event"),
    "of a sound for open models": ("voice", "open"),
    "of a sound for none": ("voice", "none"),
}
ASSETS = {
    "voice": ("CC0-1.0", None),
    "event": ("CC-BY-4.0", '{"gen_ai_preference":"no-additional-preferences"}'),
    "ambience": ("CC-BY-NC-4.0", None),
    "open": ("CC0-1.0", '{"gen_ai_preference":"open-source-models"}'),
    "none": ("CC0-1.0", '{"gen_ai_preference":"no-gen-ai"}'),
}
WISH = "an uploader's wish for generative models is"


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    with Lake.create(tmp_path_factory.mktemp("allowing") / "lake") as made:
        made.table("assets").append(
            [
                {
                    "asset_id": name,
                    "source_id": f"freesound:{name}",
                    "kind": "take",
                    "licence": licence,
                    "tags": tags,
                }
                for name, (licence, tags) in ASSETS.items()
            ]
        )
        edges = [
            {"child": item, "parent": one, "role": "take"}
            for item, layers in LAYERS.items()
            for one in layers
        ]
        made.table("lineage").append(edges)
        yield made


@pytest.fixture(scope="module")
def tables():
    licences = {item: licence_of_mix(ASSETS[one][0] for one in layers) for item, layers in LAYERS.items()}
    rows = [{"item_id": item, "licence": licence} for item, licence in licences.items()]
    return {
        "cares": {
            "train": pa.Table.from_pylist([*rows, {"item_id": "unknown", "licence": "LicenseRef-unknown"}])
        }
    }


def kept(lake, tables, profile):
    rows, left_out = allowed(lake, lake.snapshot, tables, profile)
    return set(rows["cares"]["train"]["item_id"].to_pylist()), set(left_out)


UNKNOWN = "LicenseRef-unknown may not be released: its source states none, or none that is understood"


def test_commerce_drops_a_scene_with_a_non_commercial_ambience(lake, tables):
    items, left_out = kept(lake, tables, "commercial")
    assert items == {"without the ambience"}
    assert left_out == {
        LeftOut("cares", "CC-BY-NC-4.0 is not for commercial", 1),
        LeftOut("cares", f"{WISH} open-source-models", 1),
        LeftOut("cares", f"{WISH} no-gen-ai", 1),
        LeftOut("cares", UNKNOWN, 1),
    }


def test_research_has_all_but_what_nobody_may_have(lake, tables):
    items, left_out = kept(lake, tables, "research")
    assert items == {"of all", "without the ambience", "of a sound for open models"}
    assert left_out == {LeftOut("cares", f"{WISH} no-gen-ai", 1), LeftOut("cares", UNKNOWN, 1)}


def test_what_a_source_said_last_counts(lake, tables):
    at = datetime.datetime(2026, 11, 1, tzinfo=datetime.UTC)
    later = at + datetime.timedelta(days=1)
    said = [("event", "no-gen-ai", at), ("event", "open-source-models", later), ("voice", None, at)]
    snapshot = lake.snapshot
    lake.table("source_checks").append(
        [
            {"source_id": f"freesound:{one}", "checked_at": when, "found": "wish", "wish": wish}
            for one, wish, when in said
        ]
    )
    assert kept(lake, tables, "research")[0] == {
        "of all",
        "without the ambience",
        "of a sound for open models",
    }
    rows, _ = allowed(lake, lake.snapshot, tables, "commercial")
    assert rows == {}
    assert allowed(lake, snapshot, tables, "commercial")[0]["cares"]["train"].num_rows == 1


def test_a_speaker_of_two_splits_stays_in_the_one_that_is_tested_on(lake):
    """As a ledger has them that is older than the look at speakers; what nobody knows ties nothing."""

    def said(*rows):
        return pa.Table.from_pylist(
            [{"item_id": item, "licence": "CC0-1.0", "speaker": name} for item, name in rows]
        )

    tables = {
        "wesr": {
            "train": said(("a", "ann"), ("b", "bob"), ("c", "unknown"), ("d", None)),
            "validation": said(("e", "bob")),
        },
        "wesr-bench": {"test": said(("f", "ann"), ("g", "unknown"))},
    }
    rows, left_out = allowed(lake, lake.snapshot, tables)
    there = {
        item for splits in rows.values() for table in splits.values() for item in table["item_id"].to_pylist()
    }
    assert there == {"c", "d", "e", "f", "g"}
    assert left_out == (LeftOut("wesr", "the speaker is in another split, too", 2),)
