"""``lake.toml``: what a lake is, and where its catalog lies."""

from __future__ import annotations

import tomllib
import uuid
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sonolake.errors import InvalidInput, LakeTooNew, LakeTooOld, NotFound, Refused
from sonolake.lake.storage import LocalStorage, Storage
from sonolake.lake.storages import storage_at
from sonolake.s3 import is_s3

FORMAT_VERSION = 2
"""Version of the layout of a lake; an older lake is migrated, a newer one refused. Since 2, each commit leaves a copy
of the catalog beside the data: who does not know of it would let the copy fall behind."""

ROOMS = ("tables", "media", "vectors", "releases")
"""Folders of a lake."""
SETTINGS = "lake.toml"
CATALOG = "catalog.sqlite"
"""The catalog of a lake in a folder; of another lake the copy that each commit leaves."""
LOCK = "write.lock"
"""The file that a writer locks; it may be there before the lake is."""
POSTGRES = ("postgresql://", "postgres://")

_ALLOWED = {"format", "id", "catalog"}


@dataclass(frozen=True)
class Root:
    """The parsed ``lake.toml`` of the lake in ``storage``.

    ``catalog`` is a file's path relative to the lake, so that a moved lake finds it, or ``postgresql://…``.
    """

    storage: Storage
    lake_id: str
    catalog: str
    version: int = FORMAT_VERSION

    @property
    def place(self) -> str:
        """The lake's folder or address."""
        return self.storage.uri

    @property
    def on_postgres(self) -> bool:
        """Whether the catalog is in PostgreSQL."""
        return self.catalog.startswith(POSTGRES)

    @property
    def catalog_file(self) -> Path | None:
        """The catalog's file, None where the catalog that is written to is not in the lake."""
        if self.on_postgres or not isinstance(self.storage, LocalStorage):
            return None
        return self.storage.root / self.catalog

    @property
    def copy(self) -> str:
        """The copy of the catalog that each commit leaves beside the data, relative to the lake."""
        return CATALOG if self.catalog_file is None else "tables/catalog-copy.sqlite"

    @property
    def tables(self) -> str:
        """Where DuckLake keeps the files of tables, with a slash at its end."""
        return f"{self.place}/tables/"

    def require_current(self) -> None:
        """Let a lake pass that may be written to.

        Raises:
            LakeTooOld: when it has to be migrated first.
        """
        if self.version < FORMAT_VERSION:
            raise LakeTooOld(
                f"{self.place} has lake format {self.version}, this sonolake writes {FORMAT_VERSION}: "
                f"`sonolake --lake {self.place} migrate` brings it there; it can be read as it is"
            )

    def text(self) -> str:
        """What ``lake.toml`` says."""
        return f'format = {self.version}\nid = "{self.lake_id}"\ncatalog = "{self.catalog}"\n'


def is_lake(place: str | Path) -> bool:
    """Whether there is a lake at ``place``."""
    if is_s3(place):
        return storage_at(place).stat(SETTINGS) is not None
    return (Path(place) / SETTINGS).is_file()


def require_room(place: str | Path) -> None:
    """Let ``place`` pass when a lake is or can be there.

    Raises:
        InvalidInput: for an address that is none.
        MissingPackage: for S3, when boto3 is not installed.
        Refused: when it holds something else.
    """
    storage = storage_at(place)
    if is_lake(place):
        return
    if is_s3(place):
        filled = next(storage.entries(), None) is not None
        if filled and not is_lake(place):
            raise Refused(f"{place} is neither empty nor a lake: name another prefix")
        return
    path = Path(place)
    if not path.exists():
        if path.is_symlink():
            raise Refused(
                f"{path} is a link to {path.readlink()}, where nothing is: make that folder, or name another"
            )
        return
    if not path.is_dir() or not all(map(_is_begun, path.iterdir())):
        raise Refused(f"{path} is neither empty nor a lake: name a new folder, or one that holds {SETTINGS}")


def _is_begun(entry: Path) -> bool:
    """Whether ``entry`` is what a creation that was cut short leaves."""
    if entry.name in ROOMS:
        return entry.is_dir() and not any(entry.iterdir())
    return entry.name == LOCK or entry.name.startswith(f".{SETTINGS}.")


def create_root(place: str | Path, catalog: str = CATALOG) -> Root:
    """Lay out an empty lake at ``place``; the one that is there stays as it is.

    Raises:
        Refused: when the place holds something else.
    """
    require_room(place)
    storage = storage_at(place)
    if isinstance(storage, LocalStorage):
        for room in ROOMS:
            (storage.root / room).mkdir(parents=True, exist_ok=True)
    write_root(Root(storage, str(uuid.uuid4()), catalog), new=True)
    return read_root(place)


def write_root(root: Root, *, new: bool = False) -> None:
    """Write ``lake.toml``, in one piece; with ``new`` only when there is none."""
    root.storage.write(SETTINGS, root.text().encode(), new=new)


def read_root(place: str | Path) -> Root:
    """Read the ``lake.toml`` at ``place``.

    Raises:
        NotFound: when there is no lake.
        LakeTooNew: when it was written by a later version of sonolake.
        InvalidInput: when the file is not what it should be.
    """
    storage = storage_at(place)
    file = f"{storage.uri}/{SETTINGS}"
    if isinstance(storage, LocalStorage) and not is_lake(storage.root):
        raise _no_lake(storage.uri)
    try:
        entries = tomllib.loads(storage.read(SETTINGS).decode())
    except NotFound:
        raise _no_lake(storage.uri) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(file, "TOML", str(error), "the file was edited or cut") from None
    if unknown := set(entries) - _ALLOWED:
        raise InvalidInput(file, f"the keys {sorted(_ALLOWED)}", sorted(unknown))
    version = entries.get("format")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidInput(f"{file}: format", "a whole number from 1", version)
    if version > FORMAT_VERSION:
        raise LakeTooNew(
            f"{storage.uri} has lake format {version}, this sonolake knows up to {FORMAT_VERSION}: "
            "install a version of sonolake that knows it"
        )
    catalog = entries.get("catalog", CATALOG)
    if not isinstance(catalog, str) or not (catalog.startswith(POSTGRES) or _is_inside(catalog)):
        allowed = "a path relative to the lake and inside it, or postgresql://…"
        raise InvalidInput(f"{file}: catalog", allowed, catalog)
    return Root(storage, str(entries.get("id", "")), catalog, version)


def _no_lake(place: str) -> NotFound:
    return NotFound(f"no lake at {place}: there is no {SETTINGS} (make one with `sonolake init {place}`)")


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts
