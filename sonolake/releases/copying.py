"""A release into a bucket that is no lake's: ``PLACE/NAME/VERSION``, its mark written last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from sonolake.errors import InvalidInput, NotFound, Refused
from sonolake.lake.storages import storage_at
from sonolake.releases.building import Built
from sonolake.releases.differing.versions import before
from sonolake.releases.earlier import Earlier
from sonolake.releases.finding import Found
from sonolake.releases.handing import files_of, require_whole, whole_folder
from sonolake.releases.identity import Identity
from sonolake.releases.layout import COMPLETE, NOTICE
from sonolake.releases.notice import notice_at
from sonolake.releases.offered import offered
from sonolake.releases.on_record import origin_in, path_of
from sonolake.releases.uploading import put_release
from sonolake.s3 import is_s3, parts_of

if TYPE_CHECKING:
    from sonolake.lake.s3_storage import S3Storage


@dataclass(frozen=True)
class Copied:
    """What a copy came to.

    Attributes:
        place: the address of the release.
        outcome: ``unchanged`` when all of it was there, ``repaired`` when what an earlier copy left was made whole.
        files, bytes: of the release.
        reused_bytes: of these, what the version before has there, which was not sent.
    """

    place: str
    outcome: Literal["published", "unchanged", "repaired"]
    files: int
    bytes: int
    reused_bytes: int

    def told(self) -> str:
        """It in a line."""
        if self.outcome == "unchanged":
            return f"{self.place}: as it was, {self.files:,} files"
        sent = self.bytes - self.reused_bytes
        return f"{self.place}: {self.files:,} files, {sent:,} bytes sent, {self.reused_bytes:,} were there"


def copy_to(found: Found, address: str) -> Copied:
    """Make ``NAME/VERSION`` below ``address`` hold the release that was found.

    What lies there without its mark is what a killed copy left, and is filled. Files that the version before has there
    are copied in the store.

    Args:
        found: the release, whole.
        address: ``s3://bucket/prefix``.

    Raises:
        InvalidInput: for another address.
        Refused: for a retracted release, one with differences or a part of one; when the version is there with other
            content, or was retracted there; when something else lies there.
    """
    if not is_s3(address):
        raise InvalidInput("place of releases", "s3://bucket/prefix", address)
    parts_of(address)
    require_whole(found)
    identity = found.offered.identity()
    releases = cast("S3Storage", storage_at(address))
    store = releases.room(path_of(identity.name, identity.version))
    with whole_folder(found) as folder:
        files = files_of(folder)
        paths = [file.path for file in files]
        _require_own(store, paths)
        built = Built(
            found.offered.manifest_sha256, "published", len(files), sum(file.bytes for file in files)
        )
        made = put_release(store, folder, paths, built, None, _before(releases, identity))
    return Copied(store.uri, made.outcome, made.files, made.bytes, made.reused_bytes)


def _require_own(store: S3Storage, paths: list[str]) -> None:
    """Let a place pass that is empty, or holds this release or some of its files.

    Raises:
        Refused: for any other: nothing of others is written over or deleted.
    """
    there = {entry.path for entry in store.entries()}
    if NOTICE in there:
        notice = notice_at(origin_in(store))
        raise Refused(f"{store.uri} was retracted{'' if notice is None else ': ' + notice.told()}")
    if others := sorted(there - set(paths)):
        raise Refused(
            f"{store.uri} holds {others[0]}, which is no file of this release: delete it there, or name another place"
        )


def _before(releases: S3Storage, identity: Identity) -> tuple[Earlier, S3Storage] | None:
    """The version before that lies there whole."""
    room = releases.room(identity.name)
    versions = [one for one in room.folders() if room.stat(f"{one}/{COMPLETE}") is not None]
    try:
        last = before(identity.version, versions)
        return None if last is None else (Earlier(offered(origin_in(room.room(last)))), room.room(last))
    except (InvalidInput, NotFound):
        return None
