"""Dialogues that somebody else wrote: JSON lines of ``{"scenario_id", "timeline"}``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sonolake.cares.banks import Banks
from sonolake.cares.checker import check_rows
from sonolake.cares.records import Scenario, Template, Timeline
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.ids import sha256_hex
from sonolake.textfiles import numbered_lines


class ImportedWriter:
    """Gives dialogues of a file.

    Args:
        path: JSON lines; ``timeline`` is a list as :meth:`Timeline.to_plain` writes it.
        banks: of the scenarios.
        length: ``paper`` or ``short``.

    Raises:
        InvalidInput: for what is no UTF-8, a line that is no such object or a scenario that comes twice, with the line.
    """

    def __init__(self, path: Path, banks: Banks, length: str = "paper") -> None:
        data = path.read_bytes()
        self._timelines = _read(path.name, data)
        self._banks, self._length = banks, length
        self.name = f"imported:{path.name}@{sha256_hex(data)[:12]}"

    def write(self, scenario: Scenario, template: Template) -> Timeline:
        """The dialogue of a scenario, as it is in the file."""
        if scenario.scenario_id not in self._timelines:
            raise ItemRefused("dialogue_missing", f"{self.name} has no dialogue of it")
        rows = self._timelines[scenario.scenario_id]
        timeline, findings = check_rows(rows, scenario, self._banks, self._length)
        if timeline is None or findings:
            raise ItemRefused("dialogue_rejected", "; ".join(map(str, findings)))
        return timeline


def _read(name: str, data: bytes) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for where, line in numbered_lines(name, data):
        allowed = "an object with scenario_id, a text, and timeline"
        try:
            row = json.loads(line)
            scenario_id, timeline = row["scenario_id"], row["timeline"]
        except (ValueError, LookupError, TypeError):
            raise InvalidInput(where, allowed, line[:80]) from None
        if not isinstance(scenario_id, str):
            raise InvalidInput(where, allowed, scenario_id)
        if scenario_id in found:
            raise InvalidInput(where, "every scenario once", scenario_id)
        found[scenario_id] = timeline
    return found
