"""Flows that bring sounds into the lake."""

from __future__ import annotations

from pathlib import Path

from prefect import Flow, flow

from flows.fetching import fetch, fetch_web
from flows.running import in_batches, pool, run_in
from sonolake.lake.step import Counts
from sonolake.sources.folder import read_folder
from sonolake.sources.freesound import PREFIX, Search, require_fitting
from sonolake.sources.intake import Intake
from sonolake.sources.walking import require_apart
from sonolake.sources.web import PREFIX as WEB
from sonolake.sources.web import WebSettings, require_web
from tasks.taking import take_batch

BATCH = 500
"""Items a task: seconds of work."""


def _ingest(kind: str) -> Flow[..., dict[str, Counts]]:
    """The flow that takes ``kind`` sounds."""

    @flow(
        task_runner=pool(),
        name=f"ingest-{kind}",
        description=f"Take {kind} sounds into the lake.",
    )
    def ingest(
        source: str,
        lake: str,
        manifest: str = "",
        convention: str = "",
        licence: str = "",
        mapping: dict[str, str] | None = None,
        search: Search | None = None,
        web: WebSettings | None = None,
    ) -> dict[str, Counts]:
        intake = Intake(kind, convention, licence)
        if source.startswith(WEB):
            require_web(source, manifest)
            return fetch_web(source, lake, intake, web or WebSettings(), mapping)
        require_fitting(source, manifest, mapping, search)
        if source.startswith(PREFIX):
            return fetch(source, lake, intake, search or Search())
        require_apart(Path(source), lake)
        folder = read_folder(Path(source), Path(manifest) if manifest else None, mapping)
        items = [*folder.items, *folder.refusals]
        parameters = {"source": Path(source).name, "convention": convention, "licence": licence}
        with run_in(lake, intake.step, parameters) as run:
            in_batches(
                f"ingest {Path(source).name}",
                items,
                BATCH,
                lambda chunk: take_batch.submit(lake, run.run_id, intake, chunk),
            )
            return run.counts()

    return ingest


ingest_takes = _ingest("take")
ingest_ambiences = _ingest("ambience")
ingest_responses = _ingest("response")
ingest_foa = _ingest("foa")
ingest_speech = _ingest("speech")
ingest_vocals = _ingest("vocal")
