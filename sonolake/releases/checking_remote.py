"""Is a release in a store what was published? Every byte is read, none is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial

from sonolake.errors import Damaged, InvalidInput, NotFound
from sonolake.releases.checking import Problem, check_rows, withheld
from sonolake.releases.checksums import checksums_text
from sonolake.releases.choosing import items_of
from sonolake.releases.layout import CHECKSUMS, ITEMS, MANIFEST, NOTICE, UNLISTED
from sonolake.releases.offered import Offered, offered
from sonolake.releases.origins import Origin, read_whole
from sonolake.releases.pace import Gate, Pace
from sonolake.releases.ranged import open_shard
from sonolake.releases.tables import FileRow


def verify_remote(origin: Origin, sizes: Mapping[str, int], recorded: str | None = None) -> list[Problem]:
    """All differences between what lies at ``origin`` and the release it says it is.

    Args:
        origin: the release's own address.
        sizes: bytes of every file there, by path.
        recorded: SHA-256 of the manifest that was published, where it is on record, as in a lake.

    Raises:
        Unreachable: when the origin does not answer.
    """
    try:
        release = offered(origin, recorded)
    except NotFound as error:
        return [Problem("incomplete", MANIFEST, str(error))]
    except (Damaged, InvalidInput) as error:
        return [Problem("manifest", MANIFEST, str(error))]
    problems, files = withheld(release.notice, release.files, sizes.__contains__)
    problems += _check_files(release, files, sizes)
    problems += _check_sums(release, sizes)
    known = {f.path for f in release.files} | set(UNLISTED)
    known |= {NOTICE} if release.notice is not None else set()
    surplus = sorted(set(sizes) - known)
    problems += [Problem("extra", path, "there, not part of this release") for path in surplus]
    damaged = [p for p in problems if p.kind != "withheld"]
    if not any(p.path.startswith("data/") or p.path == ITEMS for p in damaged):
        problems += check_rows(files, items_of(release), partial(open_shard, origin))
    return problems


def _check_files(release: Offered, files: list[FileRow], sizes: Mapping[str, int]) -> list[Problem]:
    found: dict[str, Problem] = {}

    def check(file: FileRow, gate: Gate) -> None:
        if file.path not in sizes:
            found[file.path] = Problem("missing", file.path, "in the manifest, not there")
        elif sizes[file.path] != file.bytes:
            detail = f"{sizes[file.path]} bytes, the manifest says {file.bytes}"
            found[file.path] = Problem("changed", file.path, detail)
        elif _sha256_at(release.origin, file.path, gate) != file.sha256:
            detail = "its bytes have another SHA-256 than the manifest says"
            found[file.path] = Problem("changed", file.path, detail)

    Pace().each(check, files)
    return [found[path] for path in sorted(found)]


def _sha256_at(origin: Origin, path: str, gate: Gate) -> str:
    digest = hashlib.sha256()
    for block in origin.stream(path):
        gate.take(len(block))
        digest.update(block)
    return digest.hexdigest()


def _check_sums(release: Offered, sizes: Mapping[str, int]) -> list[Problem]:
    if CHECKSUMS not in sizes:
        return [Problem("missing", CHECKSUMS, "not there")]
    wanted = checksums_text(release.files, release.manifest_sha256).encode()
    if sizes[CHECKSUMS] != len(wanted) or read_whole(release.origin, CHECKSUMS) != wanted:
        return [Problem("changed", CHECKSUMS, "does not agree with the manifest")]
    return []
