"""The flow that publishes a release."""

from __future__ import annotations

from prefect import flow

from flows.progress import say
from flows.running import run_in
from sonolake.lake.step import Counts
from tasks.publishing import copy_release, publish_release


@flow(name="release", description="Publish a release of all that the lake has made.")
def release(
    name: str, version: str, lake: str, date: str = "", allow: str = "research", to: str = ""
) -> dict[str, Counts]:
    """Publish release ``name`` ``version``.

    ``allow`` is what it is for: commercial, share-alike or research; what is left out is told. ``date`` is
    YYYY-MM-DD; when left out, the one that the version has, and today for a new version. ``to`` is an
    ``s3://bucket/prefix`` that gets a copy, as ``NAME/VERSION``.
    """
    said = {"name": name, "version": version, "date": date, "allow": allow} | ({"to": to} if to else {})
    with run_in(lake, "release", said) as run:
        published = publish_release(lake, run.run_id, name, version, date, allow)
        say(published.told())
        for one in published.left_out:
            say(f"left out: {one.items:,} items of {one.config}: {one.why}")
        if to:
            say(copy_release(lake, name, version, to).told())
        return run.counts()
