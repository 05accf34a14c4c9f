"""Publishing a release of a lake: built in a hidden folder, proven, renamed into place, recorded in the catalog."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sonolake.lake.run import Run
from sonolake.lake.step import Already, Batch, Counts, Done, Edge
from sonolake.lake.transaction import Transaction
from sonolake.releases.building import Built, build
from sonolake.releases.on_record import folder_of, recorded
from sonolake.releases.records import Content

STEP = "publish"


@dataclass(frozen=True)
class Published:
    """A published release: its folder, what the build came to, and the counts of the step."""

    folder: Path
    built: Built
    counts: Counts


def publish(run: Run, content: Content, snapshot: int) -> Published:
    """Publish ``content``, read from ``snapshot`` of the run's lake; a version that is there unchanged is ``already``.

    A kill leaves either nothing visible, or a whole folder that the next call finds unchanged and records. A folder
    that was damaged since is made anew from the same content.

    Raises:
        Refused: when the version was published with other content, or a proof of policy *must* fails.
    """
    lake = run.lake
    folder = folder_of(lake, content.name, content.version)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with lake.lock_of(f"releases/{content.name}"):
        before = recorded(lake, content.name, content.version)
        published = None if before is None else before.manifest_sha256
        built = build(content, lake.media.read, folder, published)
        if before is not None and built.outcome != "unchanged":
            return Published(folder, built, _count_repair(run, content, built))
        return Published(folder, built, _record(run, content, built, snapshot))


def _count_repair(run: Run, content: Content, built: Built) -> Counts:
    batch = Batch(STEP, "release")
    batch.put(f"{content.name}@{content.version}", Done(made=built.files))
    return run.commit(batch)


def _record(run: Run, content: Content, built: Built, snapshot: int) -> Counts:
    item = f"{content.name}@{content.version}"
    row = {
        "name": content.name,
        "version": content.version,
        "snapshot": snapshot,
        "manifest_sha256": built.manifest_sha256,
        "state": "published",
        "date": content.date,
    }
    edge = Edge(f"release:{item}", f"snapshot:{snapshot}", "snapshot")
    batch = Batch(STEP, "release")
    batch.put(item, Done({"releases": [row]}, (edge,), made=built.files))

    def settle(tx: Transaction, batch: Batch) -> None:
        query = "SELECT count(*) AS n FROM releases WHERE name = ? AND version = ?"
        if tx.sql(query, [content.name, content.version])["n"][0].as_py():
            batch.change(item, Already())

    return run.commit(batch, settle)
