"""A release, or some of its splits, into a folder: checked, atomic file by file, resumed, done once.

A file is written beside its place as ``NAME.part``, flushed, checked and renamed; an interrupted one goes on where
it stopped. ``_COMPLETE`` is written when all that was asked for is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import InvalidInput, NotFound
from sonolake.releases.beside import Bringer, Stock, require_version, versions_beside
from sonolake.releases.checking import check_file
from sonolake.releases.destination import destination, put, require_destination, seal
from sonolake.releases.disk import sync
from sonolake.releases.layout import COMPLETE, MANIFEST, NOTICE, PULLED_PREFIX, pulled_splits
from sonolake.releases.notice import Notice
from sonolake.releases.offered import Offered, offered
from sonolake.releases.origins import FolderOrigin, open_origin
from sonolake.releases.pace import Gate, Pace
from sonolake.releases.tables import FileRow


@dataclass(frozen=True)
class PullResult:
    """What a pull came to.

    Attributes:
        manifest_sha256: of the release.
        fetched, fetched_bytes: files that were brought, and bytes that came for them from the release.
        already: files that were right.
        left_out: splits that were not asked for.
        beside, beside_bytes: folders with other versions, and bytes of the files that came from there.
        notice: of a version that was retracted: what it withholds did not come.
    """

    manifest_sha256: str
    fetched: int
    fetched_bytes: int
    already: int
    left_out: tuple[str, ...]
    beside: tuple[str, ...] = ()
    beside_bytes: int = 0
    notice: Notice | None = None


def pull(
    source: Path | str | Offered,
    dest: Path,
    splits: Iterable[str] | None = None,
    recorded: str | None = None,
    pace: Pace | None = None,
    beside: Iterable[Path] | None = None,
) -> PullResult:
    """Make ``dest`` hold the release at ``source``, all of it or (also) the given splits.

    Splits pulled before stay; pulling without ``splits`` completes the folder. Damaged files are fetched again. Of a
    version that was retracted come the files that it does not withhold, and its notice.

    Args:
        source: the release's folder, its address (``https://…``, ``s3://…``), or what was offered there.
        dest: a new folder, or one that holds a part of it.
        splits: which splits; all when left out.
        recorded: SHA-256 of the manifest that was published, where it is on record, as in a lake.
        pace: how many files at once, how fast, and who is told how far they are.
        beside: folders that hold other versions; what they have is not fetched. When left out, those next to ``dest``.

    Raises:
        NotFound: when ``source`` is not a whole release or lacks what is asked for.
        InvalidInput: for a split that the release has not.
        Refused: when ``dest`` holds something else, or ``source`` may not be read.
        Damaged: when ``source`` is not what is on record, or a file of it not what its manifest says.
        Unreachable: when ``source`` does not answer.
        Unwritable: when ``dest`` cannot be written.
    """
    release = source if isinstance(source, Offered) else offered(open_origin(source), recorded)
    splits = None if splits is None else tuple(splits)
    require_destination(dest, release.manifest_sha256)
    _require_splits(release, splits)
    with destination(dest):
        require_destination(dest, release.manifest_sha256)
        return _pull(release, dest, splits, pace or Pace(), Stock(_beside(release, dest, beside)))


def _beside(release: Offered, dest: Path, folders: Iterable[Path] | None) -> list[Path]:
    if folders is None:
        return versions_beside(dest, release.identity().name)
    return [require_version(folder) for folder in folders]


def _require_splits(release: Offered, splits: Iterable[str] | None) -> None:
    every, asked = release.splits, set(release.splits if splits is None else splits)
    if not asked <= every or (splits is not None and not asked):
        raise InvalidInput("splits", f"some of {', '.join(sorted(every))}", ", ".join(sorted(asked)))
    if not isinstance(release.origin, FolderOrigin):
        return
    absent = asked - set(pulled_splits(release.origin.folder) or asked)
    if absent:
        raise NotFound(f"{release.origin.name} was itself pulled without {sorted(absent)}")


def _pull(release: Offered, dest: Path, splits: Iterable[str] | None, pace: Pace, stock: Stock) -> PullResult:
    wanted = _wanted_splits(release, splits, dest)
    _start(release, dest, wanted)
    chosen = [
        f for f in release.files if (f.split is None or f.split in wanted) and f.path not in release.withheld
    ]
    fetched: list[tuple[int, int]] = []
    bringer = Bringer(release, dest, stock)

    def bring(file: FileRow, gate: Gate) -> None:
        if check_file(dest, file) is None:
            return
        (dest / COMPLETE).unlink(missing_ok=True)
        beside = bringer.bring(file, gate)
        fetched.append((gate.taken, beside))

    bringer.prepare(chosen, lambda file: bring(file, Gate(pace.rate)))
    pace.each(bring, chosen, lambda file: file.bytes)
    seal(dest, release.files, release.manifest_sha256)
    sync(dest)
    left_out = tuple(sorted(release.splits - wanted))
    return PullResult(
        release.manifest_sha256,
        len(fetched),
        sum(taken for taken, _ in fetched),
        len(chosen) - len(fetched),
        left_out,
        tuple(map(str, stock.folders)),
        sum(beside for _, beside in fetched),
        release.notice,
    )


def _wanted_splits(release: Offered, splits: Iterable[str] | None, dest: Path) -> set[str]:
    if splits is None:
        return release.splits
    if not (dest / MANIFEST).is_file():
        return set(splits)
    return set(splits) | (set(pulled_splits(dest)) or release.splits)


def _start(release: Offered, dest: Path, wanted: set[str]) -> None:
    """Say which release this is and which splits of it, before any data; not whole until it is again."""
    partial = wanted != release.splits
    for split in wanted if partial else ():
        (dest / f"{PULLED_PREFIX}{split}").touch()
    put(dest / MANIFEST, release.manifest)
    if release.notice is not None:
        put(dest / NOTICE, release.notice.text().encode())
    if not partial:
        for split in pulled_splits(dest):
            (dest / f"{PULLED_PREFIX}{split}").unlink()
