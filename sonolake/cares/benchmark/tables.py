"""Scorecards side by side in the shape of the paper's Table 1: Markdown, LaTeX, and JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from sonolake.cares.benchmark.scorecard import COLUMNS, SHOWN_BUDGET, Scorecard
from sonolake.cares.records import REACTIONS
from sonolake.scoring.bootstrap import Score

IGNORED = 0.07
"""A class whose recall is no more than this is called ignored (CARES, table 1)."""
_SHORT = {"pivot": "piv", "verbal": "ver", "behavioral": "beh", "ambient": "amb"}
_HEADS = {
    "reactions": "RC",
    "scene": "ASC",
    "sounds": "AT",
    **{f"summary {name}": f"Sum. {_SHORT[name]}" for name in REACTIONS},
}


def score_of(card: Scorecard, column: str) -> Score | None:
    """A card's score in a column, None where it has none."""
    if column.startswith("summary "):
        summary = card.summaries.get(SHOWN_BUDGET)
        return summary.per_class[column.partition(" ")[2]] if summary else None
    found = {"reactions": card.reactions, "scene": card.scene, "sounds": card.sounds}[column]
    return found.overall if found else None


def markdown(cards: Sequence[Scorecard], better: Mapping[str, frozenset[str]]) -> str:
    """A table in percent with half-widths: best in bold, ↑ above the control, † a class that is ignored.

    Args:
        cards: a row each.
        better: for each system, the columns in which it is above the control.
    """
    classes = [f"{_SHORT[name]} R/P" for name in REACTIONS]
    heads = ["", *(_HEADS[c] for c in COLUMNS[:1]), *classes, *(_HEADS[c] for c in COLUMNS[1:])]
    lines = [_row(heads), _row(["---", *("--:" for _ in heads[1:])])]
    best = _best(cards)
    for card in cards:
        cells = [_cell(card, c, best, better.get(card.system, frozenset())) for c in COLUMNS]
        lines.append(_row([card.system, cells[0], *_classes(card), *cells[1:]]))
    return "\n".join(lines) + "\n"


def latex(cards: Sequence[Scorecard], better: Mapping[str, frozenset[str]]) -> str:
    """The same as a tabular; blue is above the control, red a class that is ignored (needs xcolor)."""
    heads = ["System", _HEADS["reactions"], *(f"{_SHORT[n]} R/P" for n in REACTIONS)]
    heads += [_HEADS[c] for c in COLUMNS[1:]]
    best = _best(cards)
    lines = [rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}", r"\toprule", _tex_row(heads), r"\midrule"]
    for card in cards:
        cells = [_tex_cell(card, c, best, better.get(card.system, frozenset())) for c in COLUMNS]
        lines.append(_tex_row([_tex(card.system), cells[0], *_tex_classes(card), *cells[1:]]))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def as_json(card: Scorecard) -> dict[str, Any]:
    """A card as plain data, in fractions; each score is ``{"value", "low", "high"}``."""
    return {
        "system": card.system,
        **{name: _plain(getattr(card, name)) for name in ("reactions", "scene", "sounds", "muted")},
        "summary": {str(budget): _plain(scores) for budget, scores in card.summaries.items()},
    }


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {k: _plain(v) for k, v in asdict(value).items() if k != "by_scene"}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    return value


def _best(cards: Sequence[Scorecard]) -> dict[str, float]:
    found: dict[str, float] = {}
    for card in cards:
        for column in COLUMNS:
            if score := score_of(card, column):
                found[column] = max(found.get(column, 0.0), score.value)
    return found


def _cell(card: Scorecard, column: str, best: Mapping[str, float], better: frozenset[str]) -> str:
    score = score_of(card, column)
    if score is None:
        return ""
    text = f"{100 * score.value:.1f} ± {100 * score.half_width:.1f}"
    text = f"**{text}**" if score.value == best[column] else text
    return f"{text} ↑" if column in better else text


def _classes(card: Scorecard) -> list[str]:
    if card.reactions is None:
        return [""] * len(REACTIONS)
    found = [card.reactions.per_class[name] for name in REACTIONS]
    marks = [" †" if one.n and one.recall.value <= IGNORED else "" for one in found]
    return [
        f"{100 * one.recall.value:.1f} / {100 * one.precision.value:.1f}{mark}"
        for one, mark in zip(found, marks, strict=True)
    ]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _tex_cell(card: Scorecard, column: str, best: Mapping[str, float], better: frozenset[str]) -> str:
    score = score_of(card, column)
    if score is None:
        return ""
    value = f"{100 * score.value:.1f}"
    value = rf"\mathbf{{{value}}}" if score.value == best[column] else value
    text = rf"${value}_{{\pm {100 * score.half_width:.1f}}}$"
    return rf"\textcolor{{blue}}{{{text}}}" if column in better else text


def _tex_classes(card: Scorecard) -> list[str]:
    cells = _classes(card)
    return [
        rf"\textcolor{{red}}{{{cell.removesuffix(' †')}}}" if cell.endswith("†") else cell for cell in cells
    ]


def _tex_row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _tex(text: str) -> str:
    special = {c: "\\" + c for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}
    return "".join(special.get(c, c) for c in text)
