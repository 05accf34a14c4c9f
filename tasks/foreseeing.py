"""What the next version of a release would differ in, all of it: items, words, benchmark."""

from __future__ import annotations

from sonolake.datasets.foreseeing import Foreseen, foresee
from sonolake.lake import Lake
from sonolake.releases.licences import checked_profile
from sonolake.releases.on_record import date_of, last_version
from tasks.contents import content_of

_NO_DATE = "2000-01-01"


def foresee_release(lake: str, name: str) -> Foreseen:
    """What would be published now, held against the last version.

    Raises:
        NotFound: when no version was published yet, or there is nothing to release.
        Damaged: when the last version cannot be read.
    """
    with Lake.open(lake, read_only=True) as opened:
        last = last_version(opened, name)
        (row,) = opened.rows("FROM releases WHERE name = ? AND version = ?", [name, last])
        date, profile = date_of(opened, name, last) or _NO_DATE, row.get("profile") or "research"
        content = content_of(opened, name, last, date, opened.snapshot, checked_profile(profile))
        return foresee(opened, name, content)
