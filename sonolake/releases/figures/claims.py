"""A figure that a document shows, and whether the proof that it names states it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from sonolake.releases.figures.words import Told, told_by
from sonolake.releases.proof import Proof

ROWS = "rows"
"""Instead of the number of a row: the figure is how many rows the answer has."""


@dataclass(frozen=True)
class Claim:
    """Figures that stand together.

    Attributes:
        where: file and place, for people.
        words: the figures as they stand there.
        proofs: ids of the proofs that the place names.
        row: number of the row of the answer that they are from, None for any; :data:`ROWS` where they count the rows.
        together: whether all of them must be in one row, in this order.
    """

    where: str
    words: tuple[str, ...]
    proofs: tuple[str, ...]
    row: int | str | None = None
    together: bool = False


def unproven(claims: Iterable[Claim], proofs: Mapping[str, Proof]) -> Iterator[str]:
    """What is wrong with each claim that does not hold, a sentence each."""
    told = cache(lambda name, row: _told(proofs[name], row))
    for claim in claims:
        shown = ", ".join(claim.words)
        if not claim.proofs:
            yield f"{claim.where}: {shown} has no proof"
        elif missing := [name for name in claim.proofs if name not in proofs]:
            yield f"{claim.where}: {shown} has the proof {missing[0]}, which is not there"
        elif wrong := _not_stated(claim, [told(name, claim.row) for name in claim.proofs]):
            yield f"{claim.where}: {', '.join(wrong)} is not what {', '.join(claim.proofs)} states"


def _told(proof: Proof, row: int | str | None) -> list[Told]:
    """The figures of the row, or of each; a proof that states none tells how many rows it has."""
    if proof.answer is None or row == ROWS:
        return [told_by([str(proof.expected)])]
    rows = proof.answer.rows
    return [told_by(cells) for cells in (rows[row : row + 1] if isinstance(row, int) else rows)]


def _not_stated(claim: Claim, answers: list[list[Told]]) -> list[str]:
    rows = [row for answer in answers for row in answer]
    if claim.together:
        return [] if any(row.holds_in_order(claim.words) for row in rows) else list(claim.words)
    return [word for word in claim.words if not any(row.holds(word) for row in rows)]
