"""Is a release folder what was published? Every difference is found and named, none is repaired here."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Damaged, InvalidInput, NotFound
from sonolake.releases.checksums import checksums_text, manifest_hash
from sonolake.releases.disk import files_in, sha256_of
from sonolake.releases.layout import (
    CHECKSUMS,
    ITEMS,
    MANIFEST,
    NOTICE,
    PULL_LOCK,
    PULLED_PREFIX,
    UNLISTED,
    pulled_splits,
)
from sonolake.releases.notice import Notice, notice_at
from sonolake.releases.origins import FolderOrigin
from sonolake.releases.ranged import open_shard
from sonolake.releases.tables import FileRow, read_items, read_manifest

Kind = Literal["incomplete", "manifest", "missing", "changed", "extra", "rows", "withheld"]


@dataclass(frozen=True)
class Problem:
    """One difference: its kind, the file it is in (relative) and a sentence."""

    kind: Kind
    path: str
    detail: str


def verify_release(folder: Path, recorded: str | None = None) -> list[Problem]:
    """All differences between ``folder`` and the release it says it is; none means that every byte is right.

    A folder that was pulled with some splits only is right when those are; :func:`not_pulled` says what it lacks. Of a
    version that was retracted every file that is withheld is a difference, ``withheld``, there or not.

    Args:
        folder: a release, or what was pulled of one.
        recorded: SHA-256 of the manifest that was published, where it is on record, as in a lake. Then the folder
            has to be that very release, and all of it: marks of a partial pull excuse nothing.
    """
    try:
        sha256 = manifest_hash(folder)
        if recorded is not None:
            require_manifest(str(folder), sha256, recorded)
        files = read_manifest(folder)
        notice = notice_at(FolderOrigin(folder))
    except NotFound as error:
        return [Problem("incomplete", MANIFEST, str(error))]
    except (Damaged, InvalidInput) as error:
        return [Problem("manifest", MANIFEST, str(error))]
    problems, files = withheld(notice, files, lambda path: os.path.lexists(folder / path))
    pulled = _pulled(folder, files) if recorded is None else set()
    expected = _expected(files, pulled)
    problems += [p for f in expected if (p := check_file(folder, f)) is not None]
    problems += _check_sums(folder, read_manifest(folder), sha256)
    problems += _check_extra(folder, expected, pulled, notice)
    damaged = [p for p in problems if p.kind != "withheld"]
    if not any(p.path.startswith("data/") or p.path == ITEMS for p in damaged):
        problems += _check_rows(folder, expected)
    return problems


def withheld(
    notice: Notice | None, files: list[FileRow], there: Callable[[str], bool]
) -> tuple[list[Problem], list[FileRow]]:
    """What ``notice`` withholds of ``files``, a difference each, and the files that are to be there."""
    if notice is None:
        return [], files
    why = " ".join(f"{one.what} was taken down: {one.reason}" for one in notice.withdrawn)
    gone = [file for file in files if file.path in notice.files]
    found = [
        Problem("withheld", file.path, f"still here, delete it; {why}" if there(file.path) else why)
        for file in gone
    ]
    return found, [file for file in files if file not in set(gone)]


def require_recorded(folder: Path, recorded: str) -> None:
    """Let ``folder`` pass when its manifest is the one on record and nothing marks it as a part.

    Raises:
        NotFound: when it is not a whole release.
        Damaged: when it is another one, or says that it is a part.
    """
    require_manifest(str(folder), manifest_hash(folder), recorded)
    if marks := pulled_splits(folder):
        raise Damaged(f"{folder} is marked as pulled in part ({', '.join(marks)}), which only a copy can be")


def require_manifest(where: str, sha256: str, recorded: str) -> None:
    """Let the manifest at ``where`` pass when it is the one on record.

    Raises:
        Damaged: when it is not.
    """
    if sha256 != recorded:
        raise Damaged(f"{where} holds manifest {sha256}, {recorded} was published: publish it again")


def not_pulled(folder: Path) -> list[FileRow]:
    """Files of the release that this folder was told to leave out; empty for a whole release."""
    files = read_manifest(folder)
    expected = set(_expected(files, _pulled(folder, files)))
    return [f for f in files if f not in expected]


def check_file(folder: Path, file: FileRow) -> Problem | None:
    """What is wrong with one file of the manifest, if anything."""
    path = folder / file.path
    if path.is_symlink() or not path.is_file():
        return Problem("missing", file.path, "in the manifest, not on disk as a plain file")
    size = path.stat().st_size
    if size != file.bytes:
        return Problem("changed", file.path, f"{size} bytes, the manifest says {file.bytes}")
    if sha256_of(path) != file.sha256:
        return Problem("changed", file.path, "its bytes have another SHA-256 than the manifest says")
    return None


def _pulled(folder: Path, files: list[FileRow]) -> set[str]:
    """Splits that the folder is marked as restricted to; a mark of a split that is not the release's is none."""
    return set(pulled_splits(folder)) & {f.split for f in files if f.split is not None}


