"""Scorecards side by side in the shape of the paper's tables: Markdown, LaTeX, and JSON for programs.

The first table is table 2: A_S1, A_S2 and A_GS2 over all records with half-widths of their intervals, and A_S2 / A_GS2
of each dimension. Then A_S2 by context (table 3), when a system answered in several, and A_GS2 by origin, sources at
once and distance (figure 3), as far as these are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sonolake.scoring.bootstrap import Score
from sonolake.spatial.benchmark.records import CONTEXTS
from sonolake.spatial.benchmark.scoring import Accuracy, Scorecard
from sonolake.spatial.dimensions import DIMENSIONS

Style = Literal["markdown", "latex"]
BREAKDOWNS: Mapping[str, str] = {
    "per_origin": "Origin",
    "per_concurrency": "Sources at once",
    "per_distance": "Farthest source",
}
"""Groups of figure 3: fields of a scorecard, and what they are called."""


@dataclass(frozen=True)
class Table:
    """A caption, heads, and rows of equal length; in cells ``**...**`` is bold."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(cards: Sequence[Scorecard]) -> list[Table]:
    """The tables of some systems; the best figure of a column is bold when there are several systems."""
    found = [_main(cards)]
    if any(len(card.contexts) > 1 for card in cards):
        found.append(_contexts(cards))
    return [
        *found,
        *(_breakdown(cards, field) for field in BREAKDOWNS if any(getattr(c, field) for c in cards)),
    ]


def rendered(cards: Sequence[Scorecard], style: Style) -> str:
    """The tables as text for a document; LaTeX needs booktabs."""
    return "\n".join((_markdown if style == "markdown" else _latex)(table) for table in tables(cards))


def as_json(card: Scorecard) -> dict[str, Any]:
    """A card as plain data, in fractions; each score is ``{"value", "low", "high"}``."""
    return asdict(card)


def _main(cards: Sequence[Scorecard]) -> Table:
    overall = [
        _column(cards, lambda card, part=part: getattr(card.overall, part), wide=True)  # type: ignore[misc]
        for part in ("stage_1", "stage_2", "grounded")
    ]
    each = [
        _joined(
            _column(cards, lambda card, d=d: card.per_dimension[d].stage_2),  # type: ignore[misc]
            _column(cards, lambda card, d=d: card.per_dimension[d].grounded),  # type: ignore[misc]
        )
        for d in DIMENSIONS
    ]
    heads = ("System", "Context", "A_S1", "A_S2", "A_GS2", *DIMENSIONS)
    columns = [[c.system for c in cards], [c.context for c in cards], *overall, *each]
    caption = "Accuracy in percent; dimensions A_S2 / A_GS2"
    return Table(caption, heads, tuple(zip(*columns, strict=True)))


def _contexts(cards: Sequence[Scorecard]) -> Table:
    def of(name: str) -> Callable[[Scorecard], Score | None]:
        return lambda card: card.contexts[name].stage_2 if name in card.contexts else None

    columns = [[c.system for c in cards], *(_column(cards, of(name), wide=True) for name in CONTEXTS)]
    heads = ("System", *(f"{name} context" for name in CONTEXTS))
    return Table("A_S2 in percent by context", heads, tuple(zip(*columns, strict=True)))


def _breakdown(cards: Sequence[Scorecard], field: str) -> Table:
    names = list(dict.fromkeys(name for card in cards for name in getattr(card, field)))

    def of(name: str) -> Callable[[Scorecard], Score | None]:
        def score(card: Scorecard) -> Score | None:
            found: Accuracy | None = getattr(card, field).get(name)
            return found.grounded if found else None

        return score

    sizes = {
        name: max(getattr(c, field)[name].n for c in cards if name in getattr(c, field)) for name in names
    }
    columns = [[c.system for c in cards], *(_column(cards, of(name), wide=True) for name in names)]
    heads = ("System", *(f"{name} ({sizes[name]})" for name in names))
    return Table(f"A_GS2 in percent: {BREAKDOWNS[field].lower()}", heads, tuple(zip(*columns, strict=True)))


def _column(
    cards: Sequence[Scorecard], of: Callable[[Scorecard], Score | None], wide: bool = False
) -> list[str]:
    """Percents of a column, the best one bold; with half-widths when ``wide``."""
    scores = [of(card) for card in cards]
    shown = [None if score is None else f"{100 * score.value:.2f}" for score in scores]
    best = max((float(text) for text in shown if text), default=0.0) if len(cards) > 1 else None
    cells = []
    for score, text in zip(scores, shown, strict=True):
        if score is None or text is None:
            cells.append("")
            continue
        marked = f"**{text}**" if float(text) == best else text
        cells.append(f"{marked} ± {100 * score.half_width:.2f}" if wide and score.half_width else marked)
    return cells


def _joined(left: Sequence[str], right: Sequence[str]) -> list[str]:
    return [f"{a} / {b}" for a, b in zip(left, right, strict=True)]


def _markdown(table: Table) -> str:
    lines = [table.heads, ("---", *("--:" for _ in table.heads[1:])), *table.rows]
    body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return "\n".join([f"{table.caption}:", "", *body]) + "\n"


def _latex(table: Table) -> str:
    lines = [
        f"% {table.caption}",
        rf"\begin{{tabular}}{{l{'r' * (len(table.heads) - 1)}}}",
        r"\toprule",
        _tex_row(table.heads),
        r"\midrule",
        *map(_tex_row, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _tex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(_tex, cells)) + r" \\"


def _tex(cell: str) -> str:
    special = {c: "\\" + c for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}
    parts = "".join(special.get(c, c) for c in cell).replace("±", r"$\pm$").split("**")
    return "".join(rf"\textbf{{{part}}}" if n % 2 else part for n, part in enumerate(parts))
