"""The records of the benchmark: a clip with one question of each stage, and what is known about the clip."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sonolake.errors import InvalidInput
from sonolake.spatial.dimensions import DIMENSIONS
from sonolake.spatial.records import FAR_M, ClipEvent

CONTEXTS = ("no", "predicted", "oracle")
"""What stage 2 is asked after: nothing, the model's own answer to stage 1, or the right one (RMS-AQA, table 3)."""


@dataclass(frozen=True)
class Query:
    """One question: its id, its text, the options' texts by letter, and the letter of the right one."""

    question_id: str
    question: str
    options: Mapping[str, str]
    answer: str

    def __post_init__(self) -> None:
        letters = all(len(key) == 1 and "A" <= key <= "Z" for key in self.options)
        if len(self.options) < 2 or not letters:
            raise InvalidInput("options", "two or more, each by one capital letter", list(self.options))
        if self.answer not in self.options:
            raise InvalidInput("answer", f"one of {', '.join(self.options)}", self.answer)


@dataclass(frozen=True)
class Record:
    """Both questions about a clip.

    Attributes:
        record_id: names the record; also a clip with several records has one each.
        clip_id: the clip. Records of one clip are no independent draws.
        dimension: of stage 2, an abbreviation.
        stage_1, stage_2: the questions.
        origin: ``simulated``, ``recorded`` or ``stand-in``; empty when it is not known.
        concurrent: most sources that sound at once; None when it is not known.
        farthest_m: distance of the farthest source in metres; None when it is not known.
        audio: where the recording lies, seen from the questions; empty when nothing says so.
    """

    record_id: str
    clip_id: str
    dimension: str
    stage_1: Query
    stage_2: Query
    origin: str = ""
    concurrent: int | None = None
    farthest_m: float | None = None
    audio: str = ""

    def __post_init__(self) -> None:
        if self.dimension not in DIMENSIONS:
            raise InvalidInput("dimension", f"one of {', '.join(DIMENSIONS)}", self.dimension)

    @property
    def distance(self) -> str:
        """``near``, ``far`` (a source at :data:`~sonolake.spatial.records.FAR_M` or beyond), or empty."""
        if self.farthest_m is None:
            return ""
        return "far" if self.farthest_m >= FAR_M else "near"


def most_at_once(events: Sequence[ClipEvent]) -> int:
    """The largest number of events that sound at one time; one that begins as another ends does not join it."""
    changes = sorted([(e.onset_s, 1) for e in events] + [(e.offset_s, -1) for e in events])
    most = now = 0
    for _, change in changes:
        now += change
        most = max(most, now)
    return most


def farthest(events: Sequence[ClipEvent]) -> float | None:
    """The largest distance in metres, None when one is not known or there is no event."""
    distances = [event.distance_m for event in events]
    return max(distances) if distances and not any(map(math.isnan, distances)) else None
