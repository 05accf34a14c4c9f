"""Chosen items of a release in a folder: what it says of itself, and whether it is right."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Damaged, InvalidInput, NotFound
from sonolake.releases.checking import Problem, check_file, withheld
from sonolake.releases.checksums import found_hash, parse_checksums
from sonolake.releases.disk import files_in, sha256_of
from sonolake.releases.layout import CHECKSUMS, ITEMS, MANIFEST, NOTICE, PULL_LOCK, SELECTION
from sonolake.releases.notice import notice_at
from sonolake.releases.origins import FolderOrigin
from sonolake.releases.tables import FileRow, read_items, read_manifest


@dataclass(frozen=True)
class Selection:
    """Which release (``NAME@VERSION``), SHA-256 of its manifest, the condition, and the splits (all when empty)."""

    release: str
    manifest_sha256: str
    where: str
    splits: tuple[str, ...] = ()

    def text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"


def read_selection(path: Path) -> Selection:
    """The selection that the file ``path`` describes.

    Raises:
        Damaged: when it describes none.
    """
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return Selection(said["release"], said["manifest_sha256"], said["where"], tuple(said["splits"]))
    except (ValueError, TypeError, KeyError) as error:
        raise Damaged(f"{path} describes no selection ({error!r})") from None


def is_selection(folder: Path) -> bool:
    """Whether ``folder`` holds chosen items of a release, all that were chosen."""
    return (folder / SELECTION).is_file()


def verify_selection(folder: Path) -> list[Problem]:
    """All differences between a folder of chosen items and the release that they are from.

    What the release says is held against its manifest, each sound against its hash in ``items.parquet``, and all
    files against the sums that were taken when they were fetched.
    """
    try:
        selection = read_selection(folder / SELECTION)
        if (actual := found_hash(folder)) != selection.manifest_sha256:
            raise Damaged(f"it holds manifest {actual}, chosen was from {selection.manifest_sha256}")
        files = read_manifest(folder)
        sums = parse_checksums(folder / CHECKSUMS)
    except (Damaged, InvalidInput, NotFound) as error:
        return [Problem("manifest", MANIFEST, str(error))]
    notice = notice_at(FolderOrigin(folder))
    documents = [f for f in files if f.config is None]
    shards = {f.path: f for f in files if f.config is not None and f.path in sums}
    problems, documents = withheld(notice, documents, lambda path: (folder / path).exists())
    problems += [p for f in documents if (p := check_file(folder, f)) is not None]
    problems += [p for path in sorted(shards) if (p := _check_sum(folder, path, sums[path])) is not None]
    if all(p.kind == "withheld" for p in problems):
        items = items_by_shard(read_items(folder / ITEMS))
        for path, file in sorted(shards.items()):
            if (problem := check_shard(folder / path, items[key_of(file)])) is not None:
                problems.append(Problem("rows", path, problem))
    known = {*sums, *(f.path for f in documents), MANIFEST, CHECKSUMS, SELECTION, PULL_LOCK}
    known |= {NOTICE} if notice is not None else set()
    surplus = [p for p in files_in(folder) if p not in known]
    return problems + [Problem("extra", p, "on disk, not part of this selection") for p in surplus]


def _check_sum(folder: Path, path: str, sha256: str) -> Problem | None:
    if not (folder / path).is_file():
        return Problem("missing", path, f"in {CHECKSUMS}, not on disk")
    if sha256_of(folder / path) != sha256:
        return Problem("changed", path, f"its bytes have another SHA-256 than {CHECKSUMS} says")
    return None


Key = tuple[str | None, str | None, int | None]


def key_of(file: FileRow) -> Key:
    """Config, split and number of a shard."""
    return file.config, file.split, file.shard


def items_by_shard(items: pa.Table) -> dict[Key, list[dict[str, object]]]:
    """The rows of ``items``, shard by shard, in the order of the shard."""
    found: dict[Key, list[dict[str, object]]] = defaultdict(list)
    for row in items.to_pylist():
        found[row["config"], row["split"], row["shard"]].append(row)
    return found


def check_shard(path: Path, items: Sequence[dict[str, object]]) -> str | None:
    """What is wrong with a shard of chosen rows, if anything: each is of ``items``, in their order, with its sound."""
    known = {item["item_id"]: item for item in items}
    try:
        shard = pq.ParquetFile(path)
        columns = [c for c in ("item_id", "audio") if c in shard.schema_arrow.names]
        rows = [
            row for group in range(shard.num_row_groups) for row in _ids_and_hashes(shard, group, columns)
        ]
    except (pa.ArrowException, OSError, KeyError) as error:
        return f"cannot be read as Parquet: {error}"
    ids = [item_id for item_id, _ in rows]
    if ids != [item["item_id"] for item in items if item["item_id"] in set(ids)]:
        return f"its rows are not rows of the release in their order: {ITEMS} lists others"
    wrong = [item_id for item_id, sha256 in rows if sha256 != known[item_id]["sha256"]]
    return f"the sound of {', '.join(wrong[:3])} has another SHA-256 than {ITEMS} says" if wrong else None


def _ids_and_hashes(shard: pq.ParquetFile, group: int, columns: list[str]) -> list[tuple[str, str | None]]:
    table = shard.read_row_group(group, columns=columns)
    ids = table["item_id"].to_pylist()
    if "audio" not in columns:
        return [(item_id, None) for item_id in ids]
    sounds = (row.as_py() for row in table["audio"])
    return [
        (item_id, None if sound is None else hashlib.sha256(sound["bytes"]).hexdigest())
        for item_id, sound in zip(ids, sounds, strict=True)
    ]
