"""Sources asked again, a batch at a time; what they say otherwise goes on record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from prefect import task

from sonolake.lake.step import Already, Batch, Done
from sonolake.releases.takedown.touched import releases_crediting
from sonolake.sources.freesound import Catalogue
from sonolake.sources.rechecking import Checked, Known, check_freesound, check_web, known_sources, news
from sonolake.sources.web import Web, WebSettings
from tasks.opening import lake_at, run_of

STEP = "recheck"


@task(persist_result=False)
def find_sources(lake: str) -> list[Known]:
    """The sources of the lake that can be asked."""
    return known_sources(lake_at(lake))


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def recheck_batch(lake: str, run_id: str, known: Sequence[Known], settings: WebSettings) -> list[Checked]:
    """Ask about a batch; what is new in the answers is put on record and given back."""
    run = run_of(lake, STEP, run_id)
    sounds = [one for one in known if not one.address]
    pages = [one for one in known if one.address]
    checked: list[Checked] = []
    if sounds:
        with Catalogue.here() as catalogue:
            checked += check_freesound(catalogue, sounds)
    if pages:
        with Web(settings) as web:
            checked += check_web(web.asks, pages)
    new, old = news(run.lake, checked)
    batch = Batch(STEP, "source")
    at = datetime.now(UTC)
    for one in new:
        row = {**one.row(), "checked_at": at, "run_id": run_id}
        batch.put(one.item, Done({"source_checks": [row]}))
    for one in old:
        batch.put(one.item, Already())
    run.commit(batch)
    return new


@task(persist_result=False)
def touched_releases(lake: str, sources: Sequence[str]) -> dict[str, dict[str, int]]:
    """Published releases that credit any of ``sources``, with how many items use each."""
    return releases_crediting(lake_at(lake), set(sources))
