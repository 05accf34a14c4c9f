"""What the schemas declare is what any SQL client reads in a lake's catalog."""

import pytest

from schemas import ALL, lake_spec
from sonolake import Lake

SPECS = [lake_spec(schema) for schema in ALL]


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    with Lake.create(tmp_path_factory.mktemp("declared") / "lake") as made:
        made.declare(*SPECS)
        yield made


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_types_units_and_meanings_stand_in_the_catalog(lake, spec):
    rows = [row for row in lake.columns().to_pylist() if row["table_name"] == spec.name]
    assert [(r["column_name"], r["type"], r["meaning"]) for r in rows] == [
        (c.name, c.type, c.comment) for c in spec.columns
    ]
    assert {r["about"] for r in rows} == {spec.meaning}


def test_a_unit_stands_before_the_meaning(lake):
    meanings = {(r["table_name"], r["column_name"]): r["meaning"] for r in lake.columns().to_pylist()}
    assert meanings["clip_events", "azimuth_deg"] == "[degrees] azimuth"
    assert meanings["scenes", "loudness_lufs"].startswith("[LUFS] integrated loudness")
    assert meanings["scenes", "split"] == "split of the template"


def test_declaring_again_commits_nothing(lake):
    before = lake.snapshot
    lake.declare(*SPECS)
    assert lake.snapshot == before
