"""Is a folder what was published, or what was pulled of it?"""

from __future__ import annotations

from pathlib import Path

from sonolake.releases.checking import Problem, verify_release
from sonolake.releases.selection import is_selection, verify_selection


def verify(folder: Path, recorded: str | None = None) -> list[Problem]:
    """All differences between ``folder`` and the release it says it is; none means that every byte is right.

    A folder that was pulled with some splits or chosen items only is right when those are.

    Args:
        folder: a release, or what was pulled of one.
        recorded: SHA-256 of the manifest that was published, where it is on record, as in a lake. Then the folder
            has to be that very release, and all of it: marks of a partial pull excuse nothing.
    """
    if recorded is None and is_selection(folder):
        return verify_selection(folder)
    return verify_release(folder, recorded)
