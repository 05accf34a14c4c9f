"""One file of a release into its place: appended to what is there of it, checked, flushed, renamed."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from sonolake.errors import Damaged, NotFound, Refused
from sonolake.releases.disk import BLOCK
from sonolake.releases.layout import PART_SUFFIX
from sonolake.releases.origins import Origin
from sonolake.releases.pace import Gate
from sonolake.releases.tables import FileRow


def fetch(origin: Origin, dest: Path, file: FileRow, gate: Gate) -> None:
    """Make ``dest`` hold ``file`` of ``origin``; an interrupted one goes on where it stopped.

    Raises:
        Damaged: when the origin has other bytes than the manifest says, or none.
        Refused: when the place is a folder, or behind a link that leaves ``dest``.
    """
    target = place_for(dest, file)
    part = target.with_name(target.name + PART_SUFFIX)
    if part.is_symlink() or (part.exists() and part.stat().st_size > file.bytes):
        part.unlink()
    began_with = part.exists()
    if _append(origin, part, file, gate) != file.sha256:
        part.unlink()
        if not began_with or _append(origin, part, file, gate) != file.sha256:
            part.unlink(missing_ok=True)
            raise Damaged(
                f"{origin.name}/{file.path} is not what its manifest says: publish it again, or pull elsewhere"
            )
    part.replace(target)


def place_for(dest: Path, file: FileRow) -> Path:
    """Where ``file`` goes; its folder is made.

    Raises:
        Refused: when the place is a folder, or behind a link that leaves ``dest``.
    """
    target = dest / file.path
    if not target.parent.resolve().is_relative_to(dest.resolve()) or target.is_dir():
        raise Refused(f"{target} is a folder, or lies behind a link that leaves {dest}")
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _append(origin: Origin, part: Path, file: FileRow, gate: Gate) -> str:
    """Append to ``part`` what it lacks, at most the bytes the manifest allows; the SHA-256 of the whole."""
    digest = hashlib.sha256()
    with part.open("a+b") as output:
        output.seek(0)
        while block := output.read(BLOCK):
            digest.update(block)
        at = output.tell()
        try:
            for block in origin.stream(file.path, at, file.bytes) if at < file.bytes else ():
                gate.take(len(block))
                output.write(block)
                digest.update(block)
        except NotFound:
            raise Damaged(f"{origin.name}/{file.path} is in the manifest and not there") from None
        output.flush()
        os.fsync(output.fileno())
    return digest.hexdigest()
