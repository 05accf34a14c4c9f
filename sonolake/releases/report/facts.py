"""The parts of the page that are read: headline figures, tables of columns, sources, checks, limits."""

from __future__ import annotations

from collections.abc import Mapping

from sonolake.releases.answers import EVERY, Answer
from sonolake.releases.layout import SPLITS
from sonolake.releases.records import AUDIO_COLUMN, Config, Content
from sonolake.releases.report.markup import Html, el, joined
from sonolake.releases.report.proven import (
    Answers,
    Cell,
    answer_grid,
    captioned,
    column,
    figure,
    grid,
    mark,
    prose,
)
from sonolake.releases.samples import Check


def headline(content: Content, answers: Answers) -> Html:
    """The figures that say most, as tiles."""
    total = {"config": EVERY, "split": EVERY}
    found = answers["counts-items"].find(**total)
    unit, column = ("min", "minutes") if found and float(found[1]["hours"]) < 1 else ("h", "hours")
    kinds = [
        joined([figure(answers, "counts-sources", "sources", licence=EVERY, kind=kind), Html(f" {kind}")])
        for kind in ("recorded", "synthetic")
        if answers["counts-sources"].find(licence=EVERY, kind=kind)
    ]
    tiles = [
        ("items", figure(answers, "counts-items", "items", **total), "in all tables", "counts-items"),
        (
            "sound",
            joined([figure(answers, "counts-items", column, **total), Html(f" {unit}")]),
            "to listen to",
            "counts-items",
        ),
        (
            "sources",
            figure(answers, "counts-sources", "sources", licence=EVERY, kind=EVERY),
            Html(", ".join(kinds)),
            "counts-sources",
        ),
        ("licence", content.licence, "of the whole", "licences"),
    ]
    pieces = [
        el(
            "div",
            {"class": "tile"},
            el("dt", None, name),
            el("dd", None, value),
            el("p", None, note),
            mark(proof),
        )
        for name, value, note, proof in tiles
    ]
    return el("dl", {"class": "tiles"}, joined(pieces))


def tables_section(content: Content, answers: Answers) -> Html:
    """A card a table: its splits in figures, its columns behind a fold."""
    return joined([_table_card(c, answers) for c in content.configs])


def _table_card(config: Config, answers: Answers) -> Html:
    splits = {
        "split": column("split"),
        "items": column("items"),
        "minutes": column("minutes"),
        "channels": column("channels"),
    }
    shards = {"split": column("split"), "shards": column("shards"), "MB": column("megabytes")}
    columns = [
        ("audio", "struct<bytes, path>", "the sound as a file's bytes, and a name for it")
        if f.name == AUDIO_COLUMN
        else (f.name, str(f.type).replace("item: ", ""), config.meanings[f.name])
        for f in config.schema
    ]
    told = [(el("code", None, n), el("code", None, kind), prose(meaning)) for n, kind, meaning in columns]
    fold = el("details", None, el("summary", None, "Columns"), grid(("column", "type", "meaning"), told))
    name = el("h3", {"data-quoted": True}, config.title, " ", el("code", None, config.name))
    pair = el(
        "div",
        {"class": "pair"},
        _of_config(answers, "counts-items", config.name, splits),
        _of_config(answers, "counts-files", config.name, shards),
    )
    return el("article", {"class": "card"}, name, el("p", None, prose(config.description)), pair, fold)


def _of_config(answers: Answers, proof: str, config: str, columns: Mapping[str, Cell]) -> Html:
    """The rows of a table's splits, train first."""
    answer = answers[proof]
    rows = [found[0] for split in SPLITS if (found := answer.find(config=config, split=split)) is not None]
    return el("div", None, mark(proof), answer_grid(answer, proof, columns, rows))


def sources_section(answers: Answers) -> Html:
    """Sources by licence and kind, and the ones used most."""
    counted, used = answers["counts-sources"], answers["sources-used"]
    by_kind = answer_grid(
        counted,
        "counts-sources",
        {"licence": column("licence"), "kind": column("kind"), "sources": column("sources")},
        [n for n, row in enumerate(counted.records) if row["licence"] != EVERY],
    )
    most = answer_grid(
        used,
        "sources-used",
        {
            "title": _quoted("title"),
            "author": _quoted("author"),
            "licence": column("licence"),
            "items": column("items"),
        },
    )
    left = el("article", {"class": "card"}, captioned("By licence", "counts-sources"), by_kind)
    right = el("article", {"class": "card"}, captioned("Used most", "sources-used"), most)
    return el("div", {"class": "pair"}, left, right)


def _quoted(name: str) -> Cell:
    return lambda row: el("span", {"data-quoted": True}, row[name])


def checks_section(content: Content, answers: Answers) -> Html:
    """What was looked for in the content, and what was found."""
    return joined([_check(check, answers.get(check.proof)) for check in content.checks])


def _check(check: Check, answer: Answer | None) -> Html:
    """A table whose figures are those of its proof, or else quoted: nothing in the release can count them."""
    if answer is None:
        name, rows = el("h3", None, prose(check.title)), [[prose(cell) for cell in row] for row in check.rows]
        table = grid(check.head, rows)
    else:
        name = captioned(check.title, check.proof)
        table = grid(check.head, check.rows, [_row_of(answer, check.title, row[0]) for row in check.rows])
    about = {"class": "card", "data-proof": check.proof or None}
    return el("article", about, name, el("p", None, prose(check.verdict)), table)


def _row_of(answer: Answer, *texts: str) -> int | None:
    """The row of an answer that has these texts."""
    return next((n for n, row in enumerate(answer.rows) if set(texts) <= set(row)), None)


def limits_section(content: Content) -> Html:
    """What the release is not."""
    notes = [el("li", None, prose(note)) for note in content.notes]
    return el("ul", {"class": "card notes"}, joined(notes))
