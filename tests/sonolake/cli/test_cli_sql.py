"""``sonolake sql``: forms of an answer, snapshots, and that nothing can be written."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cli.formats import as_csv, as_json, as_table

AWKWARD = """SELECT * FROM (VALUES (1, 'plain', 0.5, NULL), (2, 'a "quote", a comma', -1e300, ['x', NULL]),
    (NULL, '', NULL, []), (4, E'two\\nlines', 'inf'::DOUBLE, ['é'])) AS t(n, words, x, list) ORDER BY n NULLS LAST"""


def test_a_table_for_people(cli, stocked):
    result = cli("sql", AWKWARD, lake=stocked.root)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "n  words                     x  list",
        "─  ──────────────────  ───────  ───────────",
        "1  plain                   0.5  -",
        '2  a "quote", a comma  -1e+300  ["x", null]',
        '4  two·lines               inf  ["é"]',
        "-                            -  []",
        "(4 rows)",
    ]


def test_one_row_and_none(cli, stocked):
    assert cli("sql", "SELECT 1 AS n", lake=stocked.root).stdout.endswith("(1 row)\n")
    empty = cli("sql", "SELECT * FROM assets WHERE false", lake=stocked.root)
    assert empty.exit_code == 0 and empty.stdout.endswith("(0 rows)\n")


def test_long_answers_and_wide_cells_say_that_they_were_cut(cli, stocked):
    shown = cli("sql", "SELECT repeat('x', 500) AS x FROM range(1000)", lake=stocked.root).stdout.splitlines()
    assert shown[-1] == "(1,000 rows, 200 shown; --format csv has all)"
    assert shown[2] == "x" * 59 + "…" and len(shown) == 203


def test_csv_as_rfc_4180_says_with_nulls_apart_from_empty_text(cli, stocked):
    result = cli("sql", AWKWARD, "--format", "csv", lake=stocked.root)
    assert result.stdout == (
        "n,words,x,list\n"
        "1,plain,0.5,\n"
        '2,"a ""quote"", a comma",-1e+300,"[""x"", null]"\n'
        '4,"two\nlines",inf,"[""é""]"\n'
        ',"",,[]\n'
    )


@given(st.lists(st.lists(st.text(), min_size=2, max_size=2), max_size=8))
@settings(deadline=None, max_examples=50)
def test_any_csv_reader_gets_the_text_back(rows):
    import pyarrow as pa

    table = pa.table(
        {"a": [r[0] for r in rows], "b,c": [r[1] for r in rows]},
        pa.schema([("a", "string"), ("b,c", "string")]),
    )
    head, *read = csv.reader(io.StringIO(as_csv(table), newline=""))
    assert head == ["a", "b,c"] and read == rows
    assert [list(r.values()) for r in json.loads(as_json(table))] == rows
    assert len(as_table(table).splitlines()) == len(rows) + 3


def test_json_that_a_strict_parser_reads(cli, stocked):
    answer = cli("sql", AWKWARD, "--format", "json", lake=stocked.root).stdout

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    rows = json.loads(answer, parse_constant=refuse)
    assert rows[0] == {"n": 1, "words": "plain", "x": 0.5, "list": None}
    assert rows[2] == {"n": 4, "words": "two\nlines", "x": None, "list": ["é"]}
    assert json.loads(cli("sql", "SELECT 1 WHERE false", "--format", "json", lake=stocked.root).stdout) == []


def test_json_of_times_big_sums_structs_and_equal_names(cli, stocked):
    query = """SELECT TIMESTAMPTZ '2026-01-02 03:04:05+00' AS t, DATE '2026-01-02' AS d, sum(2)::HUGEINT AS s,
        {'a': 1} AS st, 'ab'::BLOB AS b, true AS b, 0.25::DECIMAL(4,2) AS q"""
    (row,) = json.loads(cli("sql", query, "--format", "json", lake=stocked.root).stdout)
    assert row == {
        "t": "2026-01-02T03:04:05+00:00", "d": "2026-01-02", "s": 2, "st": {"a": 1}, "b": "6162", "b_2": True, "q": 0.25
    }  # fmt: skip


def test_parquet_to_a_file_and_through_a_pipe(cli, stocked, tmp_path):
    out = tmp_path / "answer.parquet"
    result = cli("sql", "SELECT asset_id FROM assets", "--format", "parquet", "--out", out, lake=stocked.root)
    assert result.exit_code == 0 and result.stdout == ""
    assert pq.read_table(out).num_rows == 2 and list(tmp_path.iterdir()) == [out]
    piped = cli("sql", "SELECT asset_id FROM assets", "--format", "parquet", lake=stocked.root)
    assert pq.read_table(io.BytesIO(piped.stdout_bytes)).num_rows == 2


def test_parquet_is_not_thrown_at_a_terminal(cli, stocked, monkeypatch):
    import sonolake.cli.sql as module

    class Terminal:
        def isatty(self):
            return True

    monkeypatch.setattr(module, "sys", type("sys", (), {"stdout": Terminal()}))
    result = cli("sql", "SELECT 1", "--format", "parquet", lake=stocked.root)
    assert result.exit_code == 1 and "garble the terminal" in result.stderr


def test_an_earlier_snapshot(cli, stocked):
    query = ("sql", "SELECT count(*) AS n FROM assets", "--format", "csv", "--at")
    assert cli(*query, "1", lake=stocked.root).stdout == "n\n0\n"
    assert cli(*query, stocked.snapshot, lake=stocked.root).stdout == "n\n2\n"
    missing = cli(*query, "999", lake=stocked.root)
    assert missing.exit_code == 1 and "no snapshot 999" in missing.stderr


@pytest.mark.parametrize(
    "query",
    ["DELETE FROM assets", "INSERT INTO assets (asset_id) VALUES ('x')", "DROP TABLE assets", "CREATE TABLE x (a INT)",
     "SELECT 1; DELETE FROM assets", "COPY assets TO 'x.csv'", "ATTACH 'x.db'", "SELEC", "SELECT nothing FROM assets",
     "SELECT * FROM no_such_table", "FROM ducklake_expire_snapshots('lake', older_than => now())"],
)  # fmt: skip
def test_nothing_can_be_written_and_errors_are_one_line(cli, stocked, query, tmp_path):
    result = cli("sql", query, lake=stocked.root)
    assert result.exit_code == 1 and result.stdout == ""
    assert result.stderr.startswith("sonolake: ") and result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    assert (
        cli("sql", "SELECT count(*) AS n FROM assets", "--format", "csv", lake=stocked.root).stdout
        == "n\n2\n"
    )


def test_a_query_in_another_encoding_is_refused(cli, stocked):
    """The command line hands on bytes that are no UTF-8 as lone surrogates."""
    result = cli("sql", b"SELECT 'caf\xe9' AS a".decode("utf-8", "surrogateescape"), lake=stocked.root)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("sonolake: query: expected text in UTF-8")
    assert result.stderr.count("\n") == 1


def test_control_characters_in_data_stay(cli, stocked):
    result = cli("sql", r"SELECT E'\x1b[31mred' AS a", "--format", "csv", lake=stocked.root)
    assert result.stdout == "a\n\x1b[31mred\n"
    assert "·[31mred" in cli("sql", r"SELECT E'\x1b[31mred' AS a", lake=stocked.root).stdout


def test_a_query_from_standard_input(cli, stocked):
    result = cli("sql", "-", "--format", "csv", lake=stocked.root, input="SELECT 7 AS n\n")
    assert result.stdout == "n\n7\n"


def test_a_form_that_is_none(cli, stocked):
    result = cli("sql", "SELECT 1", "--format", "xml", lake=stocked.root)
    assert result.exit_code == 2 and "table" in result.stderr and "parquet" in result.stderr


FAR = """SELECT DATE '10000-01-01' AS d, TIMESTAMP '-infinity' AS t, TIMESTAMPTZ '12345-01-01 00:00:00+00' AS z,
    TIMESTAMP_NS '2026-01-02 03:04:05.123456789' AS ns, INTERVAL '3 months 2 days' AS i, {'a': DATE '20000-02-01'} AS s,
    1::UNION(n INT, w VARCHAR) AS u, '12345678901234567890123'::BIGNUM AS big, NULL::INTERVAL AS nothing"""


def test_times_and_types_that_python_does_not_have(cli, stocked):
    (row,) = json.loads(cli("sql", FAR, "--format", "json", lake=stocked.root).stdout)
    assert row == {
        "d": "10000-01-01", "t": "-infinity", "z": "12345-01-01 00:00:00+00", "ns": "2026-01-02 03:04:05.123456789",
        "i": "3 months 2 days", "s": {"a": "20000-02-01"}, "u": 1, "big": 12345678901234567890123, "nothing": None
    }  # fmt: skip
    assert (
        cli("sql", FAR, "--format", "csv", lake=stocked.root)
        .stdout.splitlines()[1]
        .startswith("10000-01-01,-infinity,")
    )
    assert "3 months 2 days" in cli("sql", FAR, lake=stocked.root).stdout


def test_what_parquet_cannot_hold_is_said(cli, stocked):
    result = cli("sql", "SELECT INTERVAL 1 DAY AS i", "--format", "parquet", lake=stocked.root)
    assert result.exit_code == 1 and result.stderr.count("\n") == 1 and "i::VARCHAR" in result.stderr


def test_a_file_that_cannot_be_written_is_said_and_nothing_is_left(cli, stocked, tmp_path):
    for out, said in ((tmp_path / "no" / "x.csv", "No such file or directory"), (tmp_path, "Is a directory")):
        result = cli("sql", "SELECT 1 AS n", "--out", out, lake=stocked.root)
        assert result.exit_code == 1 and result.stderr.count("\n") == 1 and said in result.stderr
    assert list(tmp_path.iterdir()) == [] and not tmp_path.with_name(f"{tmp_path.name}.part").exists()


def test_a_device_is_written_to_not_replaced(cli, stocked):
    result = cli("sql", "SELECT 1 AS n", "--out", "/dev/full", lake=stocked.root)
    assert result.exit_code == 1 and "No space left on device" in result.stderr
    assert Path("/dev/full").is_char_device()
