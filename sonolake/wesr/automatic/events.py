"""Vocal events in the scores of windows: what is loud enough in its classes, and the likeliest of its kind.

Windows in a row in which an aggregate (laughs of all kinds, breaths of all kinds) is heard are one event; its tag is
that whose classes score best, and its place the window where they do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from sonolake.wesr.taxonomy import tag_of

HEARD = 0.3
"""Score from which on a class is heard: none of 71 utterances without events reaches it."""
CLASSES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "laughs": ("Laughter", "Belly laugh"),
        "chuckle": ("Chuckle, chortle", "Snicker"),
        "giggle": ("Giggle",),
        "cry": ("Crying, sobbing",),
        "sobbing": ("Whimper",),
        "cough": ("Cough",),
        "clear_throat": ("Throat clearing",),
        "scream": ("Screaming",),
        "roar": ("Bellow",),
        "shout": ("Shout", "Yell"),
        "breathing": ("Breathing", "Pant"),
        "inhale": ("Gasp",),
        "sigh": ("Sigh",),
        "whispering": ("Whispering",),
        "singing": ("Singing",),
    }
)
"""AudioSet's classes of the tags that have any; the others are never written."""

Scores = NDArray[np.floating]


@dataclass(frozen=True)
class Event:
    """A tag, its score 0 to 1, the middle of the window where it is best, and where it is heard, seconds."""

    tag: str
    score: float
    peak_s: float
    start_s: float
    end_s: float


def events_in(
    scores: Scores, labels: Sequence[str], hop_s: float, window_s: float, heard: float = HEARD
) -> list[Event]:
    """The events of a recording, by where they are best.

    Args:
        scores: ``(windows, classes)``, 0 to 1.
        labels: the classes' names.
        hop_s: from one window's start to the next one's, seconds.
        window_s: length of a window, seconds.
        heard: the least score that counts.
    """
    of_kind: dict[str, dict[str, Scores]] = defaultdict(dict)
    for tag, names in CLASSES.items():
        columns = [labels.index(name) for name in names]
        of_kind[tag_of(tag).aggregate][tag] = scores[:, columns].max(axis=1)
    found = []
    for tags in of_kind.values():
        table = np.stack(list(tags.values()), axis=1)
        for first, last in _runs(table.max(axis=1) >= heard):
            row, column = np.unravel_index(
                int(table[first : last + 1].argmax()), table[first : last + 1].shape
            )
            at = first + int(row)
            found.append(
                Event(
                    list(tags)[int(column)],
                    round(float(table[at, column]), 4),
                    at * hop_s + window_s / 2,
                    first * hop_s,
                    last * hop_s + window_s,
                )
            )
    return sorted(found, key=lambda event: (event.peak_s, event.tag))


def _runs(on: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(np.int8)))
    return [(int(first), int(after) - 1) for first, after in zip(edges[::2], edges[1::2], strict=True)]
