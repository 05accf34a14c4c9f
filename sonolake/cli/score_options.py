"""What the commands of ``sonolake score`` have in common: styles of tables, several systems' files by name."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import typer


class TableStyle(StrEnum):
    """Tables for a document."""

    MARKDOWN = "markdown"
    LATEX = "latex"


def named_paths(given: Sequence[str], option: str) -> dict[str, Path]:
    """Paths by name; a path without a name goes by its stem.

    Args:
        given: ``NAME=PATH`` or ``PATH`` each.
        option: where they were given.

    Raises:
        BadParameter: for two of one name.
    """
    found: dict[str, Path] = {}
    for one in given:
        name, sign, rest = one.partition("=")
        has_name = bool(sign and name) and not Path(one).exists()
        label, path = (name, Path(rest)) if has_name else (Path(one).stem, Path(one))
        if label in found:
            raise typer.BadParameter(f"two are called {label!r}; write NAME=PATH", param_hint=option)
        found[label] = path
    return found
