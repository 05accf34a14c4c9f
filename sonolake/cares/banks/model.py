"""The records of the banks, each checked when it is made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sonolake.cares.records import REACTIONS
from sonolake.errors import InvalidInput

EVENT_ID = re.compile(r"[a-z_]+/[a-z0-9_]+")
ANYWHERE = ("shared", "general")
"""Namespaces whose sounds may occur in every location that is not forbidden."""
RARE = "rare_events"
"""Namespace of the seldom and striking sounds, which are only ever pivots."""


@dataclass(frozen=True)
class Location:
    """A place: ``name`` for people, ``setting`` indoor or outdoor, ``wet`` the share of its response in the mix."""

    location_id: str
    name: str
    setting: str
    wet: float

    def __post_init__(self) -> None:
        if self.setting not in ("indoor", "outdoor"):
            raise InvalidInput("setting", "indoor or outdoor", self.setting)
        if not 0.0 <= self.wet <= 0.25:
            raise InvalidInput("wet", "a share within 0 and 0.25", self.wet)


@dataclass(frozen=True)
class Relation:
    """Two adult roles."""

    relation_id: str
    roles: tuple[str, str]


@dataclass(frozen=True)
class Register:
    """A way to react; ``tags`` are the delivery tags of which a voice-only register needs one."""

    register: str
    meaning: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Reaction:
    """A reaction type with its registers; ambient has none."""

    reaction: str
    meaning: str
    registers: tuple[Register, ...]

    def __post_init__(self) -> None:
        if self.reaction not in REACTIONS:
            raise InvalidInput("reaction", f"one of {REACTIONS}", self.reaction)


@dataclass(frozen=True)
class Tag:
    """A delivery tag and its trace in the audio.

    Attributes:
        tag: the text inside the brackets.
        becomes: ``delivery`` (the phrase after it is ``gain_db`` louder) or ``pause`` (``pause_s`` of silence).
        gain_db: -12 to 12 dB; 0 for a pause.
        pause_s: 0 to 3 s; 0 for a delivery.
    """

    tag: str
    becomes: str
    gain_db: float
    pause_s: float

    def __post_init__(self) -> None:
        traces = {"delivery": 0 < abs(self.gain_db) <= 12, "pause": 0 < self.pause_s <= 3}
        if not traces.get(self.becomes, False):
            raise InvalidInput(
                f"tag {self.tag}", "a delivery with gain_db or a pause with pause_s", self.becomes
            )


@dataclass(frozen=True)
class Sound:
    """A sound that a scene may place.

    Attributes:
        event_id: ``namespace/name``.
        name: what a benchmark calls it.
        heard: how a speaker refers to it without its label, singular noun phrases that begin with "that".
        guesses: clauses about what may lie behind it, without its label.
    """

    event_id: str
    name: str
    heard: tuple[str, ...]
    guesses: tuple[str, ...]

    def __post_init__(self) -> None:
        if not EVENT_ID.fullmatch(self.event_id):
            raise InvalidInput("event_id", "namespace/name in lower case", self.event_id)
        if len(self.heard) < 2 or len(self.guesses) < 2:
            raise InvalidInput(f"{self.event_id} phrases", "at least two of heard and of guesses", self.heard)
        for phrase in (*self.heard, *self.guesses):
            if found := [label for label in self.label_words if label in phrase.lower()]:
                raise InvalidInput(
                    f"{self.event_id} phrase", f"none of {self.label_words}", phrase, str(found)
                )

    @property
    def namespace(self) -> str:
        """The part of the id before the slash."""
        return self.event_id.partition("/")[0]

    @property
    def label_words(self) -> tuple[str, ...]:
        """Words of at least four letters in the id's name: what no speaker may call it by."""
        return tuple(word for word in self.event_id.partition("/")[2].split("_") if len(word) >= 4)


@dataclass(frozen=True)
class Situation:
    """A theme with everything that can be said about it.

    Attributes:
        category, theme: the template's.
        things: singular noun phrases, each with what is wrong with it (verb phrases after the noun).
        fixes, hopes: verb phrases in the base form.
        snags, claims, facts: clauses; facts are the owner's own.
        people: who says the claims.
        whens: time phrases for the end of a sentence.
    """

    category: str
    theme: str
    things: tuple[tuple[str, tuple[str, ...]], ...]
    fixes: tuple[str, ...]
    snags: tuple[str, ...]
    claims: tuple[str, ...]
    people: tuple[str, ...]
    facts: tuple[str, ...]
    hopes: tuple[str, ...]
    whens: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.fixes) < 3 or min(map(len, (self.snags, self.claims, self.people, self.facts))) < 3:
            raise InvalidInput(f"situation {self.theme}", "at least three phrases of every kind", self.theme)


Lines = Mapping[str, tuple[str, ...]]
"""The writer's lines by the name of what they do."""


@dataclass(frozen=True)
class Banks:
    """All banks; ``sha256`` is the hash of their content, for the lineage."""

    locations: Mapping[str, Location]
    relations: Mapping[str, Relation]
    reactions: Mapping[str, Reaction]
    tags: Mapping[str, Tag]
    sounds: Mapping[str, Sound]
    forbidden: frozenset[tuple[str, str]]
    situations: tuple[Situation, ...]
    lines: Lines
    sha256: str

    def pool(self, location: str) -> tuple[str, ...]:
        """Identifiers of the ordinary sounds of ``location``: its own, shared and general, minus forbidden pairs."""
        return tuple(
            sorted(
                event_id
                for event_id, sound in self.sounds.items()
                if sound.namespace in (location, *ANYWHERE) and (event_id, location) not in self.forbidden
            )
        )

    def rare(self, location: str) -> tuple[str, ...]:
        """Identifiers of the rare sounds that may occur in ``location``."""
        return tuple(
            sorted(
                event_id
                for event_id, sound in self.sounds.items()
                if sound.namespace == RARE and (event_id, location) not in self.forbidden
            )
        )

    def register(self, reaction: str, register: str) -> Register:
        """The register of that name.

        Raises:
            InvalidInput: when the reaction has no such register.
        """
        known = {r.register: r for r in self.reactions[reaction].registers}
        if register not in known:
            raise InvalidInput(f"register of {reaction}", f"one of {sorted(known)}", register)
        return known[register]
