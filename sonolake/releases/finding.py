"""Which release is meant: by name in a lake or a place, by its folder, by its address."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.errors import InvalidInput, Refused
from sonolake.extras import require
from sonolake.lake.catalog import extension_path, quoted
from sonolake.lake.storages import storage_at
from sonolake.releases.checking import Problem
from sonolake.releases.checking_remote import verify_remote
from sonolake.releases.layout import checked_name, checked_version
from sonolake.releases.notice import notice_at
from sonolake.releases.offered import Offered, offered
from sonolake.releases.on_record import origin_in
from sonolake.releases.origins import FolderOrigin, Origin, open_origin, release_at
from sonolake.releases.origins.opening import is_address
from sonolake.releases.proof import ProofResult
from sonolake.releases.proving import prove
from sonolake.releases.proving_remote import on_the_web, prove_remote
from sonolake.releases.verifying import verify
from sonolake.s3 import is_s3

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Found:
    """Where a release lies; of a lake's release also SHA-256 of the manifest on record, and its state there."""

    origin: Origin
    recorded: str | None = None
    state: str = "published"

    @property
    def name(self) -> str:
        """Its folder or address."""
        return self.origin.name

    def verify(self) -> list[Problem]:
        """All differences between what lies there and the release it says it is; in a store every byte is read.

        Raises:
            InvalidInput: when it lies on a web server, which cannot say what there is.
        """
        if isinstance(self.origin, FolderOrigin):
            return verify(self.origin.folder, self.recorded)
        if not is_s3(self.origin.address):
            raise InvalidInput("release", "one in a folder or in S3: pull it first", self.name)
        storage = storage_at(self.origin.address)
        sizes = {entry.path: entry.size for entry in storage.entries()}
        return verify_remote(origin_in(storage), sizes, self.recorded)

    def prove(self) -> list[ProofResult]:
        """The answers of the release's own proofs, run over its files where they lie.

        Raises:
            MissingPackage: when DuckDB has not what it takes to come there.
            InvalidInput: for a web address with a query, which DuckDB cannot read.
            Refused: for a version that was retracted or a folder of chosen items, or when a file may not be read.
            Damaged: when the release is not what is on record, or a proof is not one, or cannot run.
        """
        if (notice := notice_at(self.origin)) is not None:
            raise Refused(notice.told())
        if isinstance(self.origin, FolderOrigin):
            return prove(self.origin.folder, self.recorded)
        require("duckdb_extension_httpfs", "proofs over HTTP and S3")
        if not is_s3(self.origin.address):
            root, authorization = on_the_web(self.origin.address)
            return prove_remote(
                self.offered, root, lambda link: over_http(link, root, authorization), lambda path: True
            )
        storage = storage_at(self.origin.address)
        there = {entry.path for entry in storage.entries()}

        def admit(link: duckdb.DuckDBPyConnection) -> None:
            over_http(link)
            storage.authorise(link)

        return prove_remote(self.offered, storage.uri, admit, there.__contains__)

    @cached_property
    def offered(self) -> Offered:
        """The release with its manifest; see :func:`~sonolake.releases.offered.offered`.

        Raises:
            Refused: for a version that is being retracted and does not say yet what it withholds.
        """
        release = offered(self.origin, self.recorded)
        if self.state == "retracted" and release.notice is None:
            raise Refused(
                f"{self.name} is being retracted: `sonolake takedown` with the same source finishes it"
            )
        return release


def over_http(link: duckdb.DuckDBPyConnection, root: str = "", authorization: str = "") -> None:
    """Let DuckDB read over HTTP, below ``root`` with this ``Authorization`` if there is one."""
    link.execute(f"LOAD {quoted(str(extension_path('httpfs')))}")
    if authorization:
        headers = f"MAP {{'Authorization': {quoted(authorization)}}}"
        link.execute(f"CREATE SECRET (TYPE http, EXTRA_HTTP_HEADERS {headers}, SCOPE {quoted(root)})")


def find_release(which: str, lake: Callable[[], str | Path], source: str | Path | None = None) -> Found:
    """The release that ``which`` names.

    Args:
        which: ``NAME@VERSION``, a folder, or an ``https://`` or ``s3://`` address.
        lake: gives the lake that a name is of, or raises.
        source: where a name is looked for instead: a lake, a folder of releases or a release's own, or such an address.

    Raises:
        NotFound: when it is in none of the places; the message lists them, or what the lake has.
        InvalidInput: when ``which`` is none of these forms.
    """
    if source is None and is_address(which):
        return Found(open_origin(which))
    if source is None and os.path.isdir(which):  # noqa: PTH112 (too long a name is no folder either)
        return _of_folder(Path(which))
    name, version = _named(which, elsewhere=source is not None)
    if source is None:
        return _in_lake(lake(), name, version)
    if not is_address(source) and _is_lake(Path(source)):
        return _in_lake(Path(source), name, version)
    place = release_at(open_origin(source), name, version)
    found = _of_folder(place.folder) if isinstance(place, FolderOrigin) else Found(place)
    found.offered.require(name, version)
    return found


def _named(which: str, *, elsewhere: bool) -> tuple[str, str]:
    name, at, version = which.rpartition("@")
    if not at:
        cause = "" if elsewhere else "there is no such folder"
        raise InvalidInput("release", "NAME@VERSION, or the folder or address of a release", which, cause)
    return checked_name("release", name), checked_version(version)


def _is_lake(folder: Path) -> bool:
    from sonolake.lake.root import is_lake

    return is_lake(folder)


def _of_folder(folder: Path) -> Found:
    """A release's own folder; where that is a lake's, the lake says what was published there."""
    path = folder.resolve()
    home = path.parents[2] if len(path.parents) > 2 and path.parents[1].name == "releases" else None
    if home is None or not _is_lake(home):
        return Found(FolderOrigin(folder))
    return _in_lake(home, path.parent.name, path.name)


def _in_lake(root: str | Path, name: str, version: str) -> Found:
    from sonolake.lake import Lake
    from sonolake.releases.on_record import origin_of, require_release

    with Lake.open(root, read_only=True) as lake:
        known = require_release(lake, name, version)
        return Found(origin_of(lake, name, version), known.manifest_sha256, known.state)
