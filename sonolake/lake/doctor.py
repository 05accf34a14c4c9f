"""Is everything in place to work with a lake, and is the lake well?"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sonolake.errors import Damaged, Refused, SonolakeError
from sonolake.lake.openlineage import sending
from sonolake.lake.openlineage.keeping import Kept
from sonolake.lake.proving import require_conserved
from sonolake.lake.storage import LocalStorage

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

Verdict = Literal["ok", "missing", "fails"]

LEAST_FREE_BYTES = 200_000_000
"""With less room than this on the lake's disk, batches will soon fail."""
SAMPLE = 16
"""Media that are read and hashed."""
SPACE = "vectors:"
"""How the lineage names a vector space, being a child of its model."""
SKEW = timedelta(minutes=5)
"""How far ahead of this clock the newest snapshot may be."""


@dataclass(frozen=True)
class Check:
    """One check; ``missing`` is something optional that is not there, ``fails`` something needed."""

    check: str
    verdict: Verdict
    detail: str


def examine(lake: Path | str | None = None) -> list[Check]:
    """Check the installation and, when ``lake`` is given, the lake; what goes wrong is a verdict, never an error."""
    checks = [_run("python", _python), _run("extensions", _extensions), *_models()]
    return checks + (_lake_checks(lake) if lake is not None else [])


def _run(name: str, work: Callable[[], str]) -> Check:
    """``work`` says in a sentence what is well, and raises when it is not."""
    try:
        return Check(name, "ok", work())
    except (SonolakeError, OSError, ImportError) as error:
        return Check(name, "fails", " ".join(str(error).split()))


def _python() -> str:
    there = [p for p in ("sonolake", "duckdb", "pyarrow", "lancedb") if importlib.util.find_spec(p)]
    versions = [f"{p} {importlib.metadata.version(p)}" for p in there]
    return ", ".join([f"Python {sys.version.split()[0]}", *versions])


def _extensions() -> str:
    from sonolake.lake import catalog

    catalog.connect().close()
    return f"{', '.join(catalog.EXTENSIONS)} load from the installed packages"


def _models() -> Iterator[Check]:
    from sonolake.models.registry import installed

    for row in installed(hashes=False):
        if row.installed:
            yield Check(f"model {row.spec}", "ok", f"{row.role}: {row.package} {row.version}, {row.licence}")
        else:
            yield Check(f"model {row.spec}", "missing", f"{row.role}: {row.install}")


def _lake_checks(place: Path | str) -> list[Check]:
    from sonolake.lake.lake import Lake

    try:
        with Lake.open(place, read_only=True) as lake:
            opened = Check("lake", "ok", f"{lake.place} ({lake.lake_id})")
            local = isinstance(lake.storage, LocalStorage)
            checks = [*_OF_A_LAKE.items(), ("disk", _disk) if local else ("storage", _bucket)]
            return [opened, *(_run(name, partial(check, lake)) for name, check in checks)]
    except SonolakeError as error:
        return [Check("lake", "fails", " ".join(str(error).split()))]


def _catalog(lake: Lake) -> str:
    rows = lake.rows("SELECT count(*) AS n, max(snapshot_time) AS newest FROM ducklake_snapshots('lake')")
    return f"{rows[0]['n']:,} snapshots, the newest of {rows[0]['newest']:%Y-%m-%d %H:%M:%S} UTC"


def _clock(lake: Lake) -> str:
    newest = lake.rows("SELECT max(snapshot_time) AS t FROM ducklake_snapshots('lake')")[0]["t"]
    ahead = newest - datetime.now(UTC)
    if ahead > SKEW:
        raise SonolakeError(f"the newest snapshot is {ahead} ahead of this machine's clock: set the clock")
    return "not behind the newest snapshot"


def _tables(lake: Lake) -> str:
    """Read every value of every table: a count alone comes from the catalog and hides a file that is gone."""
    names = dict.fromkeys(lake.columns()["table_name"].to_pylist())
    rows = sum(int(lake.rows(f'SELECT count(hash(t)) AS n FROM "{name}" t')[0]["n"]) for name in names)
    return f"{rows:,} rows of {len(names)} tables read"


def _media(lake: Lake) -> str:
    rows = lake.rows("SELECT asset_id FROM assets ORDER BY hash(asset_id) LIMIT ?", [SAMPLE])
    for row in rows:
        lake.media.read(row["asset_id"])
    return f"{len(rows)} of the assets read, their bytes are what their names say"


def _vectors(lake: Lake) -> str:
    """The lineage names every space that was written: one that is gone leaves no other trace."""
    rows = lake.rows("SELECT DISTINCT child FROM lineage WHERE starts_with(child, ?) ORDER BY child", [SPACE])
    written = [row["child"].removeprefix(SPACE) for row in rows]
    there = lake.vectors.spaces()
    if lost := [space for space in written if space not in there]:
        raise Damaged(
            f"the vectors of {', '.join(lost)} were made and are not there any more: "
            "python -m flows embed makes them again"
        )
    return f"{', '.join(f'{space} {lake.vectors.count(space):,}' for space in there) or 'none yet'}"


def _runs_told(lake: Lake) -> str:
    """Whose OpenLineage events have no end: at work, or killed and told as aborted by the next run."""
    waiting = len(Kept(lake.storage).open_runs())
    url = os.environ.get(sending.URL, "")
    return f"{waiting} runs without an end; events are kept in the lake{f' and sent to {url}' if url else ''}"


def _disk(lake: Lake) -> str:
    free = shutil.disk_usage(lake.root).free
    if free < LEAST_FREE_BYTES:
        raise SonolakeError(
            f"{free / 1e6:,.0f} MB free on the lake's disk, wanted are {LEAST_FREE_BYTES / 1e6:,.0f}"
        )
    return f"{free / 1e9:,.1f} GB free"


def _bucket(lake: Lake) -> str:
    """Vectors and the making of a lake rest on conditional puts, which some servers only seem to know."""
    probe = f".doctor-{uuid.uuid4()}"
    try:
        lake.storage.write(probe, b"first", new=True)
    except Refused as refusal:
        return f"read; not written to with these credentials ({refusal})"
    try:
        again = lake.storage.write(probe, b"second", new=True)
        written = lake.storage.stat(probe)
        if again or lake.storage.read(probe) != b"first" or written is None:
            raise SonolakeError(
                "a second put with If-None-Match: * was not refused, by which writers would lose each other's vectors: "
                "use a server that keeps conditional puts"
            )
    finally:
        lake.storage.delete(probe)
    ahead = datetime.now(UTC).timestamp() - written.modified
    if abs(ahead) > SKEW.total_seconds():
        raise SonolakeError(f"this machine's clock is {ahead:.0f} s ahead of the bucket's: set the clock")
    return "a second put with If-None-Match: * is refused, and the clocks agree"


_OF_A_LAKE: dict[str, Callable[[Lake], str]] = {
    "catalog": _catalog,
    "clock": _clock,
    "tables": _tables,
    "history": require_conserved,
    "media": _media,
    "openlineage": _runs_told,
    "vectors": _vectors,
}
