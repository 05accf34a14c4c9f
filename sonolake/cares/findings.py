"""One thing that is wrong with a dialogue."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A broken rule.

    Attributes:
        code: the rule's name.
        message: one sentence for a person, or for a model that tries again.
        utterance: where, from 0; None for the whole dialogue.
    """

    code: str
    message: str
    utterance: int | None = None

    def __str__(self) -> str:
        """``code at 3: message``."""
        return f"{self.code}{'' if self.utterance is None else f' at {self.utterance}'}: {self.message}"
