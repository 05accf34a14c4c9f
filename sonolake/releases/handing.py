"""What may be handed on to hubs and archives: a whole release, in force, and as it was published."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sonolake.errors import Refused
from sonolake.releases.disk import files_in, sha256_of
from sonolake.releases.finding import Found
from sonolake.releases.layout import PULL_LOCK, UNLISTED
from sonolake.releases.notice import notice_at
from sonolake.releases.origins import FolderOrigin
from sonolake.releases.pulling import pull
from sonolake.releases.tables import FileRow, read_manifest


def require_whole(found: Found) -> None:
    """Let a release pass that is in force; in a folder, also one without a difference from what was published.

    Raises:
        Refused: for any other; the message says the notice, or the first difference.
    """
    if (notice := notice_at(found.origin)) is not None:
        raise Refused(f"not pushed: {notice.told()}")
    if found.state != "published":
        raise Refused(f"{found.name} is {found.state}: it is not pushed")
    if not isinstance(found.origin, FolderOrigin):
        return
    if problems := found.verify():
        first = problems[0]
        more = f", and {len(problems) - 1:,} more" if len(problems) > 1 else ""
        raise Refused(
            f"{found.name} differs from what was published: {first.kind} {first.path}{more}; publish it again"
        )


@contextmanager
def whole_folder(found: Found) -> Iterator[Path]:
    """The release in a folder; one that lies elsewhere is pulled into a temporary one, every file checked.

    Raises:
        Refused: for what was pulled in part.
    """
    if isinstance(found.origin, FolderOrigin):
        folder = found.origin.folder
        if left_out := [f.path for f in found.offered.files if not (folder / f.path).is_file()]:
            raise Refused(f"{found.name} was pulled in part, it lacks {left_out[0]}: push a whole release")
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="sonolake-push-") as apart:
        pull(found.offered, Path(apart) / "release")
        yield Path(apart) / "release"


def files_of(folder: Path) -> list[FileRow]:
    """All files of a whole release: those of the manifest, and those that no manifest can list."""
    own = [
        FileRow(path, sha256_of(folder / path), (folder / path).stat().st_size)
        for path in files_in(folder)
        if path in UNLISTED and path != PULL_LOCK
    ]
    return sorted([*read_manifest(folder), *own])
