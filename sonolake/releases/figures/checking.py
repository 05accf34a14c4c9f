"""Has every figure of card and report its proof, and is it what the proof states?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sonolake.releases.figures.card import card_claims
from sonolake.releases.figures.claims import unproven
from sonolake.releases.figures.page import page_claims
from sonolake.releases.layout import CARD, REPORT
from sonolake.releases.proof import SHOWN, Proof, ProofResult

FIGURES = Proof(
    "figures",
    "must",
    "Every number in the card and in the report names its proof, and is what that proof states.",
    0,
    (),
    "",
)
"""Not a file of SQL: what is checked is text."""


def check_figures(proofs: Sequence[Proof], read: Callable[[str], str | None]) -> list[ProofResult]:
    """Its result; none for a release of a version whose proofs stated no figures.

    Args:
        proofs: those of the release.
        read: gives the text of one of its files, None where it is not there.
    """
    if not any(proof.answer is not None for proof in proofs):
        return []
    by_id = {proof.id: proof for proof in proofs}
    wrong = []
    for path, claims_of in ((CARD, card_claims), (REPORT, page_claims)):
        text = read(path)
        wrong += [f"{path} is not there"] if text is None else list(unproven(claims_of(text), by_id))
    return [ProofResult(FIGURES, len(wrong), tuple(wrong[:SHOWN]))]
