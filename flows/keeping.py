"""Commands that publish what a lake has and look after it."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.commands import LakeThere, run_on_what_is_there, show_counts


def release(
    name: str,
    version: str,
    lake: LakeThere,
    date: Annotated[
        str, typer.Option(help="Date in the release, YYYY-MM-DD; of a new version today by default.")
    ] = "",
    allow: Annotated[
        str,
        typer.Option(
            metavar="PROFILE", help="What it is for: commercial, share-alike, research. The rest is left out."
        ),
    ] = "research",
    to: Annotated[
        str, typer.Option(metavar="s3://BUCKET/PREFIX", help="Where a copy goes, as NAME/VERSION.")
    ] = "",
) -> None:
    """Run the flow ``release``."""
    from sonolake.releases.licences import checked_profile
    from sonolake.releases.on_record import path_of
    from sonolake.s3 import parts_of

    path_of(name, version)
    checked_profile(allow)
    if to:
        parts_of(to)
    show_counts(
        run_on_what_is_there("releasing", "release", lake, name, version, lake, date, allow, to), lake
    )


def recheck_sources(
    lake: LakeThere,
    pause: Annotated[
        float, typer.Option(min=0, help="Seconds between two requests to one host of the web.")
    ] = 1.0,
) -> None:
    """Run the flow ``recheck-sources``."""
    show_counts(run_on_what_is_there("rechecking", "recheck_sources", lake, lake, pause), lake)


def maintain(lake: LakeThere) -> None:
    """Run the flow ``maintain``."""
    show_counts(run_on_what_is_there("upkeep", "maintain", lake, lake), lake)
