"""Files of tagged transcripts: references and hypotheses in the layouts of the published evaluator.

JSON lines with the text in ``sentence`` (or ``sentence.tagged_asr``) and the utterance in ``audio.path``,
``audio_path`` (its file name counts, without folders) or ``id``; or one JSON object with ``samples``, each with
``audio_path`` and ``prediction``. A folder is searched for ``.json`` files at its top, else for ``.jsonl`` files at any
depth.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput, NotFound

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Entry:
    """A text of an utterance."""

    utterance_id: str
    text: str


@dataclass(frozen=True)
class Unreadable:
    """A line or sample that could not be read: where, and why."""

    where: str
    why: str


def read(path: Path) -> Iterator[Entry | Unreadable]:
    """The entries of a file or folder, in order; blank lines are passed over.

    Raises:
        NotFound: when there is nothing at ``path``, or no such file in the folder.
        InvalidInput: for a JSON file that is no object with ``samples``.
    """
    for file in _files(path):
        yield from _samples(file) if file.suffix.lower() == ".json" else _lines(file)


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise NotFound(f"no transcripts at {path}: neither a file nor a folder")
    found = sorted(p for p in path.iterdir() if p.suffix.lower() == ".json")
    found = found or sorted(p for p in path.rglob("*") if p.suffix.lower() == ".jsonl" and p.is_file())
    if not found:
        raise NotFound(f"no .json or .jsonl files in {path}")
    return found


def _lines(file: Path) -> Iterator[Entry | Unreadable]:
    with file.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            if raw.strip(b" \t\r\n\xef\xbb\xbf"):
                yield _line(raw, f"{file.name}:{number}")


def _line(raw: bytes, where: str) -> Entry | Unreadable:
    try:
        row = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return Unreadable(where, f"not JSON in UTF-8 ({error})")
    text = row.get("sentence") if isinstance(row, dict) else None
    return _entry(row, text.get("tagged_asr") if isinstance(text, dict) else text, where, "sentence")


def _samples(file: Path) -> Iterator[Entry | Unreadable]:
    try:
        whole = json.loads(file.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise InvalidInput(str(file), "JSON in UTF-8", str(error), "JSON lines in a .json file") from None
    samples = whole.get("samples") if isinstance(whole, dict) else None
    if not isinstance(samples, list):
        raise InvalidInput(str(file), "an object with a list 'samples'", type(whole).__name__)
    for number, row in enumerate(samples, 1):
        text = row.get("prediction") if isinstance(row, dict) else None
        yield _entry(row, text, f"{file.name}, sample {number}", "prediction")


def _entry(row: Any, text: Any, where: str, field: str) -> Entry | Unreadable:
    name = _name(row) if isinstance(row, dict) else None
    if name is None:
        return Unreadable(where, "no audio.path, audio_path or id")
    if not isinstance(text, str):
        return Unreadable(where, f"{field} is no text")
    if _SURROGATE.search(name + text):
        return Unreadable(where, "half a character (a lone surrogate)")
    return Entry(name, text)


def _name(row: dict[str, Any]) -> str | None:
    audio = row.get("audio")
    path = audio.get("path") if isinstance(audio, dict) else row.get("audio_path")
    if isinstance(path, str) and path:
        return unicodedata.normalize("NFC", re.split(r"[/\\]", path.rstrip("/\\"))[-1])
    name = row.get("id")
    if isinstance(name, int | str) and not isinstance(name, bool) and name != "":
        return unicodedata.normalize("NFC", str(name))
    return None
