"""Single items of a release into a folder: by byte ranges, each sound checked, shard by shard.

The folder looks like the release's own, with shards that hold the chosen rows only, so that whatever reads releases
reads it; ``_SELECTION.json`` says what was chosen, and no ``_COMPLETE`` says that it is all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import InvalidInput, NotFound, Refused
from sonolake.releases.checking import check_file
from sonolake.releases.checksums import checksums_text
from sonolake.releases.choosing import choose, items_of, require_condition
from sonolake.releases.destination import destination, put, require_destination
from sonolake.releases.disk import sha256_of, sync
from sonolake.releases.extracting import Gated, Item, write_chosen
from sonolake.releases.fetching import fetch
from sonolake.releases.layout import CHECKSUMS, MANIFEST, NOTICE, SELECTING, SELECTION
from sonolake.releases.notice import Notice
from sonolake.releases.offered import Offered, offered
from sonolake.releases.origins import open_origin
from sonolake.releases.pace import Gate, Pace
from sonolake.releases.selection import Selection, check_shard, items_by_shard, key_of
from sonolake.releases.tables import FileRow


@dataclass(frozen=True)
class SelectResult:
    """Items that were chosen, the shards with some of them that were fetched, and those that were right already."""

    manifest_sha256: str
    items: int
    fetched: int
    already: int
    notice: Notice | None = None
    """Of a version that was retracted: what it withholds did not come."""


def pull_items(
    source: Path | str | Offered,
    dest: Path,
    where: str,
    splits: Iterable[str] = (),
    pace: Pace | None = None,
) -> SelectResult:
    """Make ``dest`` hold the items of the release at ``source`` that ``where`` chooses, and what says who made them.

    Args:
        source: the release's folder, its address (``https://…``, ``s3://…``), or what was offered there.
        dest: a new folder, or one that a pull by the same condition began.
        where: condition on the columns of ``items.parquet``, in DuckDB's SQL.
        splits: only of these; of all when empty.
        pace: how many files at once, how fast, and who is told how far they are.

    Raises:
        NotFound: when ``source`` is not a whole release, or no item is chosen.
        InvalidInput: when ``where`` is no condition, or a split is not one of the release's.
        Refused: when ``dest`` holds something else, or the release does not say the hash of each sound.
        Damaged: when ``source`` is not what its manifest says.
        Unreachable: when ``source`` does not answer.
        Unwritable: when ``dest`` cannot be written.
    """
    require_condition(where)
    release = source if isinstance(source, Offered) else offered(open_origin(source))
    splits = tuple(sorted(set(splits)))
    if not set(splits) <= release.splits:
        raise InvalidInput("splits", f"some of {', '.join(sorted(release.splits))}", ", ".join(splits))
    said = release.identity()
    selection = Selection(f"{said.name}@{said.version}", release.manifest_sha256, where, splits)
    require_destination(dest, release.manifest_sha256, selection.text())
    pace = pace or Pace()
    chosen = _offered(release, _chosen(items_of(release), selection))
    with destination(dest):
        require_destination(dest, release.manifest_sha256, selection.text())
        return _fill(release, dest, selection, items_by_shard(chosen), pace)


def _chosen(items: pa.Table, selection: Selection) -> pa.Table:
    chosen = choose(items, selection.where)
    if selection.splits:
        wanted = ", ".join(f"'{split}'" for split in selection.splits)
        chosen = choose(chosen, f"split IN ({wanted})")
    if not chosen.num_rows:
        raise NotFound(f"no item of {selection.release} fits: {selection.where}")
    if chosen["sha256"].null_count != chosen["offset"].null_count:
        raise Refused(
            f"{selection.release} is of an older form and does not say the hash of each sound: pull it whole"
        )
    return chosen


def _offered(release: Offered, chosen: pa.Table) -> pa.Table:
    """Those of the items that are not withheld, nor lie in a shard that is.

    Raises:
        Refused: when none is left.
    """
    if release.notice is None:
        return chosen
    left = chosen.filter(pa.array([not release.withholds(row) for row in chosen.to_pylist()], pa.bool_()))
    if not left.num_rows:
        raise Refused(release.notice.told())
    return left


def _fill(
    release: Offered, dest: Path, selection: Selection, chosen: dict[Any, list[Item]], pace: Pace
) -> SelectResult:
    if not (dest / SELECTION).exists():
        put(dest / SELECTING, selection.text().encode())
    put(dest / MANIFEST, release.manifest)
    if release.notice is not None:
        put(dest / NOTICE, release.notice.text().encode())
    documents = [f for f in release.files if f.config is None and f.path not in release.withheld]
    shards = [f for f in release.files if key_of(f) in chosen]
    fetched: list[str] = []

    def bring(file: FileRow, gate: Gate) -> None:
        if file.config is None:
            if check_file(dest, file) is not None:
                fetch(release.origin, dest, file, gate)
        elif check_chosen(dest / file.path, chosen[key_of(file)]) is not None:
            write_chosen(Gated(release.origin, gate), file, chosen[key_of(file)], dest)
            fetched.append(file.path)

    def expected(file: FileRow) -> int:
        return file.bytes if file.config is None else sum(item["bytes"] or 0 for item in chosen[key_of(file)])

    pace.each(bring, [*documents, *shards], expected)
    sums = [FileRow(f.path, sha256_of(dest / f.path), 0) for f in (*documents, *shards)]
    put(dest / CHECKSUMS, checksums_text(sums, release.manifest_sha256).encode())
    if (dest / SELECTING).exists():
        (dest / SELECTING).replace(dest / SELECTION)
    sync(dest)
    items = sum(map(len, chosen.values()))
    return SelectResult(
        release.manifest_sha256, items, len(fetched), len(shards) - len(fetched), release.notice
    )


def check_chosen(path: Path, items: Sequence[Item]) -> str | None:
    """What is wrong with a shard that should hold just ``items``, if anything."""
    if not path.is_file():
        return "missing"
    problem = check_shard(path, items)
    return problem or (None if pq.read_metadata(path).num_rows == len(items) else "not all rows")
