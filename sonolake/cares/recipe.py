"""The recipe of a scene: everything needed to render it again, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sonolake.cares.settings import MixSettings
from sonolake.errors import InvalidInput
from sonolake.ids import make_id
from sonolake.serial import plain

CODE_VERSION = "cares-mix:9"
"""Changes whenever the same recipe would give other samples, or measured values."""


@dataclass(frozen=True)
class VoiceSpec:
    """The voice of a speaker: ``A`` or ``B``, the model's spec and the SHA-256 of its weights."""

    speaker: str
    spec: str
    weights_sha256: str


@dataclass(frozen=True)
class PauseSpec:
    """A silence inside a turn before its ``word``-th word; None seconds: drawn from the range of all gaps."""

    word: int
    seconds: float | None


@dataclass(frozen=True)
class DeliverySpec:
    """Words ``first`` to ``last`` of a turn, ``gain_db`` louder."""

    first: int
    last: int
    gain_db: float


@dataclass(frozen=True)
class VocalSpec:
    """A take of what a mouth does, heard before a turn's ``word``-th word; after the last where there are no more.

    ``trim_s`` is what people kept of it, in seconds; None for all.
    """

    word: int
    take_id: str
    trim_s: tuple[float, float] | None


@dataclass(frozen=True)
class TagTrace:
    """What an inline tag became.

    Attributes:
        tag: the text inside its brackets.
        first, last: the words over which a delivery is heard; else twice the word that it stands before.
        becomes: ``engine``, ``vocal``, ``pause`` or ``delivery``; see :mod:`sonolake.cares.spoken`.
        take_id: of a vocal.
    """

    tag: str
    first: int
    last: int
    becomes: str
    take_id: str | None


@dataclass(frozen=True)
class TurnSpec:
    """One turn.

    Attributes:
        speaker: ``A`` or ``B``.
        text: with its tags and ellipses.
        spoken: what the voice is given.
        words: what the aligner is given.
        seed: of the synthesis.
        pauses, vocals, deliveries: what the marks of ``text`` become.
        tags: which of these each tag became.
    """

    speaker: str
    text: str
    spoken: str
    words: tuple[str, ...]
    seed: int
    pauses: tuple[PauseSpec, ...]
    deliveries: tuple[DeliverySpec, ...]
    vocals: tuple[VocalSpec, ...] = ()
    tags: tuple[TagTrace, ...] = ()


@dataclass(frozen=True)
class EventPlan:
    """One event: what it is, how it is reacted to, where it falls, which take it is and how far away.

    ``before`` is the number of turns before it, at least 1 and less than all. ``trim_s`` is the start and end of what
    is used of the take, in seconds; None for all of it.
    """

    event_id: str
    reaction: str
    register: str | None
    layer: str
    band: str
    before: int
    take_id: str
    distance_m: float
    reference_m: float
    trim_s: tuple[float, float] | None = None


@dataclass(frozen=True)
class SceneRecipe:
    """A scene before it is rendered; ``scene_id`` is the hash of all of it.

    Attributes:
        scenario_id, template_id, split, location: where it comes from.
        voices: of A and B.
        turns, events: in order of time.
        ambience_id, response_id: assets; without a response the scene is dry.
        wet: share of the response in the mix, 0 to 0.25.
        settings: the numbers of the mix.
        code_version: of the renderer.
    """

    scenario_id: str
    template_id: str
    split: str
    location: str
    voices: tuple[VoiceSpec, ...]
    turns: tuple[TurnSpec, ...]
    events: tuple[EventPlan, ...]
    ambience_id: str
    response_id: str | None
    wet: float
    settings: MixSettings
    code_version: str = CODE_VERSION

    def __post_init__(self) -> None:
        if {t.speaker for t in self.turns} - {v.speaker for v in self.voices}:
            raise InvalidInput("voices", "one for every speaker", [v.speaker for v in self.voices])
        for event in self.events:
            if not 0 < event.before < len(self.turns):
                raise InvalidInput(
                    f"turns before {event.event_id}", f"1 to {len(self.turns) - 1}", event.before
                )

    @property
    def take_ids(self) -> tuple[str, ...]:
        """Takes that are heard: of the events, then of what mouths do."""
        vocals = [vocal.take_id for turn in self.turns for vocal in turn.vocals]
        return (*(event.take_id for event in self.events), *vocals)

    @cached_property
    def scene_id(self) -> str:
        """Names the scene and seeds every draw of its mix."""
        return make_id("scene", {"recipe": plain(self)})
