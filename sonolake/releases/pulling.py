"""A release, or some of its splits, into another folder: checked, atomic file by file, resumed, done once.

A file is written beside its place as ``NAME.part``, flushed, checked and renamed; an interrupted one goes on where
it stopped. ``_COMPLETE`` is written when all that was asked for is there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import Damaged, InvalidInput, NotFound, Refused
from sonolake.releases.checking import check_file, require_recorded
from sonolake.releases.checksums import manifest_hash
from sonolake.releases.destination import destination, require_destination
from sonolake.releases.disk import BLOCK, sync
from sonolake.releases.layout import CHECKSUMS, COMPLETE, MANIFEST, PART_SUFFIX, PULLED_PREFIX, pulled_splits
from sonolake.releases.tables import FileRow, read_manifest


@dataclass(frozen=True)
class PullResult:
    """Files and bytes that were fetched, files that were right already, and splits that were left out."""

    manifest_sha256: str
    fetched: int
    fetched_bytes: int
    already: int
    left_out: tuple[str, ...]


def pull(
    source: Path, dest: Path, splits: Iterable[str] | None = None, recorded: str | None = None
) -> PullResult:
    """Make ``dest`` hold the release in folder ``source``, all of it or (also) the given splits.

    Splits pulled before stay; pulling without ``splits`` completes the folder. Damaged files are fetched again.

    Args:
        source: the release's folder.
        dest: a new folder, or one that holds a part of it.
        splits: which splits; all when left out.
        recorded: SHA-256 of the manifest that was published, where it is on record, as in a lake.

    Raises:
        NotFound: when ``source`` is not a whole release or lacks what is asked for.
        InvalidInput: for a split that the release has not.
        Refused: when ``dest`` holds something else.
        Damaged: when ``source`` is not what is on record, or a file of it not what its manifest says.
    """
    if recorded is not None:
        require_recorded(source, recorded)
    sha256 = manifest_hash(source)
    files = read_manifest(source)
    require_destination(dest, sha256)
    with destination(dest):
        require_destination(dest, sha256)
        return _pull(source, dest, sha256, files, splits)


def _pull(
    source: Path, dest: Path, sha256: str, files: list[FileRow], splits: Iterable[str] | None
) -> PullResult:
    wanted = _wanted_splits(files, splits, dest)
    absent = wanted - set(pulled_splits(source) or wanted)
    if absent:
        raise NotFound(f"{source} was itself pulled without {sorted(absent)}")
    _start(source, dest, sha256, files, wanted)
    chosen = [f for f in files if f.split is None or f.split in wanted]
    fetched = [f for f in chosen if check_file(dest, f) is not None]
    if fetched:
        (dest / COMPLETE).unlink(missing_ok=True)
    for file in fetched:
        _fetch(source, dest, file)
    _finish(source, dest)
    left_out = tuple(sorted(_all_splits(files) - wanted))
    size = sum(f.bytes for f in fetched)
    return PullResult(sha256, len(fetched), size, len(chosen) - len(fetched), left_out)


def _all_splits(files: Iterable[FileRow]) -> set[str]:
    return {f.split for f in files if f.split is not None}


def _wanted_splits(files: list[FileRow], splits: Iterable[str] | None, dest: Path) -> set[str]:
    every = _all_splits(files)
    if splits is None:
        return every
    asked = set(splits)
    if not asked or not asked <= every:
        raise InvalidInput("splits", f"some of {sorted(every)}", sorted(asked))
    if not (dest / MANIFEST).is_file():
        return asked
    return asked | (set(pulled_splits(dest)) or every)


def _start(source: Path, dest: Path, sha256: str, files: list[FileRow], wanted: set[str]) -> None:
    """Say which release this is and which splits of it, before any data; not whole until it is again."""
    partial = wanted != _all_splits(files)
    for split in wanted if partial else ():
        (dest / f"{PULLED_PREFIX}{split}").touch()
    manifest = FileRow(MANIFEST, sha256, (source / MANIFEST).stat().st_size)
    if check_file(dest, manifest) is not None:
        _fetch(source, dest, manifest)
    if not partial:
        for split in pulled_splits(dest):
            (dest / f"{PULLED_PREFIX}{split}").unlink()


def _finish(source: Path, dest: Path) -> None:
    for name in (CHECKSUMS, COMPLETE):
        data = (source / name).read_bytes()
        if not (dest / name).is_file() or (dest / name).read_bytes() != data:
            _put(dest / name, data)
    sync(dest)


def _put(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + PART_SUFFIX)
    part.write_bytes(data)
    sync(part)
    part.replace(path)


def _fetch(source: Path, dest: Path, file: FileRow) -> None:
    target = dest / file.path
    _require_inside(target, dest)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + PART_SUFFIX)
    if part.is_symlink() or (part.exists() and part.stat().st_size > file.bytes):
        part.unlink()
    if _copy(source / file.path, part, file) != file.sha256:
        part.unlink()
        if _copy(source / file.path, part, file) != file.sha256:
            part.unlink()
            raise Damaged(
                f"{source / file.path} is not what its manifest says: publish it again, or pull elsewhere"
            )
    part.replace(target)


def _require_inside(target: Path, dest: Path) -> None:
    if not target.parent.resolve().is_relative_to(dest.resolve()) or target.is_dir():
        raise Refused(f"{target} is a folder, or lies behind a link that leaves {dest}")


def _copy(origin: Path, part: Path, file: FileRow) -> str:
    """Append to ``part`` what it lacks, at most the bytes the manifest allows; the SHA-256 of the whole."""
    if not origin.is_file():
        raise Damaged(f"{origin} is in the manifest and not on disk")
    digest = hashlib.sha256()
    with part.open("a+b") as output, origin.open("rb") as feed:
        output.seek(0)
        while block := output.read(BLOCK):
            digest.update(block)
        feed.seek(output.tell())
        left = file.bytes - output.tell()
        while left > 0 and (block := feed.read(min(BLOCK, left))):
            output.write(block)
            digest.update(block)
            left -= len(block)
        output.flush()
        os.fsync(output.fileno())
    return digest.hexdigest()
