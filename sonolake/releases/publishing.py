"""Publishing a release of a lake: built aside, proven, put into place whole, recorded in the catalog."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sonolake.errors import Refused
from sonolake.lake.declaring import Query
from sonolake.lake.lake import Lake
from sonolake.lake.run import Run
from sonolake.lake.step import Already, Batch, Counts, Done, Edge
from sonolake.lake.storage import LocalStorage
from sonolake.lake.transaction import Transaction
from sonolake.releases.building import Built, build
from sonolake.releases.disk import files_in
from sonolake.releases.earlier import Earlier
from sonolake.releases.offered import offered
from sonolake.releases.on_record import origin_of, path_of, recorded, require_release, version_before
from sonolake.releases.records import Content, LeftOut
from sonolake.releases.shards import Media
from sonolake.releases.uploading import put_release

if TYPE_CHECKING:
    from sonolake.lake.s3_storage import S3Storage

STEP = "publish"


@dataclass(frozen=True)
class Published:
    """A published release: its folder or address, what the build came to, the step's counts, the version before.

    ``left_out`` is what the lake has beside it.
    """

    place: str
    built: Built
    counts: Counts
    earlier: str | None = None
    left_out: tuple[LeftOut, ...] = ()

    def told(self) -> str:
        """What was stored, and what else became of what lay there, in a line."""
        size, reused = self.built.bytes, self.built.reused_bytes
        if self.built.outcome == "repaired":
            return f"{self.place}: was not whole as published, and was made anew; what else lay in it is gone"
        if self.built.outcome == "unchanged":
            return f"{self.place}: as it was, {size:,} bytes"
        since = "" if self.earlier is None else f", {reused:,} bytes from {self.earlier}"
        return f"{self.place}: stored {size - reused:,} bytes new{since}"


def publish(
    run: Run,
    content: Content,
    snapshot: int,
    withdrawn: Collection[str] = (),
    media: Media | None = None,
) -> Published:
    """Publish ``content``, read from ``snapshot`` of the run's lake; a version that is there unchanged is ``already``.

    A kill leaves either nothing that says it is whole, or a whole release that the next call finds unchanged and
    records. What was damaged since is made anew from the same content. Shards that the version before has are not
    stored again.

    Args:
        run: in whose name.
        content: what to publish.
        snapshot: of the lake, that it was read at.
        withdrawn: ids of items whose change asks for no higher version: those that were taken down.
        media: gives bytes by SHA-256; the lake's media when left out.

    Raises:
        Refused: when the version was retracted or published with other content, holds what was taken down, is lower
            than its difference to the version before asks, or a proof of policy *must* fails.
        NotFound, Damaged: when the version before cannot be read.
    """
    lake = run.lake
    with lake.lock_of(f"releases/{content.name}"):
        known = recorded(lake, content.name, content.version)
        if known is not None and known.state == "retracted":
            raise Refused(f"{content.name} {content.version} was retracted: publish the next version")
        require_none_taken_down(lake.sql, content)
        before = version_before(lake, content.name, content.version)
        earlier = None if before is None else _earlier(lake, content.name, before, withdrawn)
        built = _put(
            lake,
            content,
            media or lake.media.unchecked,
            None if known is None else known.manifest_sha256,
            earlier,
        )
        repaired = known is not None and built.outcome != "unchanged"
        counts = _count_repair(run, content, built) if repaired else _record(run, content, built, snapshot)
    place = origin_of(lake, content.name, content.version).name
    return Published(place, built, counts, before, content.left_out)


def require_none_taken_down(query: Query, content: Content) -> None:
    """Let content pass that holds nothing that was taken down.

    Raises:
        Refused: naming what to take down again, since something was made of it meanwhile.
    """
    rows = query("SELECT thing, reason FROM tombstones WHERE kind IN ('sound', 'made')").to_pylist()
    reasons = {row["thing"]: row["reason"] for row in rows}
    ends = {*content.lineage["parent"].to_pylist(), *content.lineage["child"].to_pylist()}
    if found := sorted(ends & set(reasons)):
        raise Refused(
            f"{content.name} {content.version} would hold {found[0]}, which was taken down ({reasons[found[0]]}): "
            "run the same `sonolake takedown` again, which takes out what was made of it since"
        )


def _earlier(lake: Lake, name: str, version: str, withdrawn: Collection[str]) -> Earlier:
    """The version before; one that is followed by itself without what was taken down still has all its files."""
    known = require_release(lake, name, version)
    release = offered(origin_of(lake, name, version), known.manifest_sha256)
    return Earlier(replace(release, notice=None) if withdrawn else release, frozenset(withdrawn))


def _put(lake: Lake, content: Content, media: Media, published: str | None, earlier: Earlier | None) -> Built:
    """Build the release, in its folder, or aside and from there into the store that the lake lies in."""
    path = path_of(content.name, content.version)
    if isinstance(lake.storage, LocalStorage):
        (lake.releases_root / path).parent.mkdir(parents=True, exist_ok=True)
        return build(content, media, lake.releases_root / path, published, earlier)
    room = lake.storage.room("releases")
    with tempfile.TemporaryDirectory(prefix="sonolake-release-") as apart:
        built = build(content, media, Path(apart) / path, published, earlier)
        before = None
        if earlier is not None:
            before = (earlier, cast("S3Storage", room.room(path_of(content.name, earlier.identity.version))))
        there, folder = cast("S3Storage", room.room(path)), Path(apart) / path
        return put_release(there, folder, files_in(folder), built, published, before)


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
        "profile": content.profile,
        "queries": json.dumps(dict(content.queries)) if content.queries else None,
    }
    edge = Edge(f"release:{item}", f"snapshot:{snapshot}", "snapshot")
    batch = Batch(STEP, "release")
    batch.put(item, Done({"releases": [row]}, (edge,), made=built.files))

    def settle(tx: Transaction, batch: Batch) -> None:
        require_none_taken_down(tx.sql, content)
        query = "SELECT count(*) AS n FROM releases WHERE name = ? AND version = ?"
        if tx.sql(query, [content.name, content.version])["n"][0].as_py():
            batch.change(item, Already())

    return run.commit(batch, settle)
