"""The flow that asks sources again: what was deleted, relicensed or is not wished for any more, and what it touches."""

from __future__ import annotations

from prefect import flow

from flows.progress import say, tracking
from flows.running import run_in
from sonolake.lake.step import Counts, batches
from sonolake.plural import counted
from sonolake.sources.rechecking import Checked
from sonolake.sources.web import WebSettings
from tasks.rechecking import find_sources, recheck_batch, touched_releases

BATCH = 150
"""Sources a task: one search on Freesound."""


@flow(
    name="recheck-sources",
    description="Ask sources what was deleted or relicensed, and list the releases it touches.",
)
def recheck_sources(lake: str, pause_s: float = 1.0) -> dict[str, Counts]:
    """Ask Freesound and the hosts of the web; nothing is deleted: ``sonolake takedown`` does that.

    ``pause_s`` is the least time in seconds between two requests to one host of the web.
    """
    settings = WebSettings(pause_s)
    with run_in(lake, "recheck-sources", {"pause_s": pause_s}) as run:
        known = find_sources(lake)
        new: list[Checked] = []
        with tracking("ask sources", len(known)) as advance:
            for chunk in batches(known, BATCH):
                new += recheck_batch(lake, run.run_id, chunk, settings)
                advance(len(chunk))
        changed = [one for one in new if one.found not in ("same", "unknown")]
        touched = touched_releases(lake, [one.source_id for one in changed])
        for one in new:
            say(f"{one.item}: {one.found}. {one.detail}".rstrip(". ") + ".")
            for release, used in touched.items():
                if one.source_id in used:
                    say(f"  in {release}: {counted(used[one.source_id], 'item')}")
        return run.counts()
