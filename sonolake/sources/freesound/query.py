"""What is asked for: words and filters, or something to be similar to, or sounds by their numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import InvalidInput, NotFound
from sonolake.ids import canonical_json, sha256_hex
from sonolake.sources.freesound.sounds import FIELDS

PREFIX = "freesound:"
"""How a SOURCE begins that is a search."""
PAGE_SIZE = 150
"""The largest that the API gives."""
SORTS = (
    "score",
    "duration_desc",
    "duration_asc",
    "created_desc",
    "created_asc",
    "downloads_desc",
    "downloads_asc",
    "rating_desc",
    "rating_asc",
)
_BY_DISTANCE = re.compile(r"\w+:-?[\d.]+(,\w+:-?[\d.]+)*")
_ID = re.compile(r"(?:freesound:|https?://(?:www\.)?freesound\.org/(?:people/[^/]+/sounds|s)/)?(\d{1,12})/?")


@dataclass(frozen=True)
class Query:
    """A search.

    Args:
        text: words, ``-word`` and ``"phrases"``; all sounds when it is blank.
        filter: in the API's syntax, such as ``duration:[1 TO 5] license:"Creative Commons 0"``.
        sort: one of :data:`SORTS`, or ``field:value,…`` for the distance from these values.
        similar_to: number of a sound, or a vector of the API's space ``laion_clap`` (512 values).

    Raises:
        InvalidInput: for another sort, a search for nothing, or one for words and similarity at once.
    """

    text: str = ""
    filter: str = ""
    sort: str = "score"
    similar_to: int | tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.sort not in SORTS and not _BY_DISTANCE.fullmatch(self.sort):
            raise InvalidInput("--sort", f"one of {', '.join(SORTS)}, or field:value", self.sort)
        if not self.text.strip() and not self.filter.strip() and self.similar_to is None:
            raise InvalidInput(
                "search", "words after freesound:, a filter, or something to be similar to", ""
            )
        if self.text.strip() and self.similar_to is not None:
            raise InvalidInput(
                "search", "words or something to be similar to, as the API takes one", self.text
            )

    @property
    def key(self) -> str:
        """A name for the list of what is found, the same for the same search."""
        return sha256_hex(canonical_json([vars(self), FIELDS, PAGE_SIZE]).encode())[:24]

    def params(self, page: int) -> dict[str, str]:
        """The parameters of one page, counted from 1.

        The server decodes percent signs in words and filters twice, so they are encoded once here.
        """
        params = {"query": self.text.replace("%", "%25"), "fields": ",".join(FIELDS)}
        if self.filter.strip():
            params["filter"] = self.filter.replace("%", "%25")
        if self.sort != "score":
            params["sort"] = self.sort
        if self.similar_to is not None:
            params |= {"similar_to": _target(self.similar_to), "similarity_space": "laion_clap"}
        return {**params, "page": str(page), "page_size": str(PAGE_SIZE)}


def _target(similar_to: int | tuple[float, ...]) -> str:
    if isinstance(similar_to, int):
        return str(similar_to)
    return json.dumps([round(value, 4) for value in similar_to], separators=(",", ":"))


def words_of(event: str) -> str:
    """The words of an event's identifier: ``shared/dog_bark`` is looked for as ``dog bark``."""
    return event.rpartition("/")[2].replace("_", " ").strip()


def queries_by_ids(ids: list[int]) -> Iterator[tuple[list[int], Query]]:
    """Searches that together find the sounds of these numbers, a page each, with the numbers of each."""
    for start in range(0, len(ids), PAGE_SIZE):
        chunk = ids[start : start + PAGE_SIZE]
        yield chunk, Query(filter=f"id:({' OR '.join(map(str, chunk))})")


def read_ids(path: Path) -> list[int]:
    """The numbers in a file, each once, in order: one a line, alone, after ``freesound:``, or in the address of a page.

    What follows ``#`` is left out, and blank lines.

    Raises:
        NotFound: there is no such file.
        InvalidInput: for a line that is no number; the message names it.
    """
    if not path.is_file():
        raise NotFound(f"--ids {path}: there is no such file")
    ids: dict[int, None] = {}
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        entry = re.sub(r"(^|\s)#.*", "", line).strip()
        match = _ID.fullmatch(entry)
        if entry and match is None:
            allowed = "the number of a sound, such as 12345 or freesound:12345"
            raise InvalidInput(f"--ids {path.name}, line {number}", allowed, entry[:80])
        if match is not None:
            ids[int(match[1])] = None
    return list(ids)
