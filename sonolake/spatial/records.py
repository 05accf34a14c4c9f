"""The records of a spatial clip: what to render, what is heard, what is asked.

All are frozen and serialise to plain dictionaries, so that a record alone renders the same clip again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.ids import make_id
from sonolake.serial import plain
from sonolake.spatial.motion import Place, TrackPoint, position

CLIP_S = 10.0
"""Length of a clip in seconds (RMS-AQA, section 2.1)."""
CLIP_RATE = 24000
"""Sample rate of a clip in Hz (RMS-AQA, section 2.1)."""
CLIP_FRAMES = 240000
"""Frames of a clip."""
FAR_M = 4.0
"""A source at or beyond this many metres is far (RMS-AQA, section 4.2)."""
ORIGINS = ("simulated", "recorded", "stand-in")
"""Where a clip comes from; a stand-in is a simulated recording in the place of a real one."""
LETTERS = "ABCD"
"""Names of the four options."""


@dataclass(frozen=True)
class Waypoint:
    """A further response that a moving source passes, and where it puts the sound."""

    response_id: str
    azimuth_deg: float
    elevation_deg: float
    distance_m: float


@dataclass(frozen=True)
class SourcePlacement:
    """One take played once through one response, or along a path of them.

    Attributes:
        event: class of the sound.
        take_id: asset of the dry sound.
        response_id: asset of the four-channel response, which fixes room, direction and distance.
        onset_s, offset_s: when the take starts and ends playing at the source, in seconds.
        azimuth_deg, elevation_deg, distance_m: where the response puts the sound.
        level_db: loudness against the clip's reference level, in dB.
        path: what a moving source passes after the first response, evenly in time, the last one at the take's end.
    """

    event: str
    take_id: str
    response_id: str
    onset_s: float
    offset_s: float
    azimuth_deg: float
    elevation_deg: float
    distance_m: float
    level_db: float = 0.0
    path: tuple[Waypoint, ...] = ()

    @property
    def response_ids(self) -> tuple[str, ...]:
        """The responses in the order in which they are passed."""
        return (self.response_id, *(point.response_id for point in self.path))

    def to_record(self) -> dict[str, Any]:
        """As plain dictionaries and lists; without ``path`` when the source stands still."""
        fields: dict[str, Any] = plain(self)
        return fields if self.path else {name: value for name, value in fields.items() if name != "path"}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SourcePlacement:
        """The placement of :meth:`to_record`."""
        return cls(**{**record, "path": tuple(Waypoint(**point) for point in record.get("path", ()))})

    def __post_init__(self) -> None:
        if not 0.0 <= self.onset_s < self.offset_s <= CLIP_S:
            raise InvalidInput(
                "source times", f"0 <= onset < offset <= {CLIP_S}", (self.onset_s, self.offset_s)
            )


@dataclass(frozen=True)
class ClipRecipe:
    """What a simulated clip is made from; ``clip_id`` is the hash of everything else.

    Attributes:
        split: ``train``, ``validation`` or ``test``.
        room: the room whose responses are used, one a clip.
        origin: one of :data:`ORIGINS`.
        sources: what is played, ordered by onset.
        ambience_id: asset of the background, or None for none.
        snr_db: loudness of the quietest source above the ambience, in dB, on W.
        loudness_lufs: loudness of the finished clip on W, before the peak rule.
        dimension, kind: what the clip was laid out to be asked, so that a set can be balanced.
    """

    split: str
    room: str
    origin: str
    sources: tuple[SourcePlacement, ...]
    ambience_id: str | None
    snr_db: float
    loudness_lufs: float
    dimension: str
    kind: str

    def __post_init__(self) -> None:
        if self.origin not in ORIGINS:
            raise InvalidInput("origin", f"one of {ORIGINS}", self.origin)
        if not self.sources:
            raise InvalidInput("sources", "at least one", self.sources)

    @cached_property
    def clip_id(self) -> str:
        """``clip-`` and 20 hexadecimal digits: the same recipe has the same id."""
        return make_id("clip", self._content())

    def to_record(self) -> dict[str, Any]:
        """The recipe as plain dictionaries and lists, with its id."""
        return {"clip_id": self.clip_id, **self._content()}

    def _content(self) -> dict[str, Any]:
        content: dict[str, Any] = plain(self)
        return {**content, "sources": [source.to_record() for source in self.sources]}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> ClipRecipe:
        """The recipe of :meth:`to_record`.

        Raises:
            InvalidInput: if the record's id is not that of its content.
        """
        fields = {k: v for k, v in record.items() if k != "clip_id"}
        recipe = cls(**{**fields, "sources": tuple(map(SourcePlacement.from_record, fields["sources"]))})
        if record.get("clip_id", recipe.clip_id) != recipe.clip_id:
            raise InvalidInput("clip_id", recipe.clip_id, record["clip_id"], "the record was edited by hand")
        return recipe


@dataclass(frozen=True)
class ClipEvent:
    """One sound as it is heard in a clip: its direct sound begins at ``onset_s`` and ends at ``offset_s``.

    ``cut_start`` and ``cut_end`` say that the window's edge, not the sound, made that time. The place is where the
    source is at ``onset_s``; ``track`` is where a moving one goes from there, empty where that is not known.
    """

    event: str
    onset_s: float
    offset_s: float
    azimuth_deg: float
    elevation_deg: float
    distance_m: float
    moving: bool = False
    cut_start: bool = False
    cut_end: bool = False
    track: tuple[TrackPoint, ...] = ()

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> ClipEvent:
        """The event of :meth:`to_record`, also with ``track`` as JSON text or null, and of tables, where ``far`` stands
        beside."""
        track = record.get("track") or ()
        points = json.loads(track) if isinstance(track, str) else track
        fields = {name: value for name, value in record.items() if name != "far"}
        return cls(**{**fields, "track": tuple(map(TrackPoint.from_record, points))})

    def to_record(self) -> dict[str, Any]:
        """As plain dictionaries and lists; without ``track`` when there is none."""
        fields = asdict(self)
        del fields["track"]
        return {**fields, "track": [point.to_record() for point in self.track]} if self.track else fields

    def position(self, at_s: float) -> Place:
        """Where the source is at a time, seconds from the clip's start."""
        if self.track:
            return position(self.track, at_s)
        return self.azimuth_deg, self.elevation_deg, self.distance_m

    def __post_init__(self) -> None:
        if not 0.0 <= self.onset_s < self.offset_s:
            raise InvalidInput("event times", "0 <= onset < offset", (self.onset_s, self.offset_s))

    @property
    def far(self) -> bool:
        """Whether the source is at :data:`FAR_M` or beyond."""
        return self.distance_m >= FAR_M

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return self.offset_s - self.onset_s


