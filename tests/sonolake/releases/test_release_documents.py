import csv
import dataclasses
import json

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.releases import build, read_manifest
from sonolake.releases.attribution import attribution_table, items_using
from sonolake.releases.frontmatter import front_matter
from sonolake.releases.tables import ITEMS_SCHEMA

EDGES = pa.schema([("child", pa.string()), ("parent", pa.string())])


def test_the_head_of_the_card_is_what_the_hub_reads(content):
    yaml = pytest.importorskip("yaml")
    first, head, rest = front_matter(content).split("---\n")
    assert (first, rest) == ("", "")
    assert yaml.safe_load(head) == {
        "pretty_name": "Demo",
        "license": "cc0-1.0",
        "language": ["en"],
        "size_categories": ["n<1K"],
        "tags": ["audio"],
        "task_categories": ["audio-classification"],
        "configs": [
            {
                "config_name": "cares",
                "data_files": [
                    {"split": "train", "path": "data/cares/train-*.parquet"},
                    {"split": "validation", "path": "data/cares/validation-*.parquet"},
                    {"split": "test", "path": "data/cares/test-*.parquet"},
                ],
                "default": True,
            },
            {
                "config_name": "rms-aqa",
                "data_files": [
                    {"split": "train", "path": "data/rms-aqa/train-*.parquet"},
                    {"split": "validation", "path": "data/rms-aqa/validation-*.parquet"},
                ],
            },
        ],
    }


def test_a_title_cannot_break_the_head(make):
    yaml = pytest.importorskip("yaml")
    title = 'A: "b" # c\n---\nlicense: mit'
    head = yaml.safe_load(front_matter(make(title=title))[4:].rsplit("---\n", 1)[0])
    assert (head["pretty_name"], head["license"]) == (title, "cc0-1.0")


def test_the_card_has_what_a_reader_looks_for(release):
    card = (release / "README.md").read_text()
    for heading in ("## What is in it", "## Counts", "## Licences", "## How to load it", "## Limitations"):
        assert heading in card
    assert "| `cares` | train | 6 | 0.00 | 1 | [counts-items](proofs/counts-items.sql) |" in card
    assert "| all | all | 13 | 0.00 | 1, 4 | [counts-items](proofs/counts-items.sql) |" in card
    assert "| CC0-1.0 | 13 | 3 | [counts-licences](proofs/counts-licences.sql) |" in card
    assert 'Do not use\n`["array"]`' in card
    assert "- Nothing here is a real recording." in card


def test_synthetic_sources_are_named(content, store, tmp_path):
    rows = content.sources.to_pylist()
    rows[1] |= {"synthetic": True, "title": "rain, procedural"}
    build(dataclasses.replace(content, sources=pa.Table.from_pylist(rows)), store.__getitem__, tmp_path / "r")
    card = (tmp_path / "r/README.md").read_text()
    told = "Synthetic: 1 of 3 sources ([counts-sources](proofs/counts-sources.sql)) are made by a program"
    assert f"{told}, not recorded: `rain, procedural`." in card


def test_every_source_says_which_items_use_it(release, monkeypatch):
    with (release / "ATTRIBUTION.csv").open(newline="") as file:
        rows = {r["source_id"]: r for r in csv.DictReader(file)}
    assert set(rows) == {"lib:dog-train", "lib:dog-validation", "lib:dog-test"}
    assert rows["lib:dog-test"]["items"] == "scene-test-000 scene-test-001"
    assert rows["lib:dog-train"]["used_in"] == "8"
    assert rows["lib:dog-train"]["author"] == 'Ann, "A"'
    text = (release / "ATTRIBUTION.md").read_text()
    assert '[Dog \\[lib:dog-train\\]](https://example.org/dog), Ann, "A"' in text
    five = ", ".join(f"{name}" for name in rows["lib:dog-train"]["items"].split()[:5])
    assert f"Changed: trimmed. Used in 8 items: {five} and 3 more." in text
    assert "Used in 2 items: scene-test-000, scene-test-001." in text
    monkeypatch.chdir(release)
    sql = text.split("```sql")[1].split("```")[0].replace("the source in question", "lib:dog-train")
    assert [name for (name,) in duckdb.sql(sql).fetchall()] == rows["lib:dog-train"]["items"].split()


