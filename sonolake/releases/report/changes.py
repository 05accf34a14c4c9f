"""What this version brings, in the words of its changelog."""

from __future__ import annotations

from sonolake.releases.records import Content
from sonolake.releases.report.markup import Html, el, joined
from sonolake.releases.report.proven import prose


def changes_section(content: Content) -> Html:
    """A line a change."""
    if not content.changes:
        return Html("")
    lines = [el("li", None, prose(change)) for change in content.changes]
    return el("ul", {"class": "card notes"}, joined(lines))
