"""Commits over several tables, snapshots, keys, and comments that any DuckDB reads."""

import datetime as dt
import json

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sonolake import Column, Lake, TableSpec
from sonolake.errors import InvalidInput, LakeBusy, NotFound
from sonolake.lake import catalog
from sonolake.lake.tables import ASSETS, OWN_TABLES

A, B = "a" * 64, "b" * 64
PAIRS = TableSpec(
    "pairs",
    (
        Column("left", "BIGINT", "first"),
        Column("right", "VARCHAR", "second"),
        Column("value", "DOUBLE", "m", "s"),
    ),
    ("left", "right"),
    "Pairs",
)


def values(lake, table="assets", column="title", at=None):
    return lake.sql(f"SELECT {column} FROM {table} ORDER BY ALL", at=at)[column].to_pylist()


def plain_duckdb():
    """DuckDB as anyone has it, with the extensions installed: only their path is ours."""
    con = duckdb.connect(
        config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    )
    for name in ("ducklake", "sqlite_scanner"):
        con.execute(f"LOAD '{catalog.extension_path(name)}'")
    return con


def test_several_tables_in_one_commit(lake):
    before = lake.snapshot
    with lake.transaction("two at once", author="ann", run_id="run-1", flow="demo") as tx:
        tx.append("assets", [{"asset_id": A, "title": "Dog"}])
        tx.append("judgements", [{"item": A, "question": "dog?", "answer": "yes", "rater": "ann"}])
        assert tx.sql("SELECT count(*) AS n FROM assets")["n"].to_pylist() == [1], "its own rows are seen"
        assert lake.table("assets").scan().num_rows == 0, "by nobody else"
    assert tx.snapshot == lake.snapshot == before + 1
    last = lake.snapshots().to_pylist()[-1]
    assert (last["author"], last["message"]) == ("ann", "two at once")
    assert json.loads(last["extra_info"]) == {"run": "run-1", "flow": "demo"}
    assert abs(dt.datetime.now(dt.UTC) - last["snapshot_time"]) < dt.timedelta(minutes=1)


def test_an_exception_rolls_all_back_and_frees_the_lock(lake):
    before = lake.snapshot
    with pytest.raises(ZeroDivisionError), lake.transaction("half") as tx:
        tx.append("assets", [{"asset_id": A}])
        1 / 0  # noqa: B018
    assert lake.table("assets").scan().num_rows == 0 and lake.snapshot == before
    lake.table("assets").append([{"asset_id": A}])


def test_an_error_in_sql_is_the_one_that_is_seen(lake):
    with pytest.raises(duckdb.CatalogException, match="no_such_table"), lake.transaction("bad") as tx:
        tx.sql("SELECT * FROM no_such_table")
    with pytest.raises(duckdb.ConversionException), lake.transaction("aborted") as tx:
        tx.append("assets", [{"asset_id": A}])
        tx.sql("SELECT CAST('x' AS INTEGER)")
    assert lake.table("assets").scan().num_rows == 0


def test_reading_at_a_snapshot(lake):
    lake.table("assets").append([{"asset_id": A, "title": "old"}])
    first = lake.snapshot
    lake.table("assets").merge([{"asset_id": A, "title": "new"}, {"asset_id": B, "title": "other"}])
    assert values(lake) == ["new", "other"]
    assert values(lake, at=first) == ["old"]
    assert lake.table("assets").scan(columns=("title",), at=first).to_pylist() == [{"title": "old"}]
    for wrong in (lake.snapshot + 1, 10**9):
        with pytest.raises(NotFound, match=f"no snapshot {wrong}"):
            lake.sql("SELECT 1", at=wrong)
    with pytest.raises(InvalidInput, match="snapshot"):
        lake.sql("SELECT 1", at=-1)


def test_a_known_key_is_refused_and_names_what_is_there(lake):
    lake.table("assets").append([{"asset_id": A}])
    with pytest.raises(InvalidInput, match=A):
        lake.table("assets").append([{"asset_id": B}, {"asset_id": A}])
    with pytest.raises(InvalidInput, match="comes twice"):
        lake.table("assets").append([{"asset_id": B}, {"asset_id": B}])
    with pytest.raises(InvalidInput, match="being the key"):
        lake.table("assets").append([{"title": "no id"}])
    assert values(lake, column="asset_id") == [A]


def test_a_key_written_in_the_same_transaction_is_known(lake):
    with pytest.raises(InvalidInput, match="keys that are new"), lake.transaction("twice") as tx:
        tx.append("assets", [{"asset_id": A}])
        tx.append("assets", [{"asset_id": A}])


