"""A folder on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sonolake.errors import NotFound, Unreachable
from sonolake.releases.disk import BLOCK


class FolderOrigin:
    """Files below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def name(self) -> str:
        """The folder's path."""
        return str(self.folder)

    @property
    def address(self) -> str:
        """The folder's path."""
        return str(self.folder)

    def below(self, path: str) -> FolderOrigin:
        """The folder ``path`` under this one."""
        return FolderOrigin(self.folder / path)

    def stream(self, path: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """See :meth:`~sonolake.releases.origins.base.Origin.stream`."""
        file = self.folder / path
        try:
            with file.open("rb") as feed:
                left = (feed.seek(0, 2) if end is None else end) - start
                feed.seek(start)
                while left > 0 and (block := feed.read(min(BLOCK, left))):
                    left -= len(block)
                    yield block
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound(f"{file} is not there") from None
        except OSError as error:
            raise Unreachable(f"{file} cannot be read: {error.strerror}") from error
