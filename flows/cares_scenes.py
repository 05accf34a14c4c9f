"""The flow that makes CARES scenes."""

from __future__ import annotations

from prefect import flow

from flows.running import in_batches, pool, run_in
from flows.splitting import split
from sonolake.lake.step import Counts
from tasks.opening import lake_at
from tasks.scenes import render_scenes
from tasks.scripts import allocate_scenarios, make_templates, scenarios, split_templates

BATCH = 2


@flow(
    task_runner=pool(),
    name="cares",
    description="Templates, dialogues, speech and mixes of CARES scenes.",
)
def cares(lake: str, templates: int = 100, scenes: int = 1000, short: bool = False) -> dict[str, Counts]:
    """Make ``scenes`` scenes from ``templates`` templates, those that are there included."""
    split(lake)
    with run_in(lake, "cares", {"templates": templates, "scenes": scenes, "short": short}) as run:
        make_templates(lake, run.run_id, templates)
        split_templates(lake, run.run_id)
        allocate_scenarios(lake, run.run_id, scenes)
        length = "short" if short else "paper"
        todo = scenarios(lake_at(lake))[:scenes]
        in_batches(
            "render scenes", todo, BATCH, lambda some: render_scenes.submit(lake, run.run_id, some, length)
        )
        return run.counts()
