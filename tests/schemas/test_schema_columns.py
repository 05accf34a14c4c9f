"""Every column says what it holds, and in which unit where it is a quantity."""

import re

import dataframely as dy
import polars as pl
import pytest

from schemas import ALL, lake_spec
from schemas.base import column, table_name
from sonolake.errors import InvalidInput

UNITS = {
    "_s": {"s"},
    "_db": {"dB"},
    "_dbfs": {"dBFS"},
    "_dbtp": {"dBTP"},
    "_lufs": {"LUFS"},
    "_m": {"m"},
    "_deg": {"degrees"},
}
"""What the end of a column's name says its unit is."""

WITHOUT_UNIT = {"distance"}
"""Real numbers that are no physical quantity: 1 - similarity."""

CONTRACT = {
    "templates": "template_id, title, theme, category",
    "scenarios": "scenario_id, template_id, composition, location, relation, genders",
    "scenes": "scene_id, scenario_id, template_id, split, asset_id, duration_s, loudness_lufs, peak_dbfs, licence",
    "scene_events": "scene_id, event, reaction, register, layer, take, onset_s, offset_s, violates",
    "clips": "clip_id, split, room, origin, asset_id",
    "clip_events": "clip_id, event, onset_s, offset_s, azimuth_deg, elevation_deg, distance_m, moving",
    "questions": "question_id, clip_id, stage, dimension, question, options, answer",
    "utterances": "utterance_id, asset_id",
    "queries": "query_id, tag, query",
    "candidates": "utterance_id, tag, query, rank, distance, onset_s",
}
"""The tables and columns that outside tools rely on (contract: Tables of the data sets)."""


def columns():
    return [(schema, name, c) for schema in ALL for name, c in schema.columns().items()]


def ids(one):
    return one if isinstance(one, str) else table_name(one) if isinstance(one, type) else ""


@pytest.mark.parametrize(("schema", "name", "declared"), columns(), ids=ids)
def test_a_column_has_a_meaning_and_its_unit(schema, name, declared):
    unit = declared.metadata["unit"]
    assert len(declared.description) > 2 and declared.description == declared.description.strip()
    endings = [units for ending, units in UNITS.items() if name.endswith(ending)]
    if endings:
        assert unit in endings[0]
    elif declared.dtype == pl.Float64:
        assert unit or name in WITHOUT_UNIT, "a quantity without a unit"
    else:
        assert unit == ""


@pytest.mark.parametrize("schema", ALL, ids=ids)
def test_a_table_has_a_key_and_says_what_a_row_is(schema):
    assert schema.primary_key()
    assert re.match(r"[A-Z].+\.$", schema.__doc__.strip())


@pytest.mark.parametrize(("table", "named"), CONTRACT.items())
def test_a_table_has_the_columns_of_the_contract(table, named):
    specs = {spec.name: spec for spec in map(lake_spec, ALL)}
    there = {c.name for c in specs[table].columns}
    assert set(named.split(", ")) <= there


def test_what_was_asked_stands_beside_what_was_measured():
    (spec,) = (spec for spec in map(lake_spec, ALL) if spec.name == "scene_events")
    names = [c.name for c in spec.columns]
    asked = {n.removeprefix("asked_") for n in names if n.startswith("asked_")}
    measured = {n.removeprefix("measured_") for n in names if n.startswith("measured_")}
    assert asked == measured >= {"onset_s", "level_lufs", "snr_db"}


def test_a_column_of_a_type_that_the_lake_lacks_is_refused():
    class Odd(dy.Schema):
        """A table with a date."""

        day = column(dy.Date, "a day", primary_key=True)

    with pytest.raises(InvalidInput, match=r"column type: expected one of \['BIGINT'.*received Date"):
        lake_spec(Odd)


def test_lists_are_kept_as_lists():
    class Listed(dy.Schema):
        """A table with a list."""

        name = column(dy.String, "a name", primary_key=True)
        levels = column(dy.List, "levels", "dB", inner=dy.Float64())

    assert [(c.name, c.type, c.comment) for c in lake_spec(Listed).columns] == [
        ("name", "VARCHAR", "a name"),
        ("levels", "DOUBLE[]", "[dB] levels"),
    ]
