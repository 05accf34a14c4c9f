"""Lineage against a plain walk over the edges; the doctor on lakes that are well and ill."""

import datetime as dt

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sonolake.errors import MissingPackage
from sonolake.lake import catalog, doctor
from sonolake.lake.doctor import examine
from sonolake.lake.tables import OWN_TABLES
from sonolake.lake.trace import trace

NODES = st.sampled_from("abcdef")


def reachable(edges, start):
    """Nodes that can be reached from ``start``, by a walk over pairs."""
    found, todo = set(), [start]
    while todo:
        node = todo.pop()
        for one, other in edges:
            if one == node and other not in found:
                found.add(other)
                todo.append(other)
    return found


@given(edges=st.sets(st.tuples(NODES, NODES), min_size=1, max_size=14))
@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_trace_reaches_what_a_walk_reaches(lake, edges):
    with lake.transaction("anew") as tx:
        tx.sql("DELETE FROM lineage")
        tx.append("lineage", [{"child": c, "parent": p, "role": "r"} for c, p in edges])
    start = min(edges)[0]
    found = trace(lake, start)
    up, down = ({(e.child, e.parent) for e in kept} for kept in (found.up, found.down))
    above, below = reachable(edges, start), reachable({(p, c) for c, p in edges}, start)
    assert up == {(c, p) for c, p in edges if c in {start, *above}}
    assert down == {(c, p) for c, p in edges if p in {start, *below}}


def verdicts(checks):
    return {check.check: check.verdict for check in checks}


def detail(checks, name):
    return next(check.detail for check in checks if check.check == name)


@pytest.fixture
def kept(lake):
    asset_id = lake.media.put(b"a sound")
    lake.table("assets").append([{"asset_id": asset_id}])
    return lake.media.path(asset_id)


def test_a_lake_that_is_well(lake, kept):
    checks = examine(lake.root)
    found = verdicts(checks)
    needed = ("python", "extensions", "lake", "catalog", "clock", "tables", "media", "openlineage", "disk")
    assert {name: found[name] for name in needed} == dict.fromkeys(needed, "ok")
    assert f"1 rows of {len(OWN_TABLES)} tables" in detail(checks, "tables") and lake.lake_id in detail(
        checks, "lake"
    )
    assert detail(checks, "media").startswith("1 of the assets")


def test_without_a_lake_the_installation_is_examined(tmp_path):
    found = verdicts(examine())
    assert found["python"] == found["extensions"] == "ok" and "lake" not in found
    assert verdicts(examine(tmp_path))["lake"] == "fails"


def test_bytes_that_changed(lake, kept):
    kept.write_bytes(b"a sounD")
    checks = examine(lake.root)
    assert verdicts(checks)["media"] == "fails" and kept.name in detail(checks, "media")


def test_bytes_that_are_gone(lake, kept):
    kept.unlink()
    assert verdicts(examine(lake.root))["media"] == "fails"


def test_a_table_file_that_is_gone_is_found_though_the_catalog_still_counts_its_rows(lake, kept):
    for file in (lake.root / "tables").rglob("*.parquet"):
        file.unlink()
    assert lake.rows("SELECT count(*) AS n FROM assets") == [{"n": 1}]
    found = verdicts(examine(lake.root))
    assert found["tables"] == "fails" and found["catalog"] == "ok"


def test_a_clock_that_is_behind(lake, monkeypatch):
    class Past(dt.datetime):
        @classmethod
        def now(cls, tz=None):
            return dt.datetime(2020, 1, 1, tzinfo=tz)

    monkeypatch.setattr(doctor, "datetime", Past)
    assert verdicts(examine(lake.root))["clock"] == "fails"


def test_a_disk_that_is_full(lake, monkeypatch):
    monkeypatch.setattr(doctor, "LEAST_FREE_BYTES", 10**18)
    assert verdicts(examine(lake.root))["disk"] == "fails"


def test_an_extension_that_is_not_installed(monkeypatch):
    def missing():
        raise MissingPackage(
            "duckdb-extension-ducklake", "the catalog", "pip install duckdb-extension-ducklake==1.5.5"
        )

    monkeypatch.setattr(catalog, "connect", missing)
    checks = examine()
    assert verdicts(checks)["extensions"] == "fails"
    assert "pip install duckdb-extension-ducklake==1.5.5" in detail(checks, "extensions")


def test_an_extension_of_another_duckdb_says_which_to_install(monkeypatch):
    import duckdb

    monkeypatch.setattr(duckdb, "__version__", "9.9.9")
    with pytest.raises(MissingPackage, match=r"pip install duckdb-extension-sqlite-scanner==9\.9\.9"):
        catalog.extension_path("sqlite_scanner")
    with pytest.raises(MissingPackage, match="duckdb-extension-no-such"):
        catalog.extension_path("no_such")


def test_a_model_that_is_missing_is_no_failure_and_says_how_to_install_it(monkeypatch):
    from sonolake.models import registry

    row = registry.ModelRow("voice", "x:y", "x", "", "", "", False, "pip install x==1")
    monkeypatch.setattr(registry, "installed", lambda hashes: [row])
    checks = examine()
    assert verdicts(checks)["model x:y"] == "missing" and "pip install x==1" in detail(checks, "model x:y")
