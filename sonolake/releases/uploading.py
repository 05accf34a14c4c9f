"""A release that was built on this machine into a store: file by file, the mark that it is whole last."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.releases.building import Built, require_same
from sonolake.releases.checking_remote import verify_remote
from sonolake.releases.disk import files_in
from sonolake.releases.layout import COMPLETE
from sonolake.releases.on_record import origin_in
from sonolake.releases.pace import Gate, Pace

if TYPE_CHECKING:
    from sonolake.lake.storage import Storage


def put_release(store: Storage, folder: Path, built: Built, recorded: str | None) -> Built:
    """Make ``store`` hold the release in ``folder``: what it lacks or has otherwise is written, what is more deleted.

    Whoever calls it holds the release's lock. A kill leaves a release without its mark, which the next call fills.

    Args:
        store: the release's own place.
        folder: the release, whole.
        built: what its build came to.
        recorded: SHA-256 of the version's manifest, where it is on record; otherwise the mark in ``store`` tells.

    Raises:
        Refused: when the version is there with other content.
    """
    sizes = {entry.path: entry.size for entry in store.entries()}
    mark = store.read(COMPLETE).decode(errors="replace").strip() if COMPLETE in sizes else None
    require_same({known for known in (recorded or mark,) if known}, built.manifest_sha256, store.uri)
    wanted = files_in(folder)
    wrong = set(wanted)
    if mark == built.manifest_sha256:
        problems = verify_remote(origin_in(store), sizes, built.manifest_sha256)
        if not problems:
            return replace(built, outcome="unchanged")
        wrong = (
            {p.path for p in problems} if all(p.kind in ("missing", "changed") for p in problems) else wrong
        )
    store.delete(COMPLETE)
    _upload(store, folder, sorted((wrong & set(wanted)) - {COMPLETE}))
    for path in sorted(set(sizes) - set(wanted)):
        store.delete(path)
    _upload(store, folder, [COMPLETE])
    return replace(built, outcome="repaired" if sizes else "published")


def _upload(store: Storage, folder: Path, paths: list[str]) -> None:
    def put(path: str, gate: Gate) -> None:
        gate.take(0)
        with store.staging(path) as part:
            try:
                os.link(folder / path, part)
            except OSError:
                shutil.copyfile(folder / path, part)

    Pace().each(put, paths)
