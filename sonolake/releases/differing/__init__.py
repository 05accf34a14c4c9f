"""What two versions of a release differ in, and which version the difference asks for."""

from sonolake.releases.differing.comparing import compare
from sonolake.releases.differing.difference import Change, Difference, Item, Move
from sonolake.releases.differing.sides import (
    Side,
    side_of_content,
    side_of_files,
    side_of_release,
    side_of_tables,
)
from sonolake.releases.differing.versions import Bump, before, next_version, require_bump

__all__ = [
    "Bump",
    "Change",
    "Difference",
    "Item",
    "Move",
    "Side",
    "before",
    "compare",
    "next_version",
    "require_bump",
    "side_of_content",
    "side_of_files",
    "side_of_release",
    "side_of_tables",
]
