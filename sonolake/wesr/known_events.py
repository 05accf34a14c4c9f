"""Events that are known to be in recordings: read from a file, and placed in the utterances that hold them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.tabular import Record, read_records
from sonolake.wesr.taxonomy import tag_of

COLUMNS = ("item", "tag", "onset_s", "offset_s")
"""What every row has; ``place`` may be added."""
KIND = "known events"


@dataclass(frozen=True)
class KnownEvent:
    """An event in a recording.

    Attributes:
        item: the recording, by its item, its file's name, its id or its source's.
        tag: a label of the taxonomy.
        onset_s: when it begins, in seconds of the recording as it was taken in.
        offset_s: when it ends.
        place: a word for where it stands, such as ``pause``; figures are given apart for each.
        line: of the file, from 1.
    """

    item: str
    tag: str
    onset_s: float
    offset_s: float
    place: str = ""
    line: int = 0

    @property
    def middle_s(self) -> float:
        """The moment that says which utterance it belongs to."""
        return (self.onset_s + self.offset_s) / 2


@dataclass(frozen=True)
class Placed:
    """Where utterances have which events.

    Attributes:
        onsets_s: (utterance, tag) to place to when events of that tag begin, in seconds from the utterance's start.
        outside: events whose middle is in none of the utterances.
    """

    onsets_s: Mapping[tuple[str, str], Mapping[str, Sequence[float]]] = field(default_factory=dict)
    outside: int = 0

    @property
    def events(self) -> int:
        """How many events are in the utterances."""
        return sum(len(onsets) for at in self.onsets_s.values() for onsets in at.values())

    @property
    def places(self) -> list[str]:
        """The places there are, in alphabetical order."""
        return sorted({place for at in self.onsets_s.values() for place in at})

    def labels(self, place: str) -> dict[str, int]:
        """How many utterances have an event of which tag at a place, by tag."""
        found: dict[str, int] = defaultdict(int)
        for (_, tag), at in sorted(self.onsets_s.items(), key=lambda one: one[0][1]):
            if place in at:
                found[tag] += 1
        return dict(found)

    def among(self, utterance_ids: Iterable[str]) -> Placed:
        """The same of some utterances only."""
        chosen = frozenset(utterance_ids)
        return Placed({key: at for key, at in self.onsets_s.items() if key[0] in chosen}, self.outside)


def placed(
    events: Iterable[tuple[str, KnownEvent]], utterances: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Placed:
    """Events with their recording's id, in the utterances that hold their middles.

    Args:
        events: (recording, event) pairs.
        utterances: ``utterance_id``, ``start_s`` and ``end_s`` of the utterances of each recording.
    """
    onsets: dict[tuple[str, str], dict[str, list[float]]] = {}
    outside = 0
    for recording, event in events:
        rows = utterances.get(recording, ())
        held = next((row for row in rows if row["start_s"] <= event.middle_s < row["end_s"]), None)
        if held is None:
            outside += 1
            continue
        at = onsets.setdefault((held["utterance_id"], event.tag), {})
        at.setdefault(event.place, []).append(event.onset_s - held["start_s"])
    return Placed(onsets, outside)


def read_known(path: Path) -> list[KnownEvent]:
    """The events of a file: CSV, TSV or JSON lines with the columns of :data:`COLUMNS` and perhaps ``place``.

    Raises:
        NotFound: there is no such file.
        InvalidInput: a malformed file, a column that is missing, or a row that is no event; the message says the line,
            what was allowed and what came.
    """
    if not path.is_file():
        raise NotFound(f"{KIND} {path}: there is no such file")
    headers, records = read_records(path, KIND)
    if missing := [name for name in COLUMNS if name not in headers]:
        allowed = f"the columns {', '.join(COLUMNS)}, and place if you like"
        came = f"{', '.join(headers) or 'nothing'} (no {', '.join(missing)})"
        raise InvalidInput(f"{KIND} {path.name}", allowed, came)
    return [_event(f"{KIND} {path.name}, line {record[0]}", record) for record in records]


def _event(row: str, record: Record) -> KnownEvent:
    line, said = record
    value = {name: said.get(name, "").strip() for name in (*COLUMNS, "place")}
    if not value["item"]:
        raise InvalidInput(f"{row}, item", "a recording, by its file's name, item or source", value["item"])
    try:
        tag_of(value["tag"])
    except InvalidInput as error:
        raise InvalidInput(f"{row}, {error.what}", error.allowed, value["tag"]) from None
    onset, offset = (_seconds(f"{row}, {name}", value[name]) for name in ("onset_s", "offset_s"))
    if not offset > onset:
        raise InvalidInput(f"{row}, offset_s", f"seconds after the onset, {onset:g}", value["offset_s"])
    return KnownEvent(value["item"], value["tag"], onset, offset, value["place"], line)


def _seconds(what: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and seconds >= 0):
        raise InvalidInput(what, "seconds from the start of the recording, 0 or more", text)
    return seconds
