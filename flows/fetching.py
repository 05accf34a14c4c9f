"""Freesound as the source of an ingest: find, then download and take batch by batch, in the order of numbers."""

from __future__ import annotations

import sys
from pathlib import Path

from flows.progress import tracking
from flows.running import run_in
from sonolake.lake.step import Counts, batches
from sonolake.sources.freesound import PREFIX, Search
from sonolake.sources.intake import Intake
from tasks.fetching import fetch_batch, find_sounds

BATCH = 50
"""Sounds a task: seconds to a minute of downloads."""


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
        return run.counts()
