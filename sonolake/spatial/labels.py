"""Labels as a recording brings them: a DCASE table, or our own JSON lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import get_args

from sonolake.errors import InvalidInput
from sonolake.spatial import dcase, labelfile
from sonolake.spatial.records import ClipEvent


def read_labels(text: str, classes: Sequence[str], unit: str) -> list[ClipEvent]:
    """The events of a label file, ordered by onset.

    Args:
        text: JSON lines (the first sign is ``{``), or a DCASE table.
        classes: of a table, in order.
        unit: of a table's distances, ``m`` or ``cm``; a table without distances needs none.

    Raises:
        InvalidInput: for what is neither, naming the line; for a table without classes, or whose unit is not stated.
    """
    if text.lstrip().startswith("{"):
        return sorted(labelfile.read(text), key=lambda e: (e.onset_s, e.offset_s, e.event))
    if not any(classes):
        raise InvalidInput("classes", "the table's classes in order, with ; between them", "none")
    for known in get_args(dcase.Unit):
        if unit == known:
            return dcase.events_of(dcase.read(text, known), classes)
    if any(len(row) > 5 for row in csv.reader(io.StringIO(text))):
        cause = "STARSS23 counts centimetres, SpatialScaper metres"
        raise InvalidInput("distance_unit", "m or cm", unit or "nothing", cause)
    return dcase.events_of(dcase.read(text, "m"), classes)
