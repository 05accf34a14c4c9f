"""The writer that needs no model."""

from __future__ import annotations

from sonolake.cares.banks import Banks
from sonolake.cares.records import Scenario, Template, Timeline
from sonolake.cares.writer import WRITER, write


class EmbeddedWriter:
    """The grammar of :mod:`sonolake.cares.writer`.

    Args:
        banks: matters and lines.
        length: ``paper`` or ``short``.
    """

    name = WRITER

    def __init__(self, banks: Banks, length: str = "paper") -> None:
        self._banks, self._length = banks, length

    def write(self, scenario: Scenario, template: Template) -> Timeline:
        """The dialogue of a scenario."""
        return write(scenario, template, self._banks, self._length)
