"""Judges: who recovers each sound's reaction, and the topic, from the transcript alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from sonolake.cares.validation.rated import Transcript


@dataclass(frozen=True)
class Reading:
    """What a judge recovers of a scene: the topic, and a reaction for each sound that it typed."""

    topic: str
    reactions: Mapping[str, str]


class Judge(Protocol):
    """Reads a transcript in which sounds are marked."""

    @property
    def name(self) -> str:
        """What the report calls it."""

    @property
    def quotes(self) -> bool:
        """Whether its topics are sentences of the transcript, which no threshold for reworded topics fits."""

    def read(self, transcript: Transcript) -> Reading:
        """Topic and reactions.

        Raises:
            ItemRefused: where it gives no answer.
        """

    def wrote(self, writer: str) -> bool:
        """Whether the judge itself is that writer: then its agreement is a self-check."""
