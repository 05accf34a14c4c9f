"""DuckDB with the DuckLake extension, loaded from the installed wheels: nothing is downloaded at run time."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.errors import Damaged, InvalidInput, MissingPackage, NotFound
from sonolake.s3 import is_s3
from sonolake.threads import thread_limit

if TYPE_CHECKING:
    import duckdb

EXTENSIONS = ("sqlite_scanner", "ducklake")


def extension_path(name: str) -> Path:
    """Where the wheel ``duckdb-extension-<name>`` put the extension for the running DuckDB.

    Raises:
        MissingPackage: when the wheel is not installed, or is for another version of DuckDB.
    """
    import duckdb

    spec = importlib.util.find_spec(f"duckdb_extension_{name}")
    install = f"pip install duckdb-extension-{name.replace('_', '-')}=={duckdb.__version__}"
    if spec is None or not spec.submodule_search_locations:
        raise MissingPackage(f"duckdb-extension-{name.replace('_', '-')}", "the catalog", install)
    folder = Path(next(iter(spec.submodule_search_locations))) / "extensions" / f"v{duckdb.__version__}"
    found = sorted(folder.glob("*.duckdb_extension"))
    if not found:
        raise MissingPackage(
            f"duckdb-extension-{name.replace('_', '-')}", f"DuckDB {duckdb.__version__}", install
        )
    return found[0]


def quoted(text: str) -> str:
    """``text`` as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


_verified: set[Path] = set()
"""Extensions whose signature this process has checked; the check hashes the file, a fifth of a second for both."""


def among(values: Iterable[str]) -> str:
    """``values`` as the right side of an SQL ``IN``: as JSON, which DuckDB parses in half the time of a list."""
    return f"(SELECT unnest(from_json({quoted(json.dumps(list(values)))}, '[\"VARCHAR\"]')))"


def connect(*more: str) -> duckdb.DuckDBPyConnection:
    """An in-memory DuckDB with the lake's extensions and ``more``; their signatures are checked once a process.

    Raises:
        MissingPackage: when an extension's wheel is not installed.
    """
    import duckdb

    paths = [extension_path(name) for name in (*EXTENSIONS[:-1], *more, *EXTENSIONS[-1:])]
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_unsigned_extensions": _verified.issuperset(paths),
    }
    if (threads := thread_limit()) is not None:
        config["threads"] = threads
    con = duckdb.connect(config=config)
    for path in paths:
        con.execute(f"LOAD {quoted(str(path))}")
    _verified.update(paths)
    con.execute("SET TimeZone = 'UTC'")
    return con


def attach(
    con: duckdb.DuckDBPyConnection,
    catalog: str,
    tables: str,
    options: Sequence[str] = (),
    *,
    name: str = "",
    read_only: bool = False,
    snapshot: int | None = None,
) -> None:
    """Attach the lake of ``catalog``, such as ``ducklake:sqlite:…``, as ``lake`` and make it the default database.

    The path of the ``tables``, with a slash at its end, is given at every attach, as it is now: DuckLake stores an
    absolute one, which a moved lake would otherwise follow to where it was.

    Raises:
        NotFound: when there is no such snapshot.
        Damaged: when the catalog cannot be read, or is none.
    """
    import duckdb

    options = [
        f"DATA_PATH {quoted(tables)}",
        "OVERRIDE_DATA_PATH true",
        "DATA_INLINING_ROW_LIMIT 0",
        *options,
    ]
    if read_only or snapshot is not None:
        options.append("READ_ONLY")
    if snapshot is not None:
        if not 0 <= snapshot < 2**63:
            raise InvalidInput("snapshot", "a number of `FROM lake.snapshots()`", snapshot)
        options.append(f"SNAPSHOT_VERSION {snapshot}")
    try:
        con.execute(f"ATTACH {quoted(catalog)} AS lake ({', '.join(options)})")
        con.execute("USE lake")
    except duckdb.Error as error:
        place, said = name or catalog, str(error).replace(catalog, name or catalog)
        if snapshot is not None and "snapshot" in said.lower():
            raise NotFound(f"no snapshot {snapshot} in {place}: {said}") from None
        if "creating a new DuckLake is explicitly disabled" in said:
            raise Damaged(
                f"{place} is empty or another program's, while the lake is there: run `sonolake restore`"
            ) from None
        raise Damaged(
            f"{place} cannot be read: {said}\n"
            "Where it is damaged, `sonolake restore` puts back the copy of the last commit."
        ) from None


def schema_of(lake_id: str) -> str:
    """The schema in PostgreSQL of the catalog of a lake."""
    return "lake_" + re.sub(r"\W", "_", lake_id.lower())


def plain_postgres_lines(address: str, lake_id: str, tables: str) -> tuple[str, str]:
    """The same for a catalog in PostgreSQL; tables in S3 also want a secret."""
    options = f"READ_ONLY, METADATA_SCHEMA {quoted(schema_of(lake_id))}, DATA_PATH {quoted(tables)}, OVERRIDE_DATA_PATH"
    return (
        "INSTALL ducklake; INSTALL postgres;" + (" INSTALL httpfs;" if is_s3(tables) else ""),
        f"ATTACH {quoted(f'ducklake:postgres:{address}')} AS lake ({options});",
    )


def plain_lines(lake: Path, catalog: str = "catalog.sqlite") -> tuple[str, str]:
    """The two lines with which any DuckDB attaches the lake in folder ``lake``, to read; the first is needed once."""
    place = quoted(f"ducklake:sqlite:{lake / catalog}")
    tables = quoted(f"{lake / 'tables'}/")
    return (
        "INSTALL ducklake; INSTALL sqlite;",
        f"ATTACH {place} AS lake (READ_ONLY, DATA_PATH {tables}, OVERRIDE_DATA_PATH);",
    )
