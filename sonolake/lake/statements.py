"""Which SQL a reader may run, and what its errors mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sonolake.errors import Damaged, InvalidInput, SonolakeError

if TYPE_CHECKING:
    import duckdb

_READING = ("SELECT", "EXPLAIN")
"""Kinds of statement that only read; FROM, WITH, VALUES, DESCRIBE, SHOW and SUMMARIZE are parsed to SELECT."""

_READERS = """
read_blob read_csv read_csv_auto read_duckdb read_json read_json_auto read_json_objects read_json_objects_auto
read_ndjson read_ndjson_auto read_ndjson_objects read_parquet read_text parquet_bloom_probe
parquet_file_metadata parquet_full_metadata parquet_kv_metadata parquet_metadata parquet_scan parquet_schema
sniff_csv sqlite_scan glob
ducklake_current_snapshot ducklake_last_committed_snapshot ducklake_list_files ducklake_options ducklake_settings
ducklake_snapshots ducklake_table_changes ducklake_table_deletions ducklake_table_info ducklake_table_insertions
duckdb_columns duckdb_constraints duckdb_databases duckdb_dependencies duckdb_extensions duckdb_functions
duckdb_indexes duckdb_keywords duckdb_memory duckdb_optimizers duckdb_schemas duckdb_sequences duckdb_settings
duckdb_tables duckdb_types duckdb_variables duckdb_views
pragma_collations pragma_database_size pragma_metadata_info pragma_platform pragma_show pragma_storage_info
pragma_table_info pragma_user_agent pragma_version
generate_series range repeat repeat_row unnest json_each json_tree histogram histogram_values summary
icu_calendar_names pg_timezone_names test_all_types test_vector_types
"""
READERS = frozenset(_READERS.split())
"""Table functions that only read; DuckLake's may go by their short names, such as ``lake.snapshots()``."""
_SHORT = frozenset(name.removeprefix("ducklake_") for name in READERS if name.startswith("ducklake_"))
_WORD = re.compile(rb'"?([A-Za-z_]\w*)')


def require_reading(con: duckdb.DuckDBPyConnection, query: str) -> None:
    """Let one statement that only reads pass.

    Raises:
        InvalidInput: for a syntax error, no statement or several, or one that would write or change settings.
    """
    import duckdb

    if not query.isascii() and query.encode("utf-8", "replace").decode("utf-8") != query:
        raise InvalidInput("query", "text in UTF-8", query, "bytes of another encoding on the command line")
    try:
        statements = con.extract_statements(query)
    except duckdb.Error as error:
        raise explained(error) from None
    kinds = [s.type.name for s in statements if not _opens_pivot(s)]
    if len(kinds) != 1:
        raise InvalidInput("query", "one SQL statement", f"{len(kinds)} statements")
    if kinds[0] not in _READING or (kinds[0] == "EXPLAIN" and "analyze" in query.lower()):
        raise InvalidInput("query", "a statement that only reads, such as SELECT", kinds[0])
    if writers := sorted(_calls(con, query) - READERS - _SHORT):
        cause = "it could write, or run a text that does"
        raise InvalidInput("query", "table functions that only read", ", ".join(writers), cause)


def _calls(con: duckdb.DuckDBPyConnection, query: str) -> set[str]:
    """Names of the table functions that ``query`` calls, wherever they stand in it."""
    with con.cursor() as apart:  # of no lake, whose catalog would be read for the name of a function
        (tree,) = apart.execute("SELECT json_serialize_sql(?)", [query]).fetchone() or ("{}",)
    parsed = json.loads(tree)
    return _named_calls(con, query) if parsed.get("error") else set(_table_functions(parsed))


def _table_functions(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if node.get("type") == "TABLE_FUNCTION":
            yield str(node["function"].get("function_name", "")).lower()
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from _table_functions(part)


def _named_calls(con: duckdb.DuckDBPyConnection, query: str) -> set[str]:
    """The same for what has no parse tree to look into (EXPLAIN, PIVOT): all calls by the name of a table function."""
    known = con.execute("SELECT function_name FROM duckdb_functions() WHERE function_type LIKE 'table%'")
    names = {name for (name,) in known.fetchall()}
    names |= {name.removeprefix("ducklake_") for name in names}
    return _called_words(query) & names


def _called_words(query: str) -> set[str]:
    """Words before an opening bracket; comments are no tokens."""
    import duckdb

    text = query.encode()
    starts = [start for start, _ in duckdb.tokenize(query)]
    calls = (start for start, after in pairwise(starts) if text[after : after + 1] == b"(")
    return {match[1].decode().lower() for start in calls if (match := _WORD.match(text, start))}


def _opens_pivot(statement: duckdb.Statement) -> bool:
    """PIVOT is parsed to a temporary type, which has no text of its own, and a SELECT."""
    return statement.type.name == "CREATE" and not statement.query.strip()


def explained(error: duckdb.Error) -> SonolakeError:
    """DuckDB's error as ours: files that cannot be read are damage, all else is a mistake in the query."""
    import duckdb

    message = str(error).split("\n\nLINE ")[0].replace("\n", " ").strip()
    if isinstance(error, duckdb.IOException | duckdb.InternalException | duckdb.FatalException):
        return Damaged(f"the lake cannot be read: {message}")
    return InvalidInput("query", "SQL that DuckDB can run on this lake", message)
