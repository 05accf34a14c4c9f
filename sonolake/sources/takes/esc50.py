"""ESC-50 (Piczak 2015): ``meta/esc50.csv``, ``audio/FOLD-CLIP-TAKE-TARGET.wav`` and ``LICENSE`` with a line a clip."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sonolake.sources.takes.excerpts import Excerpt, table_rows

_COLUMNS = ("filename", "category", "esc10", "src_file")
_CREDIT = re.compile(
    r"-\s*\[(?P<clip>[^\]]+)\.\w+\]:\s*clip derived from (?P<title>.*) \((?P<url>https?://\S+)\) "
    r"by (?P<author>.+) \[(?P<licence>[^\]]+)\]\s*"
)
_WHOLE = {"True": "CC-BY-3.0", "False": "CC-BY-NC-3.0"}
"""Of clips without a line: the licence of ESC-10, which ``esc10`` says, and that of the set."""


def excerpts(folder: Path) -> Iterator[Excerpt]:
    """The clips in the order of the table; clips cut from one upload to Freesound are one source.

    Raises:
        NotFound, InvalidInput: for a table that is not there or has other columns.
    """
    credits = _credits(folder / "LICENSE")
    for _, row in table_rows(folder / "meta/esc50.csv", _COLUMNS):
        stem = Path(row["filename"]).stem
        facts = credits.get(stem.rpartition("-")[0], {"licence": _WHOLE.get(row["esc10"], "")})
        yield Excerpt(
            f"esc50-{stem}",
            folder / "audio" / Path(row["filename"]).name,
            (f"esc50:{row['category']}",),
            facts={"source_id": f"freesound:{row['src_file']}", "title": f"ESC-50 {stem}", **facts},
        )


def _credits(path: Path) -> dict[str, dict[str, str]]:
    """What ``LICENSE`` says of each clip, by fold, number and take."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    found = filter(None, map(_CREDIT.fullmatch, text.splitlines()))
    return {
        m["clip"]: {name: _said(name, m[name]) for name in ("title", "author", "url", "licence")}
        for m in found
    }


def _said(name: str, text: str) -> str:
    return "Sampling+" if name == "licence" and "sampling" in text.lower() else text.strip()