def _expected(files: list[FileRow], pulled: set[str]) -> list[FileRow]:
    return [f for f in files if not pulled or f.split is None or f.split in pulled]


def _check_sums(folder: Path, files: list[FileRow], sha256: str) -> list[Problem]:
    path = folder / CHECKSUMS
    if not path.is_file():
        return [Problem("missing", CHECKSUMS, "not on disk")]
    if path.read_bytes() != checksums_text(files, sha256).encode():
        return [Problem("changed", CHECKSUMS, "does not agree with the manifest")]
    return []


def _check_extra(
    folder: Path, expected: list[FileRow], pulled: set[str], notice: Notice | None
) -> list[Problem]:
    known = {f.path for f in expected} | {*UNLISTED, PULL_LOCK}
    known |= {NOTICE, *notice.files} if notice is not None else set()
    known |= {f"{PULLED_PREFIX}{split}" for split in pulled}
    surplus = [p for p in files_in(folder) if p not in known]
    return [Problem("extra", p, "on disk, not part of this release") for p in surplus]


def _check_rows(folder: Path, expected: list[FileRow]) -> list[Problem]:
    try:
        items = read_items(folder / ITEMS)
    except Damaged as error:
        return [Problem("rows", ITEMS, str(error))]
    return check_rows(expected, items, partial(open_shard, FolderOrigin(folder)))


def check_rows(
    files: list[FileRow], items: pa.Table, opened: Callable[[FileRow], pq.ParquetFile]
) -> list[Problem]:
    """What is wrong with the rows of shards: ``items`` (of ``items.parquet``) lists exactly these, in their order, by
    their numbers."""
    listed, numbers = (_by_shard(items, name) for name in ("item_id", "row"))
    nothing = pa.array([], pa.string())
    problems = []
    for file in files:
        if file.config is None:
            continue
        wanted = listed.get((file.config, file.split, file.shard), nothing)
        try:
            problem = _other_rows(opened(file), wanted) or _other_numbers(
                numbers.get((file.config, file.split, file.shard), pa.array([], pa.int64()))
            )
        except (pa.ArrowException, OSError, KeyError, Damaged) as error:
            problem = f"cannot be read as Parquet: {error}"
        if problem:
            problems.append(Problem("rows", file.path, problem))
    return problems


def _by_shard(items: pa.Table, column: str) -> dict[Any, pa.Array]:
    """The values of a column for each shard, in the order that ``items`` has."""
    keys = items.select(["config", "split", "shard"]).append_column("at", pa.array(np.arange(items.num_rows)))
    groups = keys.group_by(["config", "split", "shard"], use_threads=False).aggregate([("at", "list")])
    values = items[column].combine_chunks()
    named = zip(*(groups[name].to_pylist() for name in ("config", "split", "shard")), strict=True)
    return {
        key: values.take(at.values) for key, at in zip(named, groups["at_list"].combine_chunks(), strict=True)
    }


def _other_numbers(rows: pa.Array) -> str:
    """Whether the rows of a shard are not numbered from 0 on, in a sentence; empty when they are."""
    right = rows.equals(pa.array(np.arange(len(rows)), rows.type))
    return "" if right else f"{ITEMS} does not number its rows from 0 on"


def _other_rows(shard: pq.ParquetFile, wanted: pa.Array) -> str:
    """In what the rows of a shard are not ``wanted``; empty when they are. A row group is read at a time."""
    there = shard.metadata.num_rows
    told = f"{there} rows, {ITEMS} lists {len(wanted)} or others"
    if there != len(wanted):
        return told
    first = 0
    for group in range(shard.num_row_groups):
        ids = shard.read_row_group(group, ["item_id"])["item_id"].combine_chunks()
        if not ids.equals(wanted.slice(first, len(ids))):
            return told
        first += len(ids)
    return ""
