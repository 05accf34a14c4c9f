"""The proofs of a release, each with what it means and what it answers."""

from __future__ import annotations

from collections.abc import Sequence

from sonolake.releases.figures.claims import ROWS
from sonolake.releases.proof import Proof
from sonolake.releases.report.markup import Html, el, joined
from sonolake.releases.report.proven import answer_grid, column

SHOWN = 24
"""Rows of an answer that the page repeats; all are in the proof's file."""
_HEAD = ("proof", "policy", "meaning", "expected", "answer")


def proofs_section(proofs: Sequence[Proof]) -> Html:
    """Every proof with its answer: a *must* that fails stops the publication, so each that is here holds."""
    top = [el("th", {"scope": "col"}, name) for name in _HEAD]
    body = joined([_row(proof) for proof in proofs])
    table = el("table", {"class": "proofs"}, el("thead", None, el("tr", None, *top)), el("tbody", None, body))
    about = el(
        "p",
        None,
        "Each is a file of SQL in ",
        el("code", None, "proofs/"),
        " that plain DuckDB runs over the release's own files. They ran when it was published: what ",
        el("em", None, "must"),
        " hold did, or there would be no release; a ",
        el("em", None, "report"),
        " states what is there. ",
        el("code", None, "sonolake prove"),
        " runs them again.",
    )
    return el("div", {"class": "card"}, about, el("div", {"class": "scroll"}, table))


def _row(proof: Proof) -> Html:
    count = "1 row" if proof.expected == 1 else f"{proof.expected:,} rows"
    cells = [
        el("code", None, proof.id),
        proof.policy,
        joined([el("span", {"data-quoted": True}, proof.meaning), _answer(proof)]),
        el("span", {"data-row": ROWS}, count),
        el("span", {"data-row": ROWS, "class": "holds"}, count, el("b", None, " ✓ holds")),
    ]
    about = {"id": f"proof-{proof.id}", "data-proof": proof.id}
    return el(
        "tr", about, *(el("td", {"data-head": head}, cell) for head, cell in zip(_HEAD, cells, strict=True))
    )


def _answer(proof: Proof) -> Html:
    """The first rows of what it states, behind a fold; items as JSON are too long for that."""
    answer = proof.answer
    if answer is None or not answer.rows or "told" in answer.columns:
        return Html("")
    columns = {name.replace("_", " "): column(name) for name in answer.columns}
    rows = answer_grid(answer, proof.id, columns, range(min(SHOWN, len(answer.rows))))
    more = (
        el("p", None, "More in ", el("code", None, f"proofs/{proof.id}.sql"))
        if len(answer.rows) > SHOWN
        else ""
    )
    return el("details", None, el("summary", None, "Answer"), rows, more)
