"""What the columns of an item say about its sound, in the words that formats share: turns, words, events, a text.

Any data set takes part whose columns are called as here; see :func:`labels_of`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Word:
    """A spoken word, in seconds from the start of the sound; how sure its place is, 0 to 1, where that is known."""

    text: str
    start_s: float
    end_s: float
    confidence: float | None = None


@dataclass(frozen=True)
class Turn:
    """What one speaker says in one go, and its words where they were placed; times in seconds."""

    speaker: str
    text: str
    start_s: float
    end_s: float
    words: tuple[Word, ...] = ()
    gender: str | None = None


@dataclass(frozen=True)
class Event:
    """A sound event, onset and end in seconds; without end it is a point. ``facts`` are its other columns."""

    label: str
    onset_s: float
    offset_s: float | None
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Labels:
    """All labels of an item.

    Attributes:
        turns: who speaks when. events: sounds, in order of time.
        candidates: events that a search proposed and nobody confirmed: points.
        text: what is said, with vocal events where they are known; empty when that is not known.
        language: BCP-47, empty when not known. speaker: of the whole item, empty when not known.
    """

    turns: tuple[Turn, ...] = ()
    events: tuple[Event, ...] = ()
    candidates: tuple[Event, ...] = ()
    text: str = ""
    language: str = ""
    speaker: str = ""

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of all turns that were placed, in order of time."""
        return tuple(sorted((w for t in self.turns for w in t.words), key=lambda w: (w.start_s, w.end_s)))


def labels_of(row: Mapping[str, Any]) -> Labels:
    """The labels that these columns hold, as far as they are there.

    Args:
        row: ``events`` (list of structs with ``event`` and ``onset_s``, and ``offset_s`` unless they are points),
            ``turns`` (``speaker``, ``text``, ``start_s``, ``end_s``, perhaps ``words`` with ``text``, ``start_s``,
            ``end_s``), ``candidates`` (``tag``, ``onset_s``), ``tagged_text`` or ``transcript`` or ``text``,
            ``language``, ``speaker``, ``genders`` (of speakers A and B).
    """
    texts = (row.get(name) for name in ("tagged_text", "transcript", "text"))
    return Labels(
        tuple(_turn(t, row.get("genders")) for t in _structs(row, "turns", "text", "start_s", "end_s")),
        _events(row, "events", "event"),
        _events(row, "candidates", "tag"),
        next((text for text in texts if isinstance(text, str) and text), ""),
        str(row.get("language") or ""),
        str(row.get("speaker") or ""),
    )


def _structs(row: Mapping[str, Any], column: str, *names: str) -> list[Mapping[str, Any]]:
    values = row.get(column)
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        return []
    return [v for v in values if isinstance(v, Mapping) and all(v.get(name) is not None for name in names)]


def _events(row: Mapping[str, Any], column: str, label: str) -> tuple[Event, ...]:
    found = []
    for struct in _structs(row, column, label, "onset_s"):
        facts = {k: v for k, v in struct.items() if k not in (label, "onset_s", "offset_s")}
        found.append(Event(str(struct[label]), struct["onset_s"], struct.get("offset_s"), facts))
    return tuple(sorted(found, key=lambda e: (e.onset_s, e.offset_s or e.onset_s, e.label)))


def _turn(struct: Mapping[str, Any], genders: object) -> Turn:
    words = tuple(
        Word(w["text"], w["start_s"], w["end_s"], w.get("confidence"))
        for w in _structs(struct, "words", "text", "start_s", "end_s")
    )
    speaker = str(struct.get("speaker") or "")
    gender = dict(zip("AB", genders, strict=False)).get(speaker) if isinstance(genders, str) else None
    return Turn(speaker, struct["text"], struct["start_s"], struct["end_s"], words, gender)