def test_rows_that_do_not_fit(lake):
    with pytest.raises(InvalidInput, match="titel"):
        lake.table("assets").append([{"asset_id": A, "titel": "typo"}])
    with pytest.raises(InvalidInput, match="rows of assets"):
        lake.table("assets").append([{"asset_id": A, "sample_rate": "fast"}])
    with pytest.raises(InvalidInput, match="declared table"):
        lake.table("asset")
    with pytest.raises(InvalidInput, match="declared table"), lake.transaction("x") as tx:
        tx.append("asset", [])
    with pytest.raises(InvalidInput, match="a table with a key"):
        lake.table("judgements").merge([{"item": "a"}])


def test_deleting_by_key(lake):
    lake.declare(PAIRS)
    lake.table("pairs").append([{"left": n, "right": r, "value": 0.5} for n in (1, 2) for r in "xy"])
    with lake.transaction("take one away") as tx:
        tx.delete("pairs", [{"left": 1, "right": "y"}, {"left": 9, "right": "x"}])
    assert lake.sql('SELECT "left", "right" FROM pairs ORDER BY ALL').to_pylist() == [
        {"left": 1, "right": "x"},
        {"left": 2, "right": "x"},
        {"left": 2, "right": "y"},
    ]


def test_no_rows_make_no_commit_of_nothing_wrong(lake):
    assert lake.table("assets").append([]) == 0
    assert lake.table("assets").merge(pa.table({"asset_id": pa.array([], pa.string())})) == 0


rows_of_pairs = st.lists(
    st.tuples(st.integers(-3, 3), st.sampled_from(["", "é", "o'x"]), st.floats(allow_nan=False)), max_size=6
)


@given(steps=st.lists(rows_of_pairs, max_size=4))
@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_merges_end_as_a_dictionary_would(lake, steps):
    lake.declare(PAIRS)
    with lake.transaction("empty") as tx:
        tx.sql("DELETE FROM pairs")
    expected = {}
    for step in steps:
        distinct = {(left, right): value for left, right, value in step}
        expected |= distinct
        lake.table("pairs").merge([{"left": k[0], "right": k[1], "value": v} for k, v in distinct.items()])
    got = lake.table("pairs").scan().to_pylist()
    assert {(r["left"], r["right"]): r["value"] for r in got} == expected
    assert len(got) == len(expected)


def test_every_type_comes_back(lake):
    types = ("VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN", "TIMESTAMP WITH TIME ZONE", "VARCHAR[]", "DOUBLE[]")
    lake.declare(TableSpec("kinds", tuple(Column(f"c{n}", t, "m") for n, t in enumerate(types)), (), "Kinds"))
    now = dt.datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    full = dict(
        zip((f"c{n}" for n in range(7)), ("ü", 2**62, 0.1, True, now, ["a", None], [-0.5]), strict=True)
    )
    lake.table("kinds").append([full, {"c0": "only"}])
    (got, empty) = lake.sql("SELECT * FROM kinds ORDER BY c1 NULLS LAST").to_pylist()
    assert got == full
    assert empty == {**dict.fromkeys(full), "c0": "only"}


KINDS = {
    "VARCHAR": ["b", None, "ü"],
    "BIGINT": [1, -5, None],
    "DOUBLE": [0.5, float("nan"), None],
    "BOOLEAN": [True, None, False],
    "TIMESTAMP WITH TIME ZONE": [dt.datetime(2026, 3, 1, tzinfo=dt.UTC), None, dt.datetime(2020, 1, 1, tzinfo=dt.UTC)],
    "VARCHAR[]": [["a", None], [], None],
    "DOUBLE[]": [[-0.5, float("nan")], None, [2.0]],
}  # fmt: skip


def test_a_table_has_the_statistics_that_ducklake_would_have_given_it(lake, tmp_path):
    columns = tuple(Column(f"c{n}", kind, "m") for n, kind in enumerate(KINDS))
    rows = [
        dict(zip((c.name for c in columns), one, strict=True)) for one in zip(*KINDS.values(), strict=True)
    ]
    plain = plain_duckdb()
    plain.execute(
        f"ATTACH 'ducklake:sqlite:{tmp_path}/plain' AS plain (DATA_PATH '{tmp_path}/data', DATA_INLINING_ROW_LIMIT 0)"
    )
    plain.execute(f"USE plain; CREATE TABLE kinds ({', '.join(f'{c.name} {c.type}' for c in columns)})")
    lake.declare(TableSpec("kinds", columns, (), "Kinds"))
    ask = (
        "SELECT column_name, record_count, next_row_id, stats.* EXCLUDE (table_id) FROM {0}.ducklake_table "
        "JOIN {0}.ducklake_table_stats USING (table_id) JOIN {0}.ducklake_column USING (table_id) "
        "JOIN {0}.ducklake_table_column_stats AS stats USING (table_id, column_id) "
        "WHERE table_name = 'kinds' ORDER BY column_id"
    )
    for row in rows:
        lake.table("kinds").append([row])
        there = TableSpec("kinds", columns, (), "Kinds").rows([row])
        plain.register("there", there)
        plain.execute("INSERT INTO kinds FROM there")
        expected = plain.execute(ask.format("__ducklake_metadata_plain")).fetchall()
        assert len(expected) == len(KINDS)
        assert lake._cursors.con.execute(ask.format(lake.metadata)).fetchall() == expected