@dataclass(frozen=True)
class Question:
    """One question with four options, exactly one of them true.

    Attributes:
        stage: 1 (which sounds are audible) or 2.
        dimension: ``S1`` for stage 1, else one of the six abbreviations of ``dimensions.py``.
        kind: the question kind inside the dimension.
        arguments: what the question is about, for machines: sorted (name, value) pairs.
        question: the text.
        options: the four texts, A to D.
        values: what each option claims, for machines.
        answer: letter of the true option.
    """

    clip_id: str
    stage: int
    dimension: str
    kind: str
    arguments: tuple[tuple[str, str], ...]
    question: str
    options: tuple[str, str, str, str]
    values: tuple[str, str, str, str]
    answer: str

    def __post_init__(self) -> None:
        if self.answer not in LETTERS:
            raise InvalidInput("answer", "one of A, B, C, D", self.answer)
        if len(set(self.options)) != len(LETTERS) or len(set(self.values)) != len(LETTERS):
            raise InvalidInput("options", "four different ones", self.options)

    @property
    def question_id(self) -> str:
        """``question-`` and 20 hexadecimal digits of the hash of the whole question."""
        return make_id("question", asdict(self))

    def argument(self, name: str) -> str:
        """The value of one argument."""
        return dict(self.arguments)[name]

    def to_record(self) -> dict[str, Any]:
        """The question as a row, with its id; arguments as a dictionary."""
        fields = asdict(self)
        fields["options"], fields["values"] = list(self.options), list(self.values)
        return {"question_id": self.question_id, **fields, "arguments": dict(self.arguments)}