def test_use_goes_through_what_lies_between(make):
    edges = [("a", "x"), ("x", "t"), ("b", "t"), ("t", "a")]
    lineage = pa.Table.from_pylist([{"child": c, "parent": p, "role": "take"} for c, p in edges])
    rows = items_using(lineage, pa.chunked_array([["b", "a"]])).to_pylist()
    users = {row["thing"]: (row["used_in"], row["items"]) for row in rows}
    assert users == {"t": (2, "a b"), "x": (2, "a b"), "a": (1, "b")}


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))),
    st.sets(st.sampled_from("abcg")),
)
def test_use_is_what_can_be_reached(edges, items):
    lineage = pa.table({"child": [c for c, _ in edges], "parent": [p for _, p in edges]}, schema=EDGES)
    reached = {(item, parent) for item in items for child, parent in edges if child == item}
    for _ in "abcdef":
        reached |= {(item, p) for item, thing in reached for c, p in edges if c == thing}
    users = {}
    for item, thing in sorted(reached):
        if item != thing:
            users.setdefault(thing, []).append(item)
    rows = items_using(lineage, pa.chunked_array([sorted(items)], pa.string())).to_pylist()
    assert {row["thing"]: row["items"].split(" ") for row in rows} == users
    assert all(row["used_in"] == len(users[row["thing"]]) for row in rows)


def test_a_url_that_is_not_one_is_no_link(content, store, tmp_path):
    rows = content.sources.to_pylist()
    rows[0] |= {"source_url": "javascript:alert(1)", "title": "x](http://evil) <b>"}
    hostile = dataclasses.replace(content, sources=pa.Table.from_pylist(rows))
    build(hostile, store.__getitem__, tmp_path / "r")
    text = (tmp_path / "r/ATTRIBUTION.md").read_text()
    assert "javascript" not in text
    assert "x\\](http://evil) \\<b\\>" in text
    assert attribution_table(hostile, ITEMS_SCHEMA.empty_table())["used_in"][0].as_py() == 0


def test_the_views_are_plain_duckdb(release, monkeypatch):
    sql = (release / "views.sql").read_text()
    assert sql.count("SET VARIABLE root =") == 1
    with duckdb.connect() as link:
        link.execute(f"SET VARIABLE root = '{release}'")
        link.execute(sql)
        counts = link.execute("SELECT split, count(*) FROM cares GROUP BY split ORDER BY split").fetchall()
        assert counts == [("test", 2), ("train", 6), ("validation", 2)]
        assert link.execute("SELECT count(*) FROM manifest").fetchone() == (len(read_manifest(release)),)
        assert link.execute("SELECT count(*) FROM attribution").fetchone() == (3,)
        joined = 'SELECT count(*) FROM items JOIN lineage ON child = item_id JOIN "rms-aqa" USING (item_id)'
        assert link.execute(joined).fetchone() == (6,)


def test_croissant_names_every_shard_by_its_hash(release):
    about = json.loads((release / "croissant.json").read_text())
    objects = {d["@id"]: d["sha256"] for d in about["distribution"] if d["@type"] == "cr:FileObject"}
    listed = {f.path: f.sha256 for f in read_manifest(release)}
    assert {p for p in listed if p.startswith("data/")} < set(objects)
    assert all(listed[path] == sha256 for path, sha256 in objects.items())
    assert about["conformsTo"][0] == "http://mlcommons.org/croissant/1.1"
    assert about["license"] == "https://creativecommons.org/publicdomain/zero/1.0/"
    assert (about["datePublished"], about["version"], about["isLiveDataset"]) == (
        "2026-11-01",
        "0.1.0",
        False,
    )


def test_croissant_describes_tables_splits_and_sound(release):
    about = json.loads((release / "croissant.json").read_text())
    sets = {r["@id"]: r for r in about["recordSet"]}
    assert sets["splits"]["dataType"] == "cr:Split"
    assert [d["splits/url"] for d in sets["splits"]["data"]] == [
        "cr:TrainingSplit",
        "cr:ValidationSplit",
        "cr:TestSplit",
    ]
    audio = next(f for f in sets["cares"]["field"] if f["@id"] == "cares/audio")
    assert audio["dataType"] == "sc:AudioObject"
    ids = [d["@id"] for d in about["distribution"]] + list(sets)
    assert len(ids) == len(set(ids))


def test_the_changelog_keeps_a_known_form(release):
    assert (release / "CHANGELOG.md").read_text() == (
        "# Changelog of Demo\n\n## [0.1.0] - 2026-11-01\n\n### Added\n\n"
        "- First version: 10 items of `cares`, 3 items of `rms-aqa`.\n"
    )