def test_a_query_of_a_table_without_rows_asks_the_catalog_no_more_for_many_columns(lake):
    con = lake._cursors.con
    asked = []
    for what in ("asset_id", "*"):
        con.execute("CALL enable_logging('QueryLog')")
        lake.sql(f"SELECT {what} FROM assets")
        (said,) = con.execute(
            "SELECT count(*) FROM duckdb_logs WHERE type = 'QueryLog' AND message LIKE '%FROM%'"
        ).fetchone()
        con.execute("CALL disable_logging(); CALL truncate_duckdb_logs()")
        asked.append(said)
    assert len(ASSETS.columns) > 20
    assert 0 < asked[1] <= asked[0]


def test_a_table_declared_with_more_columns_gains_them(lake):
    lake.declare(PAIRS)
    lake.table("pairs").append([{"left": 1, "right": "x", "value": 0.5}])
    before = lake.snapshot
    wider = TableSpec(
        "pairs", (*PAIRS.columns, Column("rate", "BIGINT", "sampling rate", "Hz")), PAIRS.key, "Pairs"
    )
    lake.declare(wider)
    lake.declare(wider)
    assert lake.snapshot == before + 1, "declared again, nothing happens"
    lake.table("pairs").merge([{"left": 2, "right": "y", "rate": 8000}])
    assert lake.table("pairs").scan(columns=("value", "rate")).to_pylist() == [
        {"value": 0.5, "rate": None},
        {"value": None, "rate": 8000},
    ]
    comments = {
        r["column_name"]: r["meaning"] for r in lake.columns().to_pylist() if r["table_name"] == "pairs"
    }
    assert comments["rate"] == "[Hz] sampling rate" and comments["value"] == "[s] m"
    assert "rate" not in lake.sql("SELECT * FROM pairs", at=before).column_names


def test_a_column_declared_with_a_wider_type_is_widened_and_no_file_is_rewritten(lake):
    narrow = {"whole": "INTEGER", "small": "INTEGER", "real": "FLOAT", "reals": "FLOAT[]"}
    wide = {"whole": "BIGINT", "small": "DOUBLE", "real": "DOUBLE", "reals": "DOUBLE[]"}

    def spec(types):
        columns = (Column("id", "VARCHAR", "id"), *(Column(n, t, "m", "s") for n, t in types.items()))
        return TableSpec("grown", columns, ("id",), "Grown")

    lake.declare(spec(narrow))
    old = {"id": "old", "whole": 2**31 - 1, "small": -7, "real": 0.5, "reals": [1.5, None]}
    lake.table("grown").append([old])
    before = lake.snapshot
    files = {path: path.read_bytes() for path in (lake.root / "tables").rglob("*.parquet")}
    lake.declare(spec(wide))
    new = {"id": "wide", "whole": 2**62, "small": 0.25, "real": 1e300, "reals": [1e-300]}
    lake.table("grown").append([new])
    assert lake.table("grown").scan().to_pylist() == [old, new]
    assert lake.sql("SELECT whole FROM grown", at=before).schema.field("whole").type == pa.int32()
    assert all(path.read_bytes() == data for path, data in files.items())
    described = {r["column_name"]: (r["type"], r["meaning"]) for r in lake.columns().to_pylist()}
    assert described["whole"] == ("BIGINT", "[s] m")
    lake.declare(spec(narrow))
    lake.table("grown").append([{**old, "id": "by an older program"}])
    assert lake.table("grown").scan("whole = 2147483647").num_rows == 2


def test_a_column_declared_with_another_type_is_refused(lake):
    lake.declare(PAIRS)
    other = TableSpec("pairs", (*PAIRS.columns[:2], Column("value", "VARCHAR", "m")), PAIRS.key, "Pairs")
    with pytest.raises(
        InvalidInput,
        match=r"type of pairs\.value: expected DOUBLE, as in the lake, or a wider type, received",
    ):
        lake.declare(other)


def test_a_lake_writes_parquet_for_the_smallest_commit(lake):
    lake.table("assets").append([{"asset_id": A}])
    files = [f for f in (lake.root / "tables").rglob("*.parquet") if "assets" in f.parts]
    assert [pq.read_table(f)["asset_id"].to_pylist() for f in files] == [[A]]


