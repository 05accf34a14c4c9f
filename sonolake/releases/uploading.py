"""A release that was built on this machine into a store: file by file, the mark that it is whole last."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.releases.building import Built, require_same
from sonolake.releases.checking_remote import verify_remote
from sonolake.releases.earlier import Earlier
from sonolake.releases.layout import COMPLETE
from sonolake.releases.on_record import origin_in
from sonolake.releases.pace import Gate, Pace
from sonolake.releases.tables import read_manifest

if TYPE_CHECKING:
    from sonolake.lake.s3_storage import S3Storage

LARGEST_COPY = 5 * 1024**3
"""Bytes of an object that S3 copies in one request."""


def put_release(
    store: S3Storage,
    folder: Path,
    wanted: Collection[str],
    built: Built,
    recorded: str | None,
    before: tuple[Earlier, S3Storage] | None = None,
) -> Built:
    """Make ``store`` hold the release in ``folder``: what it lacks or has otherwise is written, what is more deleted.

    Whoever calls it holds the release's lock. A kill leaves a release without its mark, which the next call fills.

    Args:
        store: the release's own place.
        folder: the release, whole.
        wanted: its files, by their path there.
        built: what its build came to.
        recorded: SHA-256 of the version's manifest, where it is on record; otherwise the mark in ``store`` tells.
        before: the version before and its place, from which a new version gets the files that are equal.

    Raises:
        Refused: when the version is there with other content.
    """
    sizes = {entry.path: entry.size for entry in store.entries()}
    mark = store.read(COMPLETE).decode(errors="replace").strip() if COMPLETE in sizes else None
    require_same({known for known in (recorded or mark,) if known}, built.manifest_sha256, store.uri)
    wrong = set(wanted)
    if mark == built.manifest_sha256:
        problems = verify_remote(origin_in(store), sizes, built.manifest_sha256)
        if not problems:
            return replace(built, outcome="unchanged")
        wrong = (
            {p.path for p in problems} if all(p.kind in ("missing", "changed") for p in problems) else wrong
        )
    store.delete(COMPLETE)
    sources = {} if sizes or before is None else _sources(folder, *before)
    copy = None if before is None else before[1]
    reused = _upload(store, folder, sorted((wrong & set(wanted)) - {COMPLETE}), sources, copy)
    for path in sorted(set(sizes) - set(wanted)):
        store.delete(path)
    _upload(store, folder, [COMPLETE])
    return replace(built, outcome="repaired" if sizes else "published", reused_bytes=reused)


def _sources(folder: Path, earlier: Earlier, there: S3Storage) -> dict[str, str]:
    """By path, the file of the version before with the same bytes."""
    sizes = {entry.path: entry.size for entry in there.entries()}
    found = {file.path: (file, earlier.named(file)) for file in read_manifest(folder)}
    return {
        path: name
        for path, (file, name) in found.items()
        if name is not None and sizes.get(name) == file.bytes <= LARGEST_COPY
    }


def _upload(
    store: S3Storage,
    folder: Path,
    paths: list[str],
    sources: Mapping[str, str] | None = None,
    there: S3Storage | None = None,
) -> int:
    """Put files into the store; bytes of those that were copied from ``there`` instead, named by ``sources``."""
    reused: list[int] = []

    def put(path: str, gate: Gate) -> None:
        gate.take(0)
        if there is not None and sources is not None and path in sources:
            store.copy(there, sources[path], path)
            reused.append((folder / path).stat().st_size)
            return
        with store.staging(path) as part:
            try:
                os.link(folder / path, part)
            except OSError:
                shutil.copyfile(folder / path, part)

    Pace().each(put, paths)
    return sum(reused)
