"""From what a person names to an origin."""

from __future__ import annotations

from pathlib import Path

from sonolake.errors import InvalidInput, NotFound
from sonolake.releases.layout import COMPLETE
from sonolake.releases.origins.base import Origin, read_whole
from sonolake.releases.origins.folder import FolderOrigin


def is_address(where: str | Path) -> bool:
    """Whether ``where`` is an address, such as ``https://…``, and no path."""
    return "://" in str(where)


def open_origin(where: str | Path) -> Origin:
    """The folder, ``https://…``, ``http://…`` or ``s3://bucket/prefix`` that ``where`` names.

    Raises:
        InvalidInput: for another kind of address.
        MissingPackage: for S3, when boto3 is not installed.
    """
    if not is_address(where):
        return FolderOrigin(Path(where))
    scheme = str(where).partition("://")[0].lower()
    if scheme in ("http", "https"):
        from sonolake.releases.origins.http import HttpOrigin

        return HttpOrigin(str(where))
    if scheme == "s3":
        from sonolake.releases.origins.s3 import S3Origin

        return S3Origin(str(where))
    raise InvalidInput("place of a release", "a folder, http(s)://… or s3://bucket/prefix", scheme + "://")


def release_at(origin: Origin, name: str, version: str) -> Origin:
    """Release ``name`` ``version`` below ``origin``: a folder of releases, a lake, or the release itself.

    Raises:
        NotFound: when there is none; the message lists where it was looked for.
    """
    places = [
        origin.below(f"{name}/{version}"),
        origin.below(f"releases/{name}/{version}"),
        origin,
    ]
    for place in places:
        try:
            read_whole(place, COMPLETE, 1024)
        except NotFound:
            continue
        return place
    raise NotFound(f"no release {name}@{version}; looked in {', '.join(place.name for place in places)}")
