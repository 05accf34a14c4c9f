"""The flow that takes published corpora with vocal events in."""

from __future__ import annotations

from pathlib import Path

from prefect import flow

from flows.running import in_batches, pool, run_in
from sonolake.lake.step import Counts
from sonolake.wesr.corpora.converting import Choices
from sonolake.wesr.corpora.reading import read
from sonolake.wesr.corpora.tables import corpus_of
from tasks.corpora import count_tags, import_clips
from tasks.partitioning import split_sources

BATCH = 200


@flow(task_runner=pool(), name="import-wesr", description="Take a published corpus with vocal events in.")
def import_wesr(
    corpus: str,
    source: str,
    lake: str,
    columns: dict[str, str] | None = None,
    interjections_as_words: bool = False,
    gasp_as_inhale: bool = False,
) -> dict[str, Counts]:
    """Take every clip of ``corpus`` that is not there, with its text in the tags of the taxonomy."""
    clips = list(read(corpus_of(corpus), Path(source), columns))
    choices = Choices(interjections_as_words, gasp_as_inhale)
    parameters = {"corpus": corpus, "source": Path(source).name, "choices": vars(choices)}
    with run_in(lake, "import-wesr", parameters) as run:
        in_batches(
            f"import {corpus}",
            clips,
            BATCH,
            lambda chunk: import_clips.submit(lake, run.run_id, corpus, chunk, choices),
        )
        count_tags(lake, corpus, clips, choices)
        split_sources(lake, run.run_id)
        return run.counts()
