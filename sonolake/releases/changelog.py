"""``CHANGELOG.md``, in the form of keepachangelog.com."""

from __future__ import annotations

from sonolake.releases.records import Content


def changelog_md(content: Content) -> str:
    """What this version brings."""
    lines = [f"# Changelog of {content.title}", "", f"## [{content.version}] - {content.date}", ""]
    return "\n".join([*lines, *(f"- {change}" for change in content.changes), ""])
