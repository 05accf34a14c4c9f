"""The records of the banks, each checked when it is made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sonolake.cares.banks.matter import Matter
from sonolake.cares.phrases import names_in
from sonolake.cares.records import REACTIONS
from sonolake.errors import InvalidInput

EVENT_ID = re.compile(r"[a-z_]+/[a-z0-9_]+")
ANYWHERE = ("shared", "general")
"""Namespaces whose sounds may occur in every location that is not forbidden."""
RARE = "rare_events"
"""Namespace of the seldom and striking sounds, which are only ever pivots."""
VOCAL = "vocal"
"""Namespace of what a speaker's own mouth does: never placed as an event, only the trace of a tag."""
_YOUNG_AGE = (
    r"(?<![\w-])(\d|1[0-7]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(thir|four|fif|six|seven)teen)"
    r"[- ]years?[- ]olds?"
)
_MINORS = re.compile(
    r"\b((grand|step|school)?(child(ren)?|sons?|daughters?|boys?|girls?|kids?)|teen\w*|toddlers?|bab(y|ies)|infants?"
    r"|pupils?|minors?|adolescents?|youngsters?|(pre-?)?schoolers?)\b"
    r"(?!['’]|[- ](minder|sitter|carer|nurse|doctor|psychologist))"
    rf"|{_YOUNG_AGE}\b",
    re.IGNORECASE,
)
_ADULT = re.compile(
    r"\b(grown|adult)\b|\b(parent|mother|father|guardian|teacher|coach|nurse|carer)s? (of|for)\b|-in-law\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Location:
    """A place.

    Attributes:
        location_id, name: for machines and for people.
        setting: indoor or outdoor.
        wet: the share of its response in the mix, 0 to 0.25.
        here: time phrases by which people who are there begin to talk, for the embedded writer.
    """

    location_id: str
    name: str
    setting: str
    wet: float
    here: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.setting not in ("indoor", "outdoor"):
            raise InvalidInput("setting", "indoor or outdoor", self.setting)
        if not 0.0 <= self.wet <= 0.25:
            raise InvalidInput("wet", "a share within 0 and 0.25", self.wet)


@dataclass(frozen=True)
class Relation:
    """Two adult roles.

    Attributes:
        relation_id: its name.
        roles: of the two.
        why: for each role, clauses why it turns to the other one, for the embedded writer.
        avoid: kinds of people of whom these two do not speak as of somebody else, such as "husband".
    """

    relation_id: str
    roles: tuple[str, str]
    why: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    avoid: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if young := [r for r in self.roles if _MINORS.search(r) and not _ADULT.search(r)]:
            raise InvalidInput("roles", "two adult roles", young, "say grown or adult where it is meant")
        if strange := set(self.why) - set(self.roles):
            raise InvalidInput("why", f"clauses of {self.roles}", sorted(strange))


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
        names = [r.register for r in self.registers]
        if bool(names) == (self.reaction == "ambient") or len(set(names)) < len(names):
            raise InvalidInput("registers", "distinct ones for every reaction but ambient", names)


@dataclass(frozen=True)
class Tag:
    """An inline tag and its trace in the audio.

    Attributes:
        tag: the text inside the brackets.
        becomes: ``delivery`` (the phrase after it is ``gain_db`` louder), ``pause`` (``pause_s`` of silence) or
            ``vocal`` (a take of the event ``vocal`` in a pause of ``pause_s``; without one, the pause alone).
        gain_db: -12 to 12 dB, for a delivery.
        pause_s: up to 3 s, for the other two.
        vocal: ``vocal/name`` of the events, for a vocal tag.
    """

    tag: str
    becomes: str
    gain_db: float
    pause_s: float
    vocal: str

    def __post_init__(self) -> None:
        if re.search(r"[\[\]]|^\s|\s$", self.tag):
            raise InvalidInput("tag", "text without brackets", self.tag)
        gain, pause = 0 < abs(self.gain_db) <= 12, 0 < self.pause_s <= 3
        traces = {
            "delivery": gain and not self.pause_s and not self.vocal,
            "pause": pause and not self.gain_db and not self.vocal,
            "vocal": pause and not self.gain_db and self.vocal.startswith(f"{VOCAL}/"),
        }
        if not traces.get(self.becomes, False):
            allowed = "a delivery with gain_db, a pause with pause_s, or a vocal with vocal and pause_s"
            raise InvalidInput("becomes", allowed, self.becomes)


@dataclass(frozen=True)
class Sound:
    """A sound of the bank.

    Attributes:
        event_id: ``namespace/name``.
        name: what a benchmark calls it.
        heard: how a speaker refers to it without its label, singular noun phrases that begin with "that".
        guesses: clauses about what may lie behind it, without its label. A vocal sound has neither.
    """

    event_id: str
    name: str
    heard: tuple[str, ...]
    guesses: tuple[str, ...]

    def __post_init__(self) -> None:
        if not EVENT_ID.fullmatch(self.event_id):
            raise InvalidInput("event_id", "namespace/name in lower case", self.event_id)
        if self.namespace == VOCAL:
            if self.heard or self.guesses:
                raise InvalidInput("heard", "no phrases: nobody reacts to a vocal sound", self.heard)
            return
        if len(self.heard) < 2 or len(self.guesses) < 2:
            raise InvalidInput("heard", "at least two phrases, and as many guesses", self.heard)
        if wrong := [phrase for phrase in self.heard if not phrase.startswith("that ")]:
            raise InvalidInput("heard", 'phrases that begin with "that "', wrong)
        for what, phrases in (("heard", self.heard), ("guesses", self.guesses)):
            for phrase in phrases:
                if found := [label for label in self.label_words if label in phrase.lower()]:
                    raise InvalidInput(what, f"none of {self.label_words}", phrase, f"{found} is its label")

    @property
    def namespace(self) -> str:
        """The part of the id before the slash."""
        return self.event_id.partition("/")[0]

    @property
    def label_words(self) -> tuple[str, ...]:
        """Words of at least four letters in the id's name: what no speaker may call it by."""
        return tuple(word for word in self.event_id.partition("/")[2].split("_") if len(word) >= 4)


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
    matters: Mapping[str, Matter]
    lines: Lines
    sha256: str

    @cached_property
    def names(self) -> frozenset[str]:
        """Words of the matters that keep their capital inside a sentence."""
        return names_in(phrase for matter in self.matters.values() for phrase in matter.phrases)

    @property
    def placeable(self) -> tuple[str, ...]:
        """Identifiers of the sounds that a scene may place: all but the vocal ones."""
        return tuple(event_id for event_id, sound in self.sounds.items() if sound.namespace != VOCAL)

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
