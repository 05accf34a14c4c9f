"""What searches found, a file a page, so that a run that was cut short asks for no page twice.

Pages are numbered by us: the address of the next page that the server gives carries no credential and loses ``+``.
A list that was read to its end, or as far as was wanted, is asked for again once it is 20 hours old, so that a nightly
run sees what is new; one that was cut short is gone on with for a week.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from sonolake.errors import Unreachable
from sonolake.sources.freesound.access import Access
from sonolake.sources.freesound.places import write_whole
from sonolake.sources.freesound.query import PAGE_SIZE, Query
from sonolake.sources.freesound.sounds import FIELDS, Sound
from sonolake.sources.freesound.transport import Absent, BadBody, Transport, parsed

READ_S, BEGUN_S = 20 * 3600.0, 7 * 86_400.0
"""How long a list that was read, or was cut short, is not asked for anew."""
_READ = "read.json"
"""Beside the pages of a list that was read: when its last page was asked for."""


@dataclass(frozen=True)
class Listing:
    """What a search found: sounds, each once, in the search's order, and how many results were null."""

    sounds: tuple[Sound, ...]
    nulls: int


@dataclass(frozen=True)
class Page:
    """One page: how many results the search has, those of this page, when it was asked for."""

    count: int
    results: list[Any]
    asked: float

    def is_last(self, number: int) -> bool:
        """Whether no page follows, being the page of this number from 1."""
        return not self.results or number * PAGE_SIZE >= self.count


@dataclass
class Listings:
    """The lists of one server.

    Args:
        folder: where they are kept.
        transport: asks for pages.
        clock: the time now, in seconds.
    """

    folder: Path
    transport: Transport
    clock: Callable[[], float] = time.time

    def find(self, query: Query, access: Access, most: int | None = None, anew: bool = False) -> Listing:
        """The first ``most`` sounds that a search finds, all by default; ``anew`` asks for what is kept, too.

        Raises:
            InvalidInput, Refused, LimitReached, Unreachable: as the API answers; the pages before are kept.
        """
        sounds: dict[int, Sound] = {}
        nulls = 0
        folder = self.folder / query.key
        if anew or self._is_old(folder):
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)
        for page in self._pages(folder, query, access):
            for record in page.results:
                sound = Sound.of(record)
                if sound is None:
                    nulls += 1
                else:
                    sounds.setdefault(sound.id, sound)
            if most is not None and len(sounds) >= most:
                break
        write_whole(folder / _READ, json.dumps(page.asked))
        return Listing(tuple(sounds.values())[:most], nulls)

    def sound(self, number: int, access: Access) -> Sound | None:
        """One sound, None when it is not there; raises as :meth:`find`."""

        def asked() -> Page:
            try:
                fields = {"fields": ",".join(FIELDS)}
                return Page(1, [self.transport.json(f"/sounds/{number}/", access, fields)], self.clock())
            except Absent:
                return Page(0, [], self.clock())

        results = self._page(self.folder / f"sound-{number}.json", READ_S, asked).results
        return Sound.of(results[0]) if results else None

    def _pages(self, folder: Path, query: Query, access: Access) -> Iterator[Page]:
        for number in count(1):
            asked = partial(self._asked, query, access, number)
            page = self._page(folder / f"{number:05}.json", BEGUN_S, asked)
            yield page
            if page.is_last(number):
                return

    def _asked(self, query: Query, access: Access, number: int) -> Page:
        try:
            total, results = self.transport.api("/search/", access, _results, query.params(number))
        except Absent:
            if number == 1:
                raise Unreachable(f"{self.transport.base} knows no search") from None
            total, results = 0, []  # the search has become shorter meanwhile
        return Page(total, results, self.clock())

    def _page(self, path: Path, age_s: float, asked: Callable[[], Page]) -> Page:
        """The page that is kept, if it is not too old, else a new one."""
        page = _kept(path)
        if page is None or not 0 <= self.clock() - page.asked < age_s:
            page = asked()
            write_whole(path, json.dumps(vars(page)))
        return page

    def _is_old(self, folder: Path) -> bool:
        """Whether the list was read, and that is some time ago."""
        try:
            asked = float(json.loads((folder / _READ).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return False
        return not 0 <= self.clock() - asked < READ_S


def _kept(path: Path) -> Page | None:
    try:
        return Page(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _results(response: Any) -> tuple[int, list[Any]]:
    answer = parsed(response)
    if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
        raise BadBody("what came is no list of results")
    total = answer.get("count")
    return (total if isinstance(total, int) else 0), answer["results"]
