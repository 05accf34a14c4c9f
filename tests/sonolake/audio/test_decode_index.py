"""Every shared example file against the index that came with it (made by other programs)."""

import csv

import pytest

from sonolake.audio.facts import inspect
from sonolake.errors import ItemRefused

SLACK_S = 0.04
"""Libraries differ by an MP3's encoder delay; the index was made with libsndfile."""


def test_rates_channels_durations_and_peaks(shared):
    wrong, accepted = [], 0
    with (shared / "INDEX.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            row for row in csv.DictReader(file) if row["kind"] != "formats" and int(row["size"]) < 1_500_000
        ]
    for row in rows:
        try:
            facts, _ = inspect((shared / row["path"]).read_bytes())
        except ItemRefused as refusal:
            if row["format"] not in ("text/metadata", "UNREADABLE") or refusal.reason != "not_audio":
                wrong.append((row["path"], str(refusal)))
            continue
        accepted += 1
        same = (
            facts.sample_rate == int(row["sample_rate"])
            and facts.channels == int(row["channels"])
            and facts.duration_s == pytest.approx(float(row["duration_s"]), abs=SLACK_S)
            and 10 ** (facts.peak_dbfs / 20) == pytest.approx(float(row["peak"]), abs=2e-3)
        )
        if not same:
            wrong.append((row["path"], facts.sample_rate, facts.channels, facts.duration_s, facts.peak_dbfs))
    assert wrong == []
    assert accepted > 250
