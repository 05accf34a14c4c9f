"""Scores of tagged transcripts as a person reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import typer

from sonolake.cli.grid import grid
from sonolake.cli.printing import emit
from sonolake.wesr.bootstrap import Interval
from sonolake.wesr.counts import Counts, Rates
from sonolake.wesr.scorefiles import FileScores
from sonolake.wesr.scoretables import Style, category_rows, table, tag_rows
from sonolake.wesr.scoring import Scores
from sonolake.wesr.taxonomy import AGGREGATES, BY_NAME

FREQUENT = 10
"""Kinds of mistakes shown."""
HEADS = ("", "TP", "FP", "FN", "P %", "R %", "F1 %", "95 %")


def show_tables(systems: Mapping[str, Scores], style: Style) -> None:
    """The paper's tables 4 and 8."""
    scores = list(systems.values())
    emit(table(systems, tag_rows(scores), "Tag", style))
    emit("\n" + table(systems, category_rows(scores), "Aggr. Tag", style))


def show_scores(name: str | None, found: FileScores, tally: Counter[tuple[str, str, str]]) -> None:
    """Everything about one system."""
    scores = found.scores
    if name:
        typer.echo(f"== {name}")
    typer.echo(_head(found))
    for lines in (_tags(scores), _averages(scores), _categories(scores)):
        typer.echo("")
        for line in lines:
            typer.echo(line)
    typer.echo("\n" + _words(scores))
    if tally:
        typer.echo("\nMost frequent mistakes:")
        for (kind, tag, other), times in sorted(tally.items(), key=lambda one: (-one[1], one[0]))[:FREQUENT]:
            typer.echo(f"  {times:6,}  {_said(kind, tag, other)}")


def _head(found: FileScores) -> str:
    scores = found.scores
    treated = "scored as empty" if scores.reading == "paper" else "left out"
    parts = [f"{scores.n:,} utterances scored, reading {scores.reading}"]
    parts += [f"{scores.missing:,} without a hypothesis, {treated}"] if scores.missing else []
    parts += [f"{found.repeated:,} given twice, the last counts"] if found.repeated else []
    parts += [f"{found.unknown:,} hypotheses of no reference, not scored"] if found.unknown else []
    parts += [f"{scores.odd_tags:,} tags unclosed, stray or opened twice"] if scores.odd_tags else []
    return "; ".join(parts)


def _tags(scores: Scores) -> list[str]:
    order = [name for name in BY_NAME if name in scores.per_tag]
    order += [name for name in scores.per_tag if name not in BY_NAME]
    intervals = scores.intervals.per_tag if scores.intervals else {}
    rows = [
        _counted(BY_NAME[name].text if name in BY_NAME else f"{name} (unknown)", scores.per_tag[name],
                 intervals.get(name))
        for name in order
    ]  # fmt: skip
    return grid(HEADS, rows)


def _averages(scores: Scores) -> list[str]:
    def within(figure: str) -> Interval | None:
        return getattr(scores.intervals, figure) if scores.intervals else None

    rows = [
        _counted("micro", scores.micro, within("micro")),
        _counted("micro, discrete", scores.discrete, within("discrete")),
        _counted("micro, continuous", scores.continuous, within("continuous")),
        _rated("macro, tags that occur", scores.macro, within("macro")),
        _rated("macro, all 21 tags", scores.macro21, within("macro21")),
        _rated("macro, discrete", scores.discrete_macro, None),
        _rated("macro, continuous", scores.continuous_macro, None),
    ]
    return grid(HEADS, rows)


def _categories(scores: Scores) -> list[str]:
    known = scores.intervals.per_category if scores.intervals else {}
    rows = [
        _counted(name, scores.per_category[name], known.get(name))
        for name in AGGREGATES
        if name in scores.per_category
    ]
    return grid(HEADS, rows)


def _counted(label: str, counts: Counts, interval: Interval | None) -> list[str | int | None]:
    return [label, counts.tp, counts.fp, counts.fn, *_rated(label, counts.rates, interval)[4:]]


def _rated(label: str, rates: Rates, interval: Interval | None) -> list[str | int | None]:
    within = f"{100 * interval.low:.1f} to {100 * interval.high:.1f}" if interval else None
    shown = [f"{100 * value:.1f}" for value in (rates.precision, rates.recall, rates.f1)]
    return [label, None, None, None, *shown, within]


def _words(scores: Scores) -> str:
    words = scores.words
    if words.rate is None:
        return "Word errors: the references have no words"
    interval = scores.intervals.wer if scores.intervals else None
    within = f" (95 %: {100 * interval.low:.1f} to {100 * interval.high:.1f})" if interval else ""
    edits = f"{words.substitutions:,} wrong, {words.deletions:,} left out, {words.insertions:,} too many"
    return f"Word errors without tags: {100 * words.rate:.1f} %{within} of {words.words:,} words: {edits}"


def _said(kind: str, tag: str, other: str) -> str:
    if kind == "confused":
        return f"{tag} taken for {other}"
    return {"displaced": f"{tag} at another place", "missed": f"{tag} missed", "added": f"{tag} made up"}[
        kind
    ]
