"""Recordings and feeds as files: whole or not there, gone on with where they broke off, not asked for when unchanged.

Beside a part stands what tells its version (RFC 9110, 8.8): a strong ``ETag``, else ``Last-Modified``. With it the
rest is asked for (``Range``, ``If-Range``, 13.1.5); a server that has another version by now sends all of that one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

from sonolake.errors import ItemRefused
from sonolake.ids import sha256_hex
from sonolake.releases.origins.base import Interrupted
from sonolake.sources.freesound.places import write_whole
from sonolake.sources.ingest import MOST_BYTES
from sonolake.sources.web.addresses import plain
from sonolake.sources.web.transport import Transport

MOST_FEED = 64 << 20
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
Version = dict[str, str]
"""``etag`` and ``last_modified`` of an answer, as far as it had them."""


def version_of(response: httpx.Response) -> Version:
    """What an answer says of its version."""
    said = {"etag": response.headers.get("ETag"), "last_modified": response.headers.get("Last-Modified")}
    return {name: text for name, text in said.items() if text}


def conditions(version: Mapping[str, str]) -> dict[str, str]:
    """Headers by which only another version than this is sent."""
    said = {"If-None-Match": version.get("etag"), "If-Modified-Since": version.get("last_modified")}
    return {name: text for name, text in said.items() if text}


@dataclass(frozen=True)
class Download:
    """A whole file, and its version."""

    path: Path
    version: Version


@dataclass
class Downloads:
    """Files on their way.

    Args:
        folder: where they are kept.
        transport: asks for them.
    """

    folder: Path
    transport: Transport

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def get(
        self,
        url: httpx.URL,
        known: Mapping[str, str] | None = None,
        pages: bool = False,
        most: int = MOST_BYTES,
    ) -> Download | None:
        """The file at ``url``, None when it is still of the version ``known``.

        Args:
            url: where it is.
            known: a version that is not wanted again.
            pages: whether a web page may be what is wanted.
            most: bytes that are taken.

        Raises:
            ItemRefused: ``gone``, ``disallowed``, ``download_failed``, ``too_long``.
        """
        from filelock import FileLock

        one = _One(self.folder / key_of(url), pages, most)
        with FileLock(f"{one.whole}.lock"):
            if one.whole.is_file():
                return Download(one.whole, one.version())
            came = self.transport.get(url, one.save, lambda: one.rest() or conditions(known or {}), one.size)
        return Download(one.whole, one.version()) if came else None

    def forget(self, url: httpx.URL) -> None:
        """Remove a file that the lake has."""
        for path in self.folder.glob(f"{key_of(url)}*"):
            path.unlink(missing_ok=True)


def key_of(url: httpx.URL) -> str:
    """A file name for an address."""
    return sha256_hex(str(url.copy_with(userinfo=b"", fragment=None)).encode())[:32]


class _One:
    """One file, its part and the version of that."""

    def __init__(self, whole: Path, pages: bool, most: int) -> None:
        self.whole, self.pages, self.most = whole, pages, most
        self.part, self.note = whole.with_name(f"{whole.name}.part"), whole.with_name(f"{whole.name}.json")

    def size(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def version(self) -> Version:
        try:
            return {str(k): str(v) for k, v in json.loads(self.note.read_text(encoding="utf-8")).items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def rest(self) -> dict[str, str]:
        """Headers that ask for what is lacking; none where that cannot be told from another version."""
        version, size = self.version(), self.size()
        etag = version.get("etag", "")
        condition = etag if etag.startswith('"') else version.get("last_modified", "")
        return {"Range": f"bytes={size}-", "If-Range": condition} if size and condition else {}

    def save(self, response: httpx.Response) -> bool:
        """Write what came; False when nothing did, as nothing has changed.

        Raises:
            Interrupted: it is not whole.
            ItemRefused: it is not what was wanted.
        """
        if response.status_code == 304:
            return False
        if response.status_code == 416:
            self.part.unlink(missing_ok=True)
            raise Interrupted("the part that is here is of no use")
        self._require_fitting(response)
        start, total = self._begin(response)
        with self.part.open("ab" if start else "wb") as file:
            for block in response.iter_raw():
                file.write(block)
                if file.tell() > self.most:
                    raise ItemRefused("too_long", f"at most {self.most:,} bytes are taken")
        if total is not None and self.size() != total:
            raise Interrupted(f"{self.size():,} bytes came of {total:,}")
        if not self.size():
            raise Interrupted("no bytes came")
        self.part.replace(self.whole)
        return True

    def _require_fitting(self, response: httpx.Response) -> None:
        where = plain(response.url)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise ItemRefused("download_failed", f"{where} is sent packed, which was not asked for")
        if not self.pages and response.headers.get("Content-Type", "").startswith("text/html"):
            raise ItemRefused("download_failed", f"{where} is a web page, no recording")

    def _begin(self, response: httpx.Response) -> tuple[int, int | None]:
        """Where the bytes that come belong, and how many there are in all."""
        if response.status_code == 206:
            said = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
            version = version_of(response)
            known = self.version()
            same = all(known.get(name, text) == text for name, text in version.items())
            if said is None or int(said[1]) != self.size() or not same:
                self.part.unlink(missing_ok=True)
                raise Interrupted("other bytes came than were asked for")
            return self.size(), int(said[2]) if said[2] != "*" else None
        write_whole(self.note, json.dumps(version_of(response)))
        stated = response.headers.get("Content-Length", "")
        if not stated.isdigit() and "chunked" not in response.headers.get("Transfer-Encoding", ""):
            raise ItemRefused("download_failed", f"{plain(response.url)}: its length is not stated")
        return 0, int(stated) if stated.isdigit() else None
