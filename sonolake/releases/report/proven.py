"""Figures of the page with their proofs: marks, tables made from answers, sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sonolake.releases.answers import Answer
from sonolake.releases.figures.prose import pieces, spans
from sonolake.releases.proof import Proof
from sonolake.releases.report.markup import Html, el, escaped, joined

Answers = Mapping[str, Answer]
"""What the proofs of a release state, by their ids."""
Cell = Callable[[dict[str, str]], str]
"""What a row of an answer shows in a column."""


def answers_of(proofs: Sequence[Proof]) -> Answers:
    """What they state."""
    return {proof.id: proof.answer for proof in proofs if proof.answer is not None}


def mark(proof: str) -> Html:
    """A small link to a proof in the page's list of proofs."""
    return el(
        "a", {"class": "proof", "href": f"#proof-{proof}", "title": f"Proof: proofs/{proof}.sql"}, proof
    )


def captioned(name: str, proof: str) -> Html:
    """A heading with the proof of all figures under it."""
    return el("header", {"class": "captioned"}, el("h3", None, name), mark(proof))


def figure(answers: Answers, proof: str, column: str, **where: str) -> Html:
    """One value of an answer, in a span that names its proof and row; nothing where there is no such row."""
    found = answers[proof].find(**where)
    if found is None:
        return Html("")
    number, row = found
    return el("span", {"data-proof": proof, "data-row": number}, grouped(row[column]))


def grouped(text: str) -> str:
    """A whole number with commas between thousands; other texts as they are."""
    return f"{int(text):,}" if text.isdigit() else text


def answer_grid(
    answer: Answer, proof: str, columns: Mapping[str, Cell], rows: Sequence[int] | None = None
) -> Html:
    """A table of rows of an answer, each by its number.

    Args:
        answer: where the rows are from.
        proof: its id.
        columns: from the head of a column to what a row shows there.
        rows: numbers of the rows, in the order wanted; all when left out.
    """
    records = answer.records
    chosen = list(range(len(records)) if rows is None else rows)
    cells = [[cell(records[n]) for cell in columns.values()] for n in chosen]
    return grid(list(columns), cells, chosen, proof)


def grid(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    places: Sequence[int | None] | None = None,
    proof: str | None = None,
) -> Html:
    """A table that scrolls sideways on narrow screens; columns of figures stand right.

    Args:
        head: names of the columns.
        rows: what stands in each.
        places: number of each row in the answer of the proof.
        proof: its id, where it is not that of what the table stands in.
    """
    kinds = ["num" if rows and all(_is_figure(r[i]) for r in rows) else None for i in range(len(head))]
    top = [el("th", {"scope": "col", "class": k}, h) for h, k in zip(head, kinds, strict=True)]
    body = []
    for place, row in zip(places or [None] * len(rows), rows, strict=True):
        cells = [el("td", {"class": k}, c) for c, k in zip(row, kinds, strict=True)]
        body.append(el("tr", {"data-row": place}, joined(cells)))
    table = el(
        "table",
        {"data-proof": proof},
        el("thead", None, el("tr", None, joined(top))),
        el("tbody", None, *body),
    )
    return el("div", {"class": "scroll", "tabindex": 0, "role": "region", "aria-label": "Table"}, table)


def column(name: str) -> Cell:
    """Shows a column as it is, whole numbers with commas."""
    return lambda row: grouped(row[name])


def prose(text: str) -> Html:
    """A sentence that somebody wrote: code as code, proofs as marks, its figures those of the proofs that it names."""
    found = pieces(text)
    named = [piece for kind, piece in found if kind == "proof"]
    parts = [_piece(kind, piece) for kind, piece in found]
    return el("span", {"data-proof": named[0]} if named else None, joined(parts))


def coded(text: str) -> Html:
    """A sentence with its code as code, and its figures as they are."""
    parts = [el("code", None, part) if kind == "code" else Html(escaped(part)) for kind, part in spans(text)]
    return joined(parts)


def _piece(kind: str, piece: str) -> Html:
    if kind == "proof":
        return mark(piece)
    return el("code", {"class": "said"}, piece) if kind == "code" else Html(escaped(piece))


def _is_figure(text: str) -> bool:
    return text.replace(",", "").replace(".", "").isdigit()
