"""The flow that makes RMS-AQA clips and asks about them."""

from __future__ import annotations

from prefect import flow

from flows.progress import say
from flows.running import in_batches, pool, run_in
from flows.splitting import split
from sonolake.lake.step import Counts
from sonolake.spatial.limits import USUAL, Limits
from tasks.clip_plans import plan_clips
from tasks.clips import Wording, answered_blindly, ask_clips, render_clips
from tasks.dry_events import check_takes, takes_to_check

BATCH, TAKES = 4, 64


@flow(
    task_runner=pool(),
    name="rms-aqa",
    description="Render spatial clips, cut recorded ones, and ask two-stage questions about them.",
)
def rms_aqa(
    lake: str,
    clips: int = 1000,
    most_sources: int = USUAL.sources,
    most_at_once: int = USUAL.at_once,
    keep_empty: bool = False,
    paraphrase: str = "",
    text_licence: str = "",
    budget: float | None = None,
    price_in: float = 0.0,
    price_out: float = 0.0,
    requests: int = 0,
) -> dict[str, Counts]:
    """Make ``clips`` clips, those that are there included, and ask about them, perhaps in a model's words.

    ``most_sources`` and ``most_at_once`` hold for what is simulated, ``keep_empty`` for what is cut from recordings
    (:func:`tasks.clip_plans.plan_clips`); ``paraphrase`` and what follows are those of :class:`tasks.clips.Wording`.
    """
    limits = Limits(most_sources, most_at_once)
    wording = Wording(paraphrase, text_licence, budget, price_in, price_out, requests)
    split(lake)
    asked = {
        "clips": clips,
        "most_sources": most_sources,
        "most_at_once": most_at_once,
        "keep_empty": keep_empty,
    }
    with run_in(lake, "rms-aqa", {**asked, "paraphrase": paraphrase}) as run:
        in_batches(
            "check takes",
            takes_to_check(lake),
            TAKES,
            lambda some: check_takes.submit(lake, run.run_id, some),
        )
        plans = plan_clips(lake, clips, limits, keep_empty)
        in_batches("render clips", plans, BATCH, lambda some: render_clips.submit(lake, run.run_id, some))
        ask_clips(lake, run.run_id, wording)
        if table := answered_blindly(lake):
            say(table)
        return run.counts()
