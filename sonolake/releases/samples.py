"""What the report shows: bars to draw and samples to play. Times are seconds from the start of the sound."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.errors import InvalidInput

KINDS = ("pivot", "verbal", "behavioral", "ambient", "speech", "ambience", "event", "tag")
"""Kinds of a track: the four reactions of CARES, then speech, ambience, a plain sound event, a vocal tag."""


@dataclass(frozen=True)
class Track:
    """One labelled stretch on a timeline; ``lane`` groups stretches on one line, ``end_s`` = ``start_s`` for a point.

    Raises:
        InvalidInput: for an unknown kind or an end before the start.
    """

    lane: str
    label: str
    start_s: float
    end_s: float
    kind: str = "event"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidInput("kind of a track", f"one of {KINDS}", self.kind)
        if not 0 <= self.start_s <= self.end_s:
            raise InvalidInput(f"times of {self.label}", "0 <= start_s <= end_s", (self.start_s, self.end_s))


@dataclass(frozen=True)
class Line:
    """One line of a transcript: who, what, and when where known."""

    speaker: str
    text: str
    start_s: float | None = None


@dataclass(frozen=True)
class Direction:
    """A sound seen from above: azimuth in degrees, counter-clockwise, 0 front and +90 left; distance in metres."""

    label: str
    azimuth_deg: float
    distance_m: float
    elevation_deg: float = 0.0


@dataclass(frozen=True)
class Quiz:
    """A question with its options and the right one (an element of ``options``)."""

    question: str
    options: tuple[str, ...]
    answer: str
    topic: str = ""


@dataclass(frozen=True)
class ReportSample:
    """One item to play: small sound (MP3), its spectrogram (PNG, the same time span) and what happens when.

    Args:
        item_id, config, split: which item it is; title: what a person calls it; duration_s: seconds.
        mp3, png: bytes that go into the page.
        tracks: the timeline; transcript: lines spoken; directions, quizzes: for spatial clips.
        facts: short pairs such as ("Location", "cafe").
    """

    item_id: str
    config: str
    split: str
    title: str
    mp3: bytes
    png: bytes
    duration_s: float
    tracks: tuple[Track, ...] = ()
    transcript: tuple[Line, ...] = ()
    directions: tuple[Direction, ...] = ()
    quizzes: tuple[Quiz, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.duration_s <= 0:
            raise InvalidInput(f"duration_s of {self.item_id}", "seconds above 0", self.duration_s)


@dataclass(frozen=True)
class Chart:
    """Bars: how often each value of a column occurs, split by split.

    ``column`` may be a path into nested columns (``events.reaction`` for a list of structs); ``labels`` fixes the
    order of the first bars, the rest follow by count.
    """

    title: str
    config: str
    column: str
    unit: str = "items"
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """What was looked for in the content of a release: a table with its head, and what it says in a sentence.

    ``proof`` is the id of the proof that states its figures; without one they are shown as quotations.
    """

    title: str
    verdict: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    proof: str = ""
