"""``python -m flows wesr``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from flows.commands import LakeThere, run_on_what_is_there, show_counts
from flows.terms import MOST
from sonolake.errors import InvalidInput

OfCut = partial(typer.Option, rich_help_panel="How recordings are cut, and which utterances are kept")


def wesr(
    lake: LakeThere,
    queries: Annotated[
        Path | None, typer.Option(help="A query set (JSON); the packaged one by default.")
    ] = None,
    training: Annotated[
        bool, typer.Option("--training", help="Use the set's queries for training, not the benchmark's.")
    ] = False,
    quota: Annotated[int, typer.Option(min=1, max=MOST, help="Candidates a label, in all.")] = 20,
    quota_of: Annotated[
        list[str] | None, typer.Option(metavar="TAG=N", help="Another quota for one label; may be repeated.")
    ] = None,
    where: Annotated[
        str,
        typer.Option(metavar="SQL", help="Which utterances may be found; by default all without annotation."),
    ] = "",
    page: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write a page to listen to the best candidates.")
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Known events (CSV, TSV, JSON lines: item, tag, onset_s, offset_s, place); says how many are found.",
        ),
    ] = None,
    shortest: Annotated[float, OfCut(help="Seconds of the shortest utterance.")] = 2.0,
    longest: Annotated[float, OfCut(help="Seconds of the longest utterance.")] = 30.0,
    pause: Annotated[float, OfCut(help="Speech on both sides of a shorter pause is one stretch.")] = 0.3,
    vocal_score: Annotated[float, OfCut(help="What sounds this much like a vocal event is not cut.")] = 0.2,
    quality: Annotated[str, OfCut(help="Who rates: dnsmos where it is installed, none.")] = "",
    least_quality: Annotated[float, OfCut(help="What is rated lower is left out, 1 to 5.")] = 2.0,
    denoiser: Annotated[str, OfCut(help="Takes noise away first: deepfilternet.")] = "",
    recogniser: Annotated[str, OfCut(help="Who writes: whisper:base where it is there, none.")] = "",
    languages: Annotated[str, OfCut(help="Others are left out: en,zh (BCP-47).")] = "",
    wordless: Annotated[bool, OfCut("--wordless", help="Keep what has no words.")] = False,
) -> None:
    """Run the flow ``wesr``."""
    from sonolake.wesr.known_events import read_known
    from sonolake.wesr.queries import Purpose, load
    from sonolake.wesr.vetting import Cutting

    purpose: Purpose = "training" if training else "benchmark"
    load(purpose, queries)
    if known:
        read_known(known)
    quotas = _quotas(quota_of)
    wanted = tuple(one.strip() for one in languages.split(",") if one.strip())
    lengths, models = (shortest, longest, pause, vocal_score), (quality, least_quality, denoiser, recogniser)
    given = (
        str(queries or ""),
        quota,
        where,
        str(page or ""),
        Cutting(*lengths, *models, wanted, wordless),
        purpose,
        quotas,
        str(known or ""),
    )
    show_counts(run_on_what_is_there("wesr_mining", "wesr", lake, lake, *given), lake)


def _quotas(said: list[str] | None) -> dict[str, int]:
    from sonolake.wesr.taxonomy import tag_of

    pairs = [entry.partition("=") for entry in said or ()]
    for tag, _, number in pairs:
        tag_of(tag.strip())
        if not (number.strip().isdecimal() and 1 <= int(number) <= MOST):
            raise InvalidInput("--quota-of", f"TAG=N, N from 1 to {MOST:,}", f"{tag}={number}")
    return {tag.strip(): int(number) for tag, _, number in pairs}
