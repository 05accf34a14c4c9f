"""The changelog keeps its form, and its newest version is the one that is installed."""

import datetime
import re
from pathlib import Path

import sonolake

TEXT = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
"""The kinds of change that keepachangelog.com has."""


def released():
    found = [
        re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)", heading) for heading in HEADINGS[1:]
    ]
    assert all(found), HEADINGS
    return [(tuple(int(n) for n in one.groups()[:3]), datetime.date.fromisoformat(one[4])) for one in found]


def test_what_is_to_come_stands_first():
    assert HEADINGS[0] == "[Unreleased]"


def test_the_newest_version_is_this_one():
    version, _ = released()[0]
    assert ".".join(map(str, version)) == sonolake.__version__


def test_newer_versions_stand_above_older_ones():
    assert released() == sorted(set(released()), reverse=True)


def test_changes_are_sorted_by_kind():
    assert set(re.findall(r"^### (.+)$", TEXT, re.MULTILINE)) <= KINDS
