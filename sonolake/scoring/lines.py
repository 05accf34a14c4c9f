"""Answers as JSON lines: objects that name what they answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def objects(path: Path, name: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Number from 1 and object of each line that is not blank, or why it is none.

    Args:
        path: JSON lines.
        name: the field that says what is answered, a text in every object.
    """
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield number, _object(line, name)


def _object(line: str, name: str) -> dict[str, Any] | str:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        return f"no JSON: {error.msg}"
    if not isinstance(row, dict) or not isinstance(row.get(name), str):
        return f"no object with {'an' if name[0] in 'aeiou' else 'a'} {name}"
    return row


def as_text(answer: Any) -> str:
    """An answer as what was said: text stays, anything else becomes JSON."""
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
