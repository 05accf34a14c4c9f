"""What a scene is before it is sound: template, scenario, timeline.

All records are frozen; :func:`sonolake.serial.to_json` writes them and reads them back. What is made is
named by a hash of what it is made from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.ids import make_id
from sonolake.serial import plain

REACTIONS = ("pivot", "verbal", "behavioral", "ambient")
"""Reaction types, in the order in which a judge decides (CARES, section 3.2)."""
BANDS = ("early", "middle", "late")
"""Thirds of the dialogue."""
LAYERS = ("core", "supporting")
"""Voice-level and set-back events (CARES, section 4)."""
GENDER_PAIRS = ("FF", "FM", "MF", "MM")
"""Genders of A and B."""


@dataclass(frozen=True)
class Template:
    """A situation that two adults could discuss.

    Attributes:
        template_id: hash of the rest.
        title, description: for people; the description is one or two sentences.
        theme, category: what it is about; each theme has its share in every split.
        details: name and value of what the embedded writer talks about; empty for an imported template.
    """

    template_id: str
    title: str
    description: str
    theme: str
    category: str
    details: tuple[tuple[str, str], ...] = ()

    @classmethod
    def make(
        cls, title: str, description: str, theme: str, category: str, details: Mapping[str, str]
    ) -> Template:
        """A template with its id."""
        rest = (title, description, theme, category, tuple(sorted(details.items())))
        return cls(make_id("template", {"of": plain(rest)}), *rest)


@dataclass(frozen=True)
class EventSpec:
    """A sound that a scenario asks for.

    Attributes:
        event_id: ``namespace/name`` of the bank.
        reaction: one of :data:`REACTIONS`.
        register: the way to react; None for ambient.
        band: the third of the dialogue it falls into.
        layer: one of :data:`LAYERS`.
    """

    event_id: str
    reaction: str
    register: str | None
    band: str
    layer: str

    def __post_init__(self) -> None:
        for what, value, allowed in (
            ("reaction", self.reaction, REACTIONS),
            ("band", self.band, BANDS),
            ("layer", self.layer, LAYERS),
        ):
            if value not in allowed:
                raise InvalidInput(what, f"one of {allowed}", value)
        if (self.register is None) != (self.reaction == "ambient"):
            raise InvalidInput("register", "a register for every reaction but ambient", self.register)


@dataclass(frozen=True)
class Scenario:
    """Everything that is decided before a word is written.

    Attributes:
        scenario_id: hash of the rest.
        template_id, number: the template and the scenario's number within it, from 0.
        split: ``train``, ``validation`` or ``test``, the template's.
        composition: ``P1V0B2A0``, the events per reaction.
        location, relation: identifiers of the banks.
        roles: the role of A and of B.
        genders: ``FM`` is a female A and a male B.
        topic: what they talk about, one sentence.
        events: in the order in which they are heard.
    """

    scenario_id: str
    template_id: str
    number: int
    split: str
    composition: str
    location: str
    relation: str
    roles: tuple[str, str]
    genders: str
    topic: str
    events: tuple[EventSpec, ...]

    def __post_init__(self) -> None:
        counts = Counter(e.reaction for e in self.events)
        if self.composition != composition_key(*(counts[r] for r in REACTIONS)):
            raise InvalidInput("composition", "the counts of the events", self.composition)
        if self.genders not in GENDER_PAIRS:
            raise InvalidInput("genders", f"one of {GENDER_PAIRS}", self.genders)

    @classmethod
    def make(cls, **parts: Any) -> Scenario:
        """A scenario with its id, from every other field."""
        return cls(scenario_id=make_id("scenario", plain_fields(parts)), **parts)


@dataclass(frozen=True)
class Utterance:
    """What speaker ``A`` or ``B`` says in one turn; delivery tags in square brackets."""

    speaker: str
    text: str


@dataclass(frozen=True)
class Event:
    """A sound between two utterances."""

    event_id: str


@dataclass(frozen=True)
class Timeline:
    """A dialogue: utterances and events in order."""

    items: tuple[Utterance | Event, ...]

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        """What is said, in order."""
        return tuple(item for item in self.items if isinstance(item, Utterance))

    def before(self) -> tuple[tuple[str, int], ...]:
        """Each event's id with the number of utterances before it."""
        found, said = [], 0
        for item in self.items:
            if isinstance(item, Event):
                found.append((item.event_id, said))
            else:
                said += 1
        return tuple(found)

    def to_plain(self) -> list[dict[str, str]]:
        """The interchange form: ``{"type": "utterance", "speaker", "text"}`` and ``{"type": "event", "event_id"}``."""
        return [{"type": type(item).__name__.lower(), **plain(item)} for item in self.items]

    @classmethod
    def from_plain(cls, rows: list[dict[str, str]]) -> Timeline:
        """Reads :meth:`to_plain`.

        Raises:
            InvalidInput: for another ``type`` or other fields.
        """
        return cls(tuple(_item(row) for row in rows))


def _item(row: Any) -> Utterance | Event:
    allowed = "an utterance with speaker and text, or an event with event_id"
    if not isinstance(row, Mapping) or not all(isinstance(value, str) for value in row.values()):
        raise InvalidInput("timeline item", allowed, row)
    rest = {key: value for key, value in row.items() if key != "type"}
    kind = row.get("type")
    if kind == "utterance" and set(rest) == {"speaker", "text"}:
        return Utterance(**rest)
    if kind == "event" and set(rest) == {"event_id"}:
        return Event(**rest)
    raise InvalidInput("timeline item", allowed, row)


def composition_key(pivot: int, verbal: int, behavioral: int, ambient: int) -> str:
    """``P1V0B2A0`` for one pivot and two behavioral events."""
    return f"P{pivot}V{verbal}B{behavioral}A{ambient}"


def plain_fields(parts: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping of field values as plain data."""
    return {name: plain(value) for name, value in parts.items()}
