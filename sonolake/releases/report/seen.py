"""What is told of an item that the page plays, held against the item's row."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.releases.answers import Answer
from sonolake.releases.figures.words import Told, figure_words, told_by


@dataclass(frozen=True)
class Seen:
    """An item as its proof states it: id of the proof, number of its row there, and the row's figures."""

    proof: str
    row: int
    told: Told

    def about(self, *texts: str) -> dict[str, object]:
        """Attributes for what shows ``texts``: a quotation where a figure of theirs is not in the row."""
        known = all(self.told.holds(word) for text in texts for word in figure_words(text))
        return {} if known else {"data-quoted": True}


def seen(answer: Answer, proof: str, item_id: str) -> Seen:
    """The item in the answer of the proof that states it."""
    number = [row[0] for row in answer.rows].index(item_id)
    return Seen(proof, number, told_by(answer.rows[number][1:]))
