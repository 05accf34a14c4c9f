"""What this version brings, in the words of its changelog, and how much of it is new."""

from __future__ import annotations

from sonolake.releases.answers import Answer
from sonolake.releases.report.markup import Html, el, joined
from sonolake.releases.report.proven import Answers, answer_grid, captioned, coded, column


def changes_section(answers: Answers) -> Html:
    """A list a kind of change, a line a change; then how many items are as they are since when."""
    since = answer_grid(
        answers["counts-since"],
        "counts-since",
        {"table": column("config"), "as it is since": lambda row: el("span", {"data-quoted": True}, row["since"]),
         "items": column("items")},
    )  # fmt: skip
    right = el("article", {"class": "card"}, captioned("Items by version", "counts-since"), since)
    return el("div", {"class": "pair"}, _changelog(answers["changelog"]), right)


def _changelog(told: Answer) -> Html:
    lists = []
    for kind in dict.fromkeys(row["kind"] for row in told.records):
        lines = [
            el("li", {"data-row": number}, coded(row["change"]))
            for number, row in enumerate(told.records)
            if row["kind"] == kind
        ]
        lists.append(joined([el("h4", None, kind) if kind else Html(""), el("ul", None, joined(lines))]))
    head = captioned("Changelog", "changelog")
    return el("article", {"class": "card changes", "data-proof": "changelog"}, head, joined(lists))
