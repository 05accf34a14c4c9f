"""Searches of mining: the utterances whose windows are nearest to a vector, as many as are wanted or there.

What may be found is decided before any search. Where that is a small part of a space, the search is told, and compares
nothing else; where it is most of it, the search goes through the index, whose cost hardly depends on how many windows
there are, and what may not be found is left out of its answer. Either way it goes on until the list is full or nothing
is left, so that filters never make a list short.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.lake import Lake
from sonolake.wesr.mining import RankedList, ranked

WINDOWS = 2000
"""Windows asked of a vector space for one query at first; an utterance has up to 62."""
MOST_IDS = 20_000
"""Of so many recordings the ids are handed to the search; of more, what it finds is filtered afterwards."""
MOSTLY = 0.5
"""From this share of a space on it is searched without a filter."""

Vector = npt.NDArray[np.float32]
Place = tuple[str, float, float]
"""An utterance, and a window's start and end in it, in seconds."""


@dataclass(frozen=True)
class Space:
    """A vector space that is asked: whose vectors are compared, and from which distance on nothing is meant."""

    name: str
    weights_sha256: str
    nothing: float = np.inf

    @property
    def where(self) -> str:
        """The condition on its rows."""
        return f"kind = 'speech' AND weights_sha256 = '{self.weights_sha256}'"


class Places:
    """Which of some utterances a window of a recording belongs to."""

    def __init__(self, utterances: Sequence[Mapping[str, Any]]) -> None:
        self.utterances = utterances
        self._by_recording: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for row in utterances:
            self._by_recording[row["asset_id"]].append(row)

    @property
    def recordings(self) -> list[str]:
        """The recordings that they are of."""
        return sorted(self._by_recording)

    def of(self, window: Mapping[str, Any]) -> Place | None:
        """The utterance that holds the window's middle, and the window within it; None between utterances."""
        middle = (window["start_s"] + window["end_s"]) / 2
        for row in self._by_recording.get(window["asset_id"], ()):
            start, end = row["start_s"], row["end_s"]
            if start <= middle < end:
                return (
                    row["utterance_id"],
                    max(0.0, window["start_s"] - start),
                    min(window["end_s"], end) - start,
                )
        return None


class WindowSearch:
    """Searches for ``top`` utterances among some of a lake's.

    Args:
        lake: the lake.
        places: the utterances that may be found.
        top: how many a list is to have.
    """

    def __init__(self, lake: Lake, places: Places, top: int) -> None:
        self.lake, self.places, self.top = lake, places, top
        self._through_index = cache(self._is_worth_it)

    def ranked(self, space: Space, vector: Vector, tag: str, query_id: str) -> RankedList:
        """A list of ``top`` utterances, of fewer only when the space has no more of them."""
        if not self.lake.vectors.count(space.name):
            return RankedList(tag, query_id, (), space.name)
        if self._through_index(space):
            made, whole = self._widening(space, vector, tag, query_id, filtered=False)
            if whole:
                return made
        return self._widening(space, vector, tag, query_id, filtered=True)[0]

    def _is_worth_it(self, space: Space) -> bool:
        """Whether the space has an index, and most of its windows may be found, as far as recordings have equally
        many."""
        vectors, lake = self.lake.vectors, self.lake
        if vectors.searched(space.name).exact:
            return False
        (speech,) = lake.rows("SELECT count(*) AS n FROM assets WHERE kind = 'speech'")
        own = vectors.count(space.name, space.weights_sha256) / vectors.count(space.name)
        return bool(own * len(self.places.recordings) >= MOSTLY * speech["n"])

    def _widening(
        self, space: Space, vector: Vector, tag: str, query_id: str, filtered: bool
    ) -> tuple[RankedList, bool]:
        """The list from as many windows as it takes, and whether it is full or all else means nothing."""
        recordings = self.places.recordings
        where = space.where if filtered else None
        ids = recordings if filtered and len(recordings) <= MOST_IDS else None
        windows = WINDOWS
        while True:
            found = self.lake.vectors.search(space.name, vector, windows, where=where, ids=ids)
            hits = found.select(["asset_id", "weights_sha256", "start_s", "end_s", "distance"]).to_pylist()
            near = [hit for hit in hits if hit["distance"] < space.nothing]
            own = [hit for hit in near if hit["weights_sha256"] == space.weights_sha256]
            made = self._listed(space, tag, query_id, own)
            if len(made.hits) >= self.top or len(near) < len(hits):
                return made, True
            if len(hits) < windows:
                return made, False
            windows *= 4

    def _listed(self, space: Space, tag: str, query_id: str, hits: Sequence[Mapping[str, Any]]) -> RankedList:
        inside = list(self._inside(hits))
        names, onsets, ends, far = zip(*inside, strict=True) if inside else ((), (), (), ())
        return ranked(tag, query_id, names, onsets, far, self.top, ends, space.name)

    def _inside(self, hits: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, float, float, float]]:
        """Utterance, onset, end and distance of the windows that may be found."""
        for hit in hits:
            if (place := self.places.of(hit)) is not None:
                yield (*place, hit["distance"])
