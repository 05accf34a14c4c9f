"""Publishing a release of a lake: built aside, proven, put into place whole, recorded in the catalog."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from sonolake.lake.lake import Lake
from sonolake.lake.run import Run
from sonolake.lake.step import Already, Batch, Counts, Done, Edge
from sonolake.lake.storage import LocalStorage
from sonolake.lake.transaction import Transaction
from sonolake.releases.building import Built, build
from sonolake.releases.on_record import origin_of, path_of, recorded
from sonolake.releases.records import Content
from sonolake.releases.uploading import put_release

STEP = "publish"


@dataclass(frozen=True)
class Published:
    """A published release: its folder or address, what the build came to, and the counts of the step."""

    place: str
    built: Built
    counts: Counts


def publish(run: Run, content: Content, snapshot: int) -> Published:
    """Publish ``content``, read from ``snapshot`` of the run's lake; a version that is there unchanged is ``already``.

    A kill leaves either nothing that says it is whole, or a whole release that the next call finds unchanged and
    records. What was damaged since is made anew from the same content.

    Raises:
        Refused: when the version was published with other content, or a proof of policy *must* fails.
    """
    lake = run.lake
    with lake.lock_of(f"releases/{content.name}"):
        before = recorded(lake, content.name, content.version)
        built = _put(lake, content, None if before is None else before.manifest_sha256)
        repaired = before is not None and built.outcome != "unchanged"
        counts = _count_repair(run, content, built) if repaired else _record(run, content, built, snapshot)
    return Published(origin_of(lake, content.name, content.version).name, built, counts)


def _put(lake: Lake, content: Content, published: str | None) -> Built:
    """Build the release, in its folder, or aside and from there into the store that the lake lies in."""
    path = path_of(content.name, content.version)
    if isinstance(lake.storage, LocalStorage):
        (lake.releases_root / path).parent.mkdir(parents=True, exist_ok=True)
        return build(content, lake.media.read, lake.releases_root / path, published)
    with tempfile.TemporaryDirectory(prefix="sonolake-release-") as apart:
        built = build(content, lake.media.read, Path(apart) / path, published)
        return put_release(lake.storage.room("releases").room(path), Path(apart) / path, built, published)


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
