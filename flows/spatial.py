"""``python -m flows rms-aqa``."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.commands import LakeOption, run_flow, show_counts
from flows.terms import MOST, Budget, PriceIn, PriceOut, Requests, TextLicence
from sonolake.spatial.limits import USUAL, Limits


def rms_aqa(
    lake: LakeOption,
    clips: Annotated[int, typer.Option(min=1, max=MOST, help="How many in all.")] = 1000,
    most_sources: Annotated[
        int, typer.Option(help="Sources of a new simulated clip, at most: 4 to 8.")
    ] = USUAL.sources,
    most_at_once: Annotated[
        int, typer.Option(help="Of them that sound at one time, at most: 1 and up.")
    ] = USUAL.at_once,
    keep_empty: Annotated[
        bool, typer.Option("--keep-empty", help="Cut windows of labelled recordings that hold no sound, too.")
    ] = False,
    paraphrase: Annotated[
        str, typer.Option(metavar="MODEL", help="A chat model that puts new questions in other words.")
    ] = "",
    text_licence: TextLicence = "",
    budget: Budget = None,
    price_in: PriceIn = 0.0,
    price_out: PriceOut = 0.0,
    requests: Requests = 0,
) -> None:
    """Run the flow ``rms-aqa``."""
    Limits(most_sources, most_at_once)
    wanted = (clips, most_sources, most_at_once, keep_empty)
    worded = (paraphrase, text_licence, budget, price_in, price_out, requests)
    if paraphrase:
        from sonolake.models.chat import chat_model
        from tasks.answers import meter_of
        from tasks.clips import Wording

        meter_of(Wording(*worded))
        chat_model(paraphrase).close()
    show_counts(run_flow("rms_aqa_clips", "rms_aqa", lake, lake, *wanted, *worded), lake)
