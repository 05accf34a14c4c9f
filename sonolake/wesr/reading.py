"""The two readings of the evaluation protocol.

``paper``: spans cover all their words, deletions remove words and nothing else, equal words are left as they stand, and
a missing prediction is an empty one. ``compat``: the published evaluator, its defects included (``published.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sonolake.errors import InvalidInput
from sonolake.wesr import align, positions, published
from sonolake.wesr.scoretext import AS_PUBLISHED, Options
from sonolake.wesr.taxonomy import TAGS

_AGGREGATES = {tag.name: tag.aggregate for tag in TAGS}


@dataclass(frozen=True)
class Reading:
    """How a set is scored.

    Attributes:
        name: ``paper`` or ``compat``.
        options: where texts are read otherwise than the published evaluator does; only for ``paper``.

    Raises:
        InvalidInput: for another name, or for options with ``compat``.
    """

    name: Literal["paper", "compat"] = "paper"
    options: Options = AS_PUBLISHED

    def __post_init__(self) -> None:
        if self.name not in ("paper", "compat"):
            raise InvalidInput("reading", "paper or compat", self.name)
        if self.name == "compat" and self.options != AS_PUBLISHED:
            raise InvalidInput("options", "none with the reading compat", self.options)

    @property
    def counts_missing(self) -> bool:
        """Whether an utterance without a prediction is scored as empty; otherwise it is left out."""
        return self.name == "paper"

    @property
    def aggregates(self) -> Mapping[str, str]:
        """Aggregate of each tag's name."""
        return _AGGREGATES if self.name == "paper" else {**_AGGREGATES, **published.EXTRA_AGGREGATES}

    def align(self, hypothesis: Sequence[str], reference: Sequence[str]) -> list[str]:
        """The hypothesis's tokens over the reference's words."""
        aligner = align.align if self.name == "paper" else published.align
        return aligner(hypothesis, reference)

    def positions(self, tokens: Sequence[str]) -> tuple[positions.Positions, int]:
        """Positions of each tag, and the number of odd tags."""
        return positions.positions(tokens, whole_spans=self.name == "paper")


PAPER = Reading("paper")
COMPAT = Reading("compat")