@pytest.mark.parametrize(
    "query",
    ["DELETE FROM assets", "CALL lake.set_option('x', 1)", "SET threads = 1", "SELECT 1; SELECT 2", "", "-- nothing",
     "COPY assets TO 'out.csv'", "EXPLAIN ANALYZE DELETE FROM assets", "ATTACH 'x.db'", "SELEC 1", "SELECT nothing",
     "FROM ducklake_expire_snapshots('lake', older_than => now())", 
     'SELECT (FROM "DuckLake_Cleanup_Old_Files"(\'lake\'))',
     "FROM lake.set_option('parquet_version', '2')", "FROM sqlite_query('lake', 'DELETE FROM ducklake_snapshot')",
     "WITH a AS (FROM ducklake_delete_orphaned_files('lake', cleanup_all => true)) SELECT 1",
     "SELECT * FROM assets, LATERAL ducklake_merge_adjacent_files('lake')", "FROM query('SELECT 1')",
     "SUMMARIZE FROM ducklake_flush_inlined_data('lake')", "FROM ducklake_rewrite_data_files('lake')",
     "FROM ducklake_add_data_files('lake', 'assets', 'x.parquet')", "FROM json_execute_serialized_sql('{}')",
     "EXPLAIN FROM ducklake_expire_snapshots('lake', older_than => now())",
     "PIVOT (FROM ducklake_cleanup_old_files /* ( */ ('lake')) ON path USING count(*)"],
)  # fmt: skip
def test_a_query_that_is_not_one_read_is_refused(lake, query):
    lake.table("assets").append([{"asset_id": A}])
    with pytest.raises(InvalidInput, match="query"):
        lake.sql(query)
    assert lake.table("assets").scan().num_rows == 1


@pytest.mark.parametrize(
    "query",
    ["FROM assets", "WITH a AS (FROM assets) SELECT * FROM a", "DESCRIBE assets", "SHOW TABLES", "SUMMARIZE assets",
     "EXPLAIN SELECT 1", "VALUES (1)", "SELECT ';' AS a;", "PIVOT assets ON kind USING count(*) GROUP BY licence",
     "FROM lake.snapshots()", "FROM ducklake_table_info('lake')",
     "FROM ducklake_table_insertions('lake', 'main', 'assets', 2, 2)", "FROM lake.table_changes('assets', 2, 2)",
     "SELECT unnest(range(3)) AS query", "EXPLAIN FROM lake.snapshots()",
     "FROM glob('/etc/*')", "WITH query(a) AS (VALUES (1)) FROM query", "FROM duckdb_tables()"],
)  # fmt: skip
def test_reads_of_every_form(lake, query):
    lake.table("assets").append([{"asset_id": A, "kind": "take"}])
    assert lake.sql(query).num_rows > 0


def test_plain_duckdb_attaches_a_lake_where_it_was_made(tmp_path, monkeypatch):
    with Lake.create(tmp_path / "lake") as lake:
        lake.table("assets").append([{"asset_id": A, "title": "Dog"}])
    monkeypatch.chdir(tmp_path)
    con = plain_duckdb()
    con.execute("ATTACH 'ducklake:sqlite:lake/catalog.sqlite' AS lake (READ_ONLY)")
    assert con.sql("SELECT title FROM lake.assets").fetchall() == [("Dog",)]
    comments = con.sql(
        "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE database_name = 'lake'"
    ).fetchall()
    expected = {(t.name, c.name): c.comment for t in OWN_TABLES for c in t.columns}
    assert {(t, c): comment for t, c, comment in comments} == expected
    assert ("assets", "duration_s", "[s] frames / sample_rate") in comments
    tables = con.sql("SELECT comment FROM duckdb_tables() WHERE table_name = 'assets'").fetchall()
    assert tables == [(ASSETS.meaning,)]
    with pytest.raises(duckdb.Error, match="read-only"):
        con.execute("DELETE FROM lake.assets")


def test_the_lines_that_the_lake_prints_attach_it_after_a_move(lake, tmp_path):
    lake.table("assets").append([{"asset_id": A, "title": "Dog"}])
    lake.close()
    moved = lake.root.rename(tmp_path / "it's moved")
    install, attach = catalog.plain_lines(moved)
    assert install == "INSTALL ducklake; INSTALL sqlite;"
    con = plain_duckdb()
    con.execute(attach)
    assert con.sql("SELECT title FROM lake.assets").fetchall() == [("Dog",)]


def test_another_writer_is_waited_for_and_in_the_end_named(lake, monkeypatch):
    with Lake.open(lake.root) as other, lake.transaction("long") as tx:
        other._catalog.lock.timeout = 0.2
        with pytest.raises(LakeBusy, match=r"another writer has held .*write\.lock for over 0\.2 s"):
            other.table("assets").append([{"asset_id": A}])
        tx.append("assets", [{"asset_id": B}])
    assert values(lake, column="asset_id") == [B]
