"""Flows that bring sounds into the lake."""

from __future__ import annotations

from pathlib import Path

from prefect import Flow, flow

from flows.fetching import fetch, fetch_web
from flows.progress import say
from flows.running import pool, run_in, side_by_side
from flows.taken import tell
from sonolake.lake.step import Counts
from sonolake.sources.folder import read_folder
from sonolake.sources.freesound import PREFIX, Search, require_fitting
from sonolake.sources.ingest import portions
from sonolake.sources.intake import Intake
from sonolake.sources.parts import Cutting, require_minutes
from sonolake.sources.walking import require_apart
from sonolake.sources.web import PREFIX as WEB
from sonolake.sources.web import WebSettings, require_web
from tasks.taking import take_batch


def _empty(source: Path) -> str:
    if source.is_dir():
        return f"there is no file in {source} (hidden ones are left alone)"
    return f"{source} has no rows"


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
        part_minutes: float = 10.0,
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
        if not items:
            say(f"nothing to take: {_empty(Path(source))}")
        cutting = Cutting(part_s=60 * require_minutes(part_minutes))
        parameters = {"source": Path(source).name, "convention": convention, "licence": licence}
        with run_in(lake, intake.step, parameters) as run:
            side_by_side(
                f"ingest {Path(source).name}",
                len(items),
                portions(items),
                lambda chunk: take_batch.submit(lake, run.run_id, intake, chunk, cutting=cutting),
            )
            counts = run.counts()
        tell(lake, intake, (item.item for item in items), counts.get(intake.step, Counts()))
        return counts

    return ingest


ingest_takes = _ingest("take")
ingest_ambiences = _ingest("ambience")
ingest_responses = _ingest("response")
ingest_foa = _ingest("foa")
ingest_speech = _ingest("speech")
ingest_vocals = _ingest("vocal")
