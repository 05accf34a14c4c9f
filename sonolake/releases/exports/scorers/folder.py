"""The scorers of a release's benchmarks in a folder, each with what it scores against."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from sonolake.cares.benchmark.files import row_of
from sonolake.errors import Refused
from sonolake.releases.exports.benchmarks import Benchmarks, lines
from sonolake.releases.exports.scorers.writing import SCORERS, scorer
from sonolake.releases.exports.source import Source
from sonolake.releases.exports.writer import Made

REFERENCES = {
    "cares": "cares-items.jsonl",
    "rms-aqa": "rms-aqa-records.jsonl",
    "wesr": "wesr-references.jsonl",
}


def write_scorers(source: Source, folder: Path) -> Made:
    """Write ``score_….py`` and its lines for each benchmark that the release has; items are questions here.

    Raises:
        Refused: when it has none.
    """
    found = Benchmarks(source)
    rows = {
        "cares": map(row_of, found.cares),
        "rms-aqa": map(asdict, found.records()),
        "wesr": iter(found.references()),
    }
    done = 0
    for name, asked in rows.items():
        count = lines(iter(asked), folder / REFERENCES[name])
        if count:
            (folder / SCORERS[name].file).write_text(scorer(name), encoding="utf-8")
        done += count
    if not done:
        raise Refused(f"{source.about.release} has no benchmark among what is chosen")
    return done, []
