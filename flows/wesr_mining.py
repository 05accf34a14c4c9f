"""The flow that cuts speech into utterances and mines them for vocal events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from prefect import flow

from flows.progress import say
from flows.running import in_batches, pool, run_in
from flows.vectors import embed
from sonolake.errors import NotFound
from sonolake.lake.step import Counts
from sonolake.wesr.known_events import read_known
from sonolake.wesr.queries import Purpose, load
from sonolake.wesr.taxonomy import tag_of
from sonolake.wesr.vetting import Cutting
from tasks.known_events import events_there, found_of_known
from tasks.listing import allowed
from tasks.mining import mine_events
from tasks.mining_page import write_page
from tasks.opening import lake_at
from tasks.partitioning import split_sources
from tasks.utterances import cut_recordings, hearing, models_of, recordings

BATCH = 5


@flow(
    task_runner=pool(), name="wesr", description="Cut speech into utterances and mine them for vocal events."
)
def wesr(
    lake: str,
    queries: str = "",
    quota: int = 20,
    where: str = "",
    page: str = "",
    cutting: Cutting | None = None,
    purpose: Purpose = "benchmark",
    quotas: Mapping[str, int] | None = None,
    known: str = "",
) -> dict[str, Counts]:
    """Cut every recording that has no utterances, make their vectors, and mine ``quota`` candidates a label.

    Args:
        lake: where the lake is.
        queries: a query set; the packaged one when left out.
        quota: candidates a label, in all.
        where: which utterances may be found, SQL over :data:`tasks.listing.SEARCHED`; all that nobody annotated when
            left out.
        page: an HTML file to write, with players for the best candidates of each label.
        cutting: how recordings are cut, and which utterances are kept; a recogniser that is installed hears them
            unless it names another one, or ``none``.
        purpose: which queries of the set: ``benchmark`` or ``training``.
        quotas: candidates of labels that are to have another number.
        known: a file of events that are known to be in the recordings (:mod:`sonolake.wesr.known_events`); how many of
            them text queries, audio queries and both find is said, and on the page.

    Raises:
        NotFound: when there is no speech.
        InvalidInput: a bad condition, a quota of a label that there is not, or known events in no recording of the
            lake.
        MissingPackage: for a model that ``cutting`` names and that is not installed.
    """
    for name in quotas or {}:
        tag_of(name)
    settings = hearing(cutting or Cutting())
    models_of(settings)
    speech = recordings(lake_at(lake))
    if not speech:
        raise NotFound("there is no speech to mine: take some in first (python -m flows ingest-speech …)")
    allowed(lake_at(lake), where)
    events = read_known(Path(known)) if known else []
    if known:
        events_there(lake_at(lake), events)
    said = {
        "queries": queries,
        "quota": quota,
        "quotas": quotas,
        "where": where,
        "cutting": asdict(settings),
        "purpose": purpose,
        "known": known,
    }
    with run_in(lake, "wesr", said) as run:
        split_sources(lake, run.run_id)
        in_batches(
            "cut utterances",
            speech,
            BATCH,
            lambda ids: cut_recordings.submit(lake, run.run_id, ids, 1, settings),
        )
        embed(lake)
        lists = mine_events(lake, run.run_id, queries, quota, where, purpose, quotas).lists
        found = ""
        if known:
            found = found_of_known(
                lake, events, lists, load(purpose, Path(queries) if queries else None), where
            )
            say(found)
        if page:
            write_page(lake, page, found)
        return run.counts()
