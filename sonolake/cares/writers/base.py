"""One interface for whoever writes dialogues."""

from __future__ import annotations

from typing import Protocol

from sonolake.cares.records import Scenario, Template, Timeline


class Writer(Protocol):
    """Turns scenarios into dialogues; every dialogue it gives has passed the checker."""

    @property
    def name(self) -> str:
        """Kind and version, for the lineage and the card: ``embedded-grammar:6``, ``chat:SPEC``, ``imported:FILE``."""

    def write(self, scenario: Scenario, template: Template) -> Timeline:
        """The dialogue of a scenario.

        Raises:
            ItemRefused: ``dialogue_rejected`` when none passes the checker, ``dialogue_missing`` when there is none.
            LimitReached, Refused, Unreachable: when a model behind the writer stops everything.
        """
