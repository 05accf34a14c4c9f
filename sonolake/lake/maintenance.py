"""What keeps a lake quick as it grows: small files joined, large vector spaces indexed, old versions cleaned away.

Nothing that can be asked for is lost: tables answer at every snapshot as before, and versions of a vector space that
a release was made from are pinned.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sonolake.lake.vector_index import Searched

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

KEPT = timedelta(days=7)
"""How long versions that nothing pins are kept, for readers that are at work on them."""


@dataclass(frozen=True)
class Kept:
    """What maintenance did to a table or a vector space.

    Attributes:
        name: of the table, or of the space after ``vectors/``.
        files: Parquet files of a table, or fragments of a space, before and after.
        versions: of a space before and after; equal for a table, whose snapshots all stay.
        searched: how a space is searched from now on; None of a table.
        indexed: whether its index was built, extended or measured.
        cleaned: False where old versions stay because ``pylance`` is not installed and a release pins one of them.
    """

    name: str
    files: tuple[int, int]
    versions: tuple[int, int] = (0, 0)
    searched: Searched | None = None
    indexed: bool = False
    cleaned: bool = True

    @property
    def changed(self) -> bool:
        """Whether there was anything to do."""
        return self.indexed or self.files[0] != self.files[1] or self.versions[0] != self.versions[1]


def keep_tables(lake: Lake) -> list[Kept]:
    """Join the small files of tables; those of them that are no longer needed go after :data:`KEPT`."""
    before = _files(lake)
    with lake.transaction("maintain") as tx:
        tx.sql("CALL ducklake_merge_adjacent_files('lake')")
    with lake.transaction("maintain") as tx:
        seconds = KEPT.total_seconds()
        tx.sql("CALL ducklake_cleanup_old_files('lake', older_than => now() - to_seconds(?))", [seconds])
    after = _files(lake)
    return [Kept(name, (count, after.get(name, 0))) for name, count in sorted(before.items())]


def keep_space(lake: Lake, space: str, kept: timedelta = KEPT) -> Kept:
    """Join fragments, index and measure what is large, pin what releases were made from, clean the rest.

    Raises:
        NotFound: no such space.
    """
    vectors = lake.vectors
    with lake.writing():
        before = vectors.index(space)
        versions = vectors.versions(space)
        vectors.pin(space, _releases(lake))
        files = vectors.compact(space)
        indexed = vectors.keep_indexed(space) != before
        cleaned = vectors.clean(space, kept)
        now = (versions, vectors.versions(space))
        return Kept(f"vectors/{space}", files, now, vectors.searched(space), indexed, cleaned)


def _files(lake: Lake) -> dict[str, int]:
    rows = lake.rows("SELECT table_name, file_count FROM ducklake_table_info('lake') ORDER BY table_name")
    return {row["table_name"]: int(row["file_count"]) for row in rows}


def _releases(lake: Lake) -> dict[str, datetime]:
    """The time of each release's snapshot, by a name that Lance allows for a tag."""
    rows = lake.rows(
        "SELECT r.name, r.version, s.snapshot_time AS at FROM releases r "
        "JOIN ducklake_snapshots('lake') s ON s.snapshot_id = r.snapshot ORDER BY ALL"
    )
    return {f"{row['name']}-{row['version']}": row["at"] for row in rows}
