"""Scores as tables in the shape of the paper's tables 4 (tags) and 8 (aggregates), and as JSON.

A table has a row a tag and a column a system with precision, recall and F1 in percent; of several systems the best F1
of a row is bold, the second best underlined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from sonolake.wesr.counts import Counts, Rates, macro
from sonolake.wesr.scoring import Scores
from sonolake.wesr.taxonomy import AGGREGATES, BY_NAME, TAGS

Style = Literal["markdown", "latex"]
Row = tuple[str, list[Rates]]
"""A label, and the rates of each system."""


def tag_rows(systems: Sequence[Scores]) -> list[Row]:
    """Rows of table 4: continuous tags, discrete tags, tags outside the taxonomy, averages."""
    names = [tag.name for tag in sorted(TAGS, key=lambda tag: (tag.form != "continuous", tag.name))]
    names += sorted({name for one in systems for name in one.per_tag} - set(names))
    rows = [(_label(name), [one.per_tag.get(name, Counts()).rates for one in systems]) for name in names]
    rows.append(("Micro avg.", [one.micro.rates for one in systems]))
    return [*rows, ("Macro avg.", [one.macro for one in systems])]


def category_rows(systems: Sequence[Scores]) -> list[Row]:
    """Rows of table 8: the seven aggregates, averages over them."""
    of = {name: [one.per_category.get(name, Counts()) for one in systems] for name in sorted(AGGREGATES)}
    rows: list[Row] = [(name.capitalize(), [c.rates for c in counts]) for name, counts in of.items()]
    columns = list(zip(*of.values(), strict=True))
    rows.append(("Micro avg.", [sum(column, Counts()).rates for column in columns]))
    seen = [[c.rates for c in column if c != Counts()] for column in columns]
    return [*rows, ("Macro avg.", [macro(rates) for rates in seen])]


def table(systems: Mapping[str, Scores], rows: Sequence[Row], heading: str, style: Style) -> str:
    """A table of several systems.

    Args:
        systems: scores by name, in the order of the columns.
        rows: from :func:`tag_rows` or :func:`category_rows` of the same systems.
        heading: of the first column.
        style: ``markdown`` (with tags as code) or ``latex`` (booktabs).
    """
    body = [[label, *_cells(rates, style)] for label, rates in rows]
    return (_markdown if style == "markdown" else _latex)(heading, list(systems), body)


def as_json(scores: Scores) -> dict[str, Any]:
    """Scores as an object: fractions, not percent."""
    words = scores.words
    return {
        "n": scores.n,
        "missing": scores.missing,
        "reading": scores.reading,
        "odd_tags": scores.odd_tags,
        "per_tag": {name: _counts(counts) for name, counts in scores.per_tag.items()},
        "per_category": {name: _counts(counts) for name, counts in scores.per_category.items()},
        "micro": _counts(scores.micro),
        "macro": asdict(scores.macro),
        "macro21": asdict(scores.macro21),
        "discrete": _counts(scores.discrete) | {"macro": asdict(scores.discrete_macro)},
        "continuous": _counts(scores.continuous) | {"macro": asdict(scores.continuous_macro)},
        "wer": {"value": words.rate, **asdict(words)},
        "intervals": asdict(scores.intervals) if scores.intervals else None,
    }


def _counts(counts: Counts) -> dict[str, float]:
    return {**asdict(counts), **asdict(counts.rates)}


def _label(name: str) -> str:
    return BY_NAME[name].text if name in BY_NAME else name


def _cells(rates: Sequence[Rates], style: Style) -> list[str]:
    """P / R / F1 in percent, the best F1 marked; equal ones to a tenth of a per cent are equal."""
    shown = [f"{100 * rate.f1:04.1f}" for rate in rates]
    ranks = sorted({float(f1) for f1 in shown} - {0.0}, reverse=True)
    marks = dict(zip(ranks, (_BEST[style], _SECOND[style]), strict=False))
    cells = []
    for rate, f1 in zip(rates, shown, strict=True):
        marked = marks.get(float(f1), "{}").format(f1) if len(rates) > 1 else f1
        cells.append(f"{100 * rate.precision:04.1f} / {100 * rate.recall:04.1f} / {marked}")
    return cells


_BEST: Mapping[Style, str] = {"markdown": "**{}**", "latex": "\\textbf{{{}}}"}
_SECOND: Mapping[Style, str] = {"markdown": "<u>{}</u>", "latex": "\\underline{{{}}}"}
_LATEX = {"<": r"\textless{}", ">": r"\textgreater{}", "\\": r"\textbackslash{}", "~": r"\textasciitilde{}",
          "^": r"\textasciicircum{}", "[": "{[}", "]": "{]}"} | {sign: f"\\{sign}" for sign in "_#$%&{}"}  # fmt: skip


def _markdown(heading: str, names: list[str], body: list[list[str]]) -> str:
    lines = [[heading, *(f"{_piped(name)} P / R / F1 (%)" for name in names)], ["---"] * (len(names) + 1)]
    lines += [[f"`{row[0]}`" if row[0][0] in "[<" else _piped(row[0]), *row[1:]] for row in body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _piped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _latex(heading: str, names: list[str], body: list[list[str]]) -> str:
    head = [
        f"\\begin{{tabular}}{{l{'c' * len(names)}}}",
        "\\toprule",
        " & ".join([_escaped(heading), *map(_escaped, names)]) + " \\\\",
        " & ".join(["", *["P / R / F1 (\\%)"] * len(names)]) + " \\\\",
        "\\midrule",
    ]
    lines = [" & ".join([_escaped(row[0]), *row[1:]]) + " \\\\" for row in body]
    lines.insert(-2, "\\midrule")
    return "\n".join([*head, *lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)
