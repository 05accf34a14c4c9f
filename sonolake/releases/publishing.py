"""Publishing a release of a lake: built in a hidden folder, proven, renamed into place, recorded in the catalog."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import NotFound, Refused
from sonolake.lake.lake import LOCK_WAIT_S, Lake
from sonolake.lake.run import Run
from sonolake.lake.step import Already, Batch, Counts, Done, Edge
from sonolake.lake.transaction import Transaction
from sonolake.releases.building import Built, build
from sonolake.releases.records import Content

STEP = "publish"


@dataclass(frozen=True)
class Published:
    """A published release: its folder, what the build came to, and the counts of the step."""

    folder: Path
    built: Built
    counts: Counts


def release_folder(lake: Lake, name: str, version: str) -> Path:
    """Where release ``name`` ``version`` of ``lake`` lies.

    Raises:
        NotFound: when there is no whole release of that name and version; the message lists what there is.
    """
    folder = lake.releases_root / name / version
    if not (folder / "_COMPLETE").is_file():
        there = ", ".join(f"{p.parent.parent.name}@{p.parent.name}" for p in _complete(lake)) or "none"
        raise NotFound(f"no release {name}@{version} in {lake.root}; there is: {there}")
    return folder


def publish(run: Run, content: Content, snapshot: int) -> Published:
    """Publish ``content``, read from ``snapshot`` of the run's lake; a version that is there unchanged is ``already``.

    A kill leaves either nothing visible, or a whole folder that the next call finds unchanged and records.

    Raises:
        Refused: when the version is there with other content, or a proof of policy *must* fails.
    """
    from filelock import FileLock

    lake = run.lake
    folder = lake.releases_root / content.name / content.version
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.parent / ".lock", timeout=LOCK_WAIT_S):
        recorded = _recorded_hash(lake, content)
        built = build(content, lake.media.read, folder)
        if recorded is not None and recorded != built.manifest_sha256:
            if built.outcome == "published":
                shutil.rmtree(folder)
            raise Refused(
                f"{content.name} {content.version} was published with other content (manifest {recorded}, now "
                f"{built.manifest_sha256}): a version never changes, publish the next one"
            )
        return Published(folder, built, _record(run, content, built, snapshot))


def _recorded_hash(lake: Lake, content: Content) -> str | None:
    """The manifest's hash in the catalog, None when the version was never recorded."""
    rows = lake.rows(
        "SELECT manifest_sha256 FROM releases WHERE name = ? AND version = ?", [content.name, content.version]
    )
    return str(rows[0]["manifest_sha256"]) if rows else None


def _record(run: Run, content: Content, built: Built, snapshot: int) -> Counts:
    item = f"{content.name}@{content.version}"
    row = {
        "name": content.name,
        "version": content.version,
        "snapshot": snapshot,
        "manifest_sha256": built.manifest_sha256,
        "state": "published",
    }
    edge = Edge(f"release:{item}", f"snapshot:{snapshot}", "snapshot")
    batch = Batch(STEP, "release")
    batch.put(item, Done({"releases": [row]}, (edge,), made=built.files))

    def settle(tx: Transaction, batch: Batch) -> None:
        query = "SELECT count(*) AS n FROM releases WHERE name = ? AND version = ?"
        if tx.sql(query, [content.name, content.version])["n"][0].as_py():
            batch.change(item, Already())

    return run.commit(batch, settle)


def _complete(lake: Lake) -> list[Path]:
    return sorted(lake.releases_root.glob("[!.]*/[!.]*/_COMPLETE"))
