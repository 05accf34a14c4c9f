"""Labels as JSON lines, our own form: one event a line, all fields named, times in seconds, degrees, metres."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields

from sonolake.errors import InvalidInput
from sonolake.ids import canonical_json
from sonolake.spatial.records import ClipEvent

_NAMES = frozenset(field.name for field in fields(ClipEvent))


def write(events: Iterable[ClipEvent]) -> str:
    """The events, ordered by onset, one JSON object a line."""
    ordered = sorted(events, key=lambda e: (e.onset_s, e.offset_s, e.event))
    return "".join(canonical_json(event.to_record()) + "\n" for event in ordered)


def read(text: str) -> list[ClipEvent]:
    """The events of a label file; blank lines are skipped, ``moving``, the cut marks and ``track`` may be missing.

    Raises:
        InvalidInput: for a line that is no such object, naming the line.
    """
    events = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            events.append(_event(line, number))
    return events


def _event(line: str, number: int) -> ClipEvent:
    try:
        row = json.loads(line)
        return ClipEvent.from_record(row)
    except (AttributeError, TypeError, ValueError) as error:
        raise InvalidInput(
            f"line {number}", f"an object with {sorted(_NAMES)}", line[:80], str(error)
        ) from error
