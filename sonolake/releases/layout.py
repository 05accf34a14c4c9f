"""Where things lie in a release folder, and which relative paths may be in one.

Paths are relative to the release folder, POSIX, and safe on every file system that people use; a manifest that
says otherwise is refused before anything is touched.
"""

from __future__ import annotations

import re
from pathlib import Path

from sonolake.errors import InvalidInput

MANIFEST = "manifest.parquet"
ITEMS = "items.parquet"
LINEAGE = "lineage.parquet"
CARD = "README.md"
CHANGELOG = "CHANGELOG.md"
ATTRIBUTION_CSV = "ATTRIBUTION.csv"
ATTRIBUTION_MD = "ATTRIBUTION.md"
CHECKSUMS = "SHA256SUMS"
VIEWS = "views.sql"
REPORT = "report.html"
CROISSANT = "croissant.json"
PROOFS = "proofs"
COMPLETE = "_COMPLETE"
PULLED_PREFIX = "_PULLED-"
"""A folder that holds only some splits has one empty file of this name and the split's for each of them."""
PART_SUFFIX = ".part"
"""A file on its way in; never part of a release."""
SELECTION = "_SELECTION.json"
"""In a folder that holds chosen items only: of which release, and by which condition; written last."""
SELECTING = "_SELECTING.json"
"""The same while such a folder is being filled."""
PULL_LOCK = ".pull.lock"
"""Held by a pull into the folder, gone when it ends; one that was killed leaves it."""

NOTICE = "_RETRACTED.json"
"""In a version that was retracted: why, which items and files are withheld, and what replaces it."""

UNLISTED = (MANIFEST, CHECKSUMS, COMPLETE)
"""Files that the manifest cannot list: itself, the sums that include it, and the mark that names its hash."""

SPLITS = ("train", "validation", "test")

LONGEST = 512
"""Characters of a path in a release."""
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}\Z")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,199}\Z")
_VERSION = re.compile(r"((0|[1-9][0-9]{0,8})\.){2}(0|[1-9][0-9]{0,8})\Z")
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?\Z", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Whether Windows would take it for a device, such as ``con`` or ``nul.txt``."""
    return _DEVICES.match(name) is not None


def checked_name(what: str, name: str) -> str:
    """``name`` if it may name a release or a config.

    Raises:
        InvalidInput: unless it is 1 to 64 of ``a-z 0-9 . _ -``, starts with a letter or digit, and holds no ``..``
            and no point at its end.
    """
    if not _NAME.match(name) or _DEVICES.match(name) or ".." in name or name.endswith("."):
        raise InvalidInput(what, "1 to 64 of a-z 0-9 . _ -, first a letter or digit, no point last", name)
    return name


def checked_version(version: str) -> str:
    """``version`` if it is one.

    Raises:
        InvalidInput: unless it is three numbers of at most nine digits, without leading zeros.
    """
    if not _VERSION.match(version):
        raise InvalidInput("version", "MAJOR.MINOR.PATCH, such as 1.0.0", version)
    return version


def checked_path(path: str) -> str:
    """``path`` if it stays inside a folder and is portable.

    Raises:
        InvalidInput: for an absolute path, ``..``, a backslash, a device name, an odd character, or a long one.
    """
    parts = path.split("/")
    if len(path) <= LONGEST and all(
        _PART.match(p) and not _DEVICES.match(p) and not p.endswith(".") for p in parts
    ):
        return path
    raise InvalidInput(
        "path in a release", "a relative path of plain names", path, "a damaged or hostile manifest"
    )


def shard_path(config: str, split: str, shard: int, shards: int) -> str:
    """The path of one shard, in the form that the Hugging Face loader reads splits from."""
    return f"data/{config}/{split}-{shard:05d}-of-{shards:05d}.parquet"


def pulled_splits(folder: Path) -> tuple[str, ...]:
    """The splits that ``folder`` says it was restricted to when pulled; empty for a whole release."""
    return tuple(sorted(p.name[len(PULLED_PREFIX) :] for p in folder.glob(f"{PULLED_PREFIX}*")))
