"""Freesound and the web as sources of an ingest: find, then download and take batch by batch, in a fixed order."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from flows.progress import say, tracking
from flows.running import run_in
from flows.taken import tell
from sonolake.lake.run import Run
from sonolake.lake.step import Counts, batches
from sonolake.sources.freesound import PREFIX, Search
from sonolake.sources.intake import Intake
from sonolake.sources.web import PREFIX as WEB
from sonolake.sources.web import WebSettings
from tasks.fetching import fetch_batch, find_sounds
from tasks.web import fetch_recordings, find_recordings

BATCH = 50
"""Sounds a task: seconds to a minute of downloads."""
FEW = 8
"""Recordings of the web a task: they are long."""


def fetch(source: str, lake: str, intake: Intake, search: Search) -> dict[str, Counts]:
    """Take what ``source``, such as ``freesound:dog bark``, and ``search`` find into the lake.

    One batch after the other, so that the first of two equal sounds is the same one every time; the downloads of a
    batch go side by side.
    """
    said = {**vars(search), "ids": Path(search.ids).name, "similar_to": Path(search.similar_to).name}
    with run_in(lake, intake.step, {"source": source, "licence": intake.licence, **said}) as run:
        found = find_sounds(lake, intake, source.removeprefix(PREFIX).strip(), search)
        if found.nulls:
            sys.stderr.write(
                f"{found.nulls} results of the search were null: sounds that are there no more\n"
            )
        with tracking("ingest from Freesound", len(found.entries)) as advance:
            for chunk in batches(found.entries, BATCH):
                advance(fetch_batch(lake, run.run_id, intake, chunk, search).taken)
        return _told(lake, intake, [one.item for one in found.entries], run)


def fetch_web(
    source: str, lake: str, intake: Intake, settings: WebSettings, mapping: Mapping[str, str] | None = None
) -> dict[str, Counts]:
    """Take what the list of ``source``, such as ``web:podcasts.txt``, names into the lake, in the list's order."""
    named = source.removeprefix(WEB).strip()
    said = {"source": f"{WEB}{Path(named).name}", "licence": intake.licence, **vars(settings)}
    with run_in(lake, intake.step, said) as run:
        entries = find_recordings(named, settings, mapping)
        with tracking("ingest from the web", len(entries)) as advance:
            for chunk in batches(entries, FEW):
                fetch_recordings(lake, run.run_id, intake, chunk, settings)
                advance(len(chunk))
        return _told(lake, intake, [one.item for one in entries], run)


def _told(lake: str, intake: Intake, names: Sequence[str], run: Run) -> dict[str, Counts]:
    """The counts of a run; what they do not say is said."""
    counts = run.counts()
    if not names:
        say("nothing to take: nothing was found")
    tell(lake, intake, names, counts.get(intake.step, Counts()))
    return counts
