"""Which version may follow which, by Croissant 1.1 (Dataset Versioning), which is Semantic Versioning 2.0.0 for data.

- PATCH: the data is the same; it may be packaged otherwise, and what is said about it (``sdVersion``, the version of
  the metadata) may change.
- MINOR: the data that was there is the same and can still be had as it was; there is more: items, columns, tables.
- MAJOR: data was edited, removed, or moved between splits.

Version 0.x is held to the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from sonolake.errors import Refused
from sonolake.releases.layout import checked_version


class Bump(IntEnum):
    """The part of a version that has to rise at least."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


def numbers(version: str) -> tuple[int, int, int]:
    """Major, minor and patch.

    Raises:
        InvalidInput: for what is no version.
    """
    major, minor, patch = map(int, checked_version(version).split("."))
    return major, minor, patch


def newest_first(versions: Iterable[str]) -> list[str]:
    """In the order of their numbers, the highest first."""
    return sorted(versions, key=numbers, reverse=True)


def before(version: str, versions: Iterable[str]) -> str | None:
    """The highest of ``versions`` below ``version``; None when there is none."""
    return next((one for one in newest_first(versions) if numbers(one) < numbers(version)), None)


def next_version(version: str, bump: Bump) -> str:
    """The lowest version with that part raised; without a difference the next PATCH."""
    major, minor, patch = numbers(version)
    if bump is Bump.MAJOR:
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if bump is Bump.MINOR else f"{major}.{minor}.{patch + 1}"


def require_bump(name: str, old: str, new: str, bump: Bump, why: str) -> None:
    """Let ``new`` pass as what follows ``old`` when ``bump`` is the least that has to rise.

    Raises:
        Refused: when it is too low.
    """
    least = next_version(old, bump)
    if numbers(new) < numbers(least):
        raise Refused(
            f"{name} {new} cannot follow {old}: {why}; by Croissant's rules that is {bump.name}, "
            f"{least} or later (sonolake diff and plan list what differs)"
        )
