"""``lake.toml``: what a lake is, and where its catalog lies."""

from __future__ import annotations

import tomllib
import uuid
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sonolake.errors import InvalidInput, LakeTooNew, LakeTooOld, NotFound, Refused

FORMAT_VERSION = 2
"""Version of the layout of a lake; an older lake is migrated, a newer one refused. Since 2, each commit leaves a copy
of the catalog beside the data: who does not know of it would let the copy fall behind."""

ROOMS = ("tables", "media", "vectors", "releases")
"""Folders of a lake."""

_ALLOWED = {"format", "id", "catalog"}


@dataclass(frozen=True)
class Root:
    """The parsed ``lake.toml`` of the lake at ``path`` (absolute)."""

    path: Path
    lake_id: str
    catalog: str
    version: int = FORMAT_VERSION

    def require_current(self) -> None:
        """Let a lake pass that may be written to.

        Raises:
            LakeTooOld: when it has to be migrated first.
        """
        if self.version < FORMAT_VERSION:
            raise LakeTooOld(
                f"{self.path} has lake format {self.version}, this sonolake writes {FORMAT_VERSION}: "
                f"`sonolake --lake {self.path} migrate` brings it there; it can be read as it is"
            )

    def text(self) -> str:
        """What ``lake.toml`` says."""
        return f'format = {self.version}\nid = "{self.lake_id}"\ncatalog = "{self.catalog}"\n'

    @property
    def catalog_path(self) -> Path:
        """The catalog's file; the entry is relative to the lake, so that a moved lake finds it."""
        return self.path / self.catalog

    @property
    def copy_path(self) -> Path:
        """The copy of the catalog that each commit leaves beside the data."""
        return self.path / "tables" / "catalog-copy.sqlite"


def is_lake(path: Path) -> bool:
    """Whether ``path`` holds a lake."""
    return (path / "lake.toml").is_file()


LOCK = "write.lock"
"""The file that a writer locks; it may be there before the lake is."""


def require_room(path: Path) -> None:
    """Let ``path`` pass when a lake is or can be there.

    Raises:
        Refused: when it holds something else.
    """
    if is_lake(path):
        return
    if not path.exists():
        if path.is_symlink():
            raise Refused(
                f"{path} is a link to {path.readlink()}, where nothing is: make that folder, or name another"
            )
        return
    if not path.is_dir() or not all(map(_is_begun, path.iterdir())):
        raise Refused(f"{path} is neither empty nor a lake: name a new folder, or one that holds lake.toml")


def _is_begun(entry: Path) -> bool:
    """Whether ``entry`` is what a creation that was cut short leaves."""
    if entry.name in ROOMS:
        return entry.is_dir() and not any(entry.iterdir())
    return entry.name in (LOCK, "lake.toml.part")


def create_root(path: Path) -> Root:
    """Lay out an empty lake at ``path``.

    Raises:
        Refused: when the folder holds something else.
    """
    path = path.absolute()
    require_room(path)
    if is_lake(path):
        return read_root(path)
    for room in ROOMS:
        (path / room).mkdir(parents=True, exist_ok=True)
    write_root(Root(path, str(uuid.uuid4()), "catalog.sqlite"))
    return read_root(path)


def write_root(root: Root) -> None:
    """Write ``lake.toml``, in one piece."""
    part = root.path / "lake.toml.part"
    part.write_text(root.text())
    part.replace(root.path / "lake.toml")


def read_root(path: Path) -> Root:
    """Read ``path/lake.toml``.

    Raises:
        NotFound: when there is no lake at ``path``.
        LakeTooNew: when it was written by a later version of sonolake.
        InvalidInput: when the file is not what it should be.
    """
    path = path.absolute()
    file = path / "lake.toml"
    if not file.is_file():
        raise NotFound(f"no lake at {path}: there is no lake.toml (make one with `sonolake init {path}`)")
    try:
        entries = tomllib.loads(file.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(str(file), "TOML", str(error), "the file was edited or cut") from None
    if unknown := set(entries) - _ALLOWED:
        raise InvalidInput(str(file), f"the keys {sorted(_ALLOWED)}", sorted(unknown))
    version = entries.get("format")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidInput(f"{file}: format", "a whole number from 1", version)
    if version > FORMAT_VERSION:
        raise LakeTooNew(
            f"{path} has lake format {version}, this sonolake knows up to {FORMAT_VERSION}: "
            "install a version of sonolake that knows it"
        )
    catalog = entries.get("catalog", "catalog.sqlite")
    if not isinstance(catalog, str) or not _is_inside(catalog):
        raise InvalidInput(f"{file}: catalog", "a path relative to the lake and inside it", catalog)
    return Root(path, str(entries.get("id", "")), catalog, version)


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts
