"""Releases: content read at a snapshot, built, proven, published."""

from __future__ import annotations

from datetime import date as calendar

from prefect import task

from sonolake.releases.copying import Copied, copy_to
from sonolake.releases.finding import find_release
from sonolake.releases.licences import checked_profile
from sonolake.releases.on_record import date_of, path_of
from sonolake.releases.publishing import Published, publish
from tasks.contents import content_of
from tasks.opening import run_of


@task(persist_result=False)
def publish_release(
    lake: str, run_id: str, name: str, version: str, date: str = "", allow: str = "research"
) -> Published:
    """Publish what the lake holds now; a version that is there with the same content is left alone.

    ``allow`` is what the release is for: commercial, share-alike or research. ``date`` is YYYY-MM-DD; when left out,
    the one that the version has, and today for a new version.
    """
    run = run_of(lake, "release", run_id)
    path_of(name, version)
    snapshot = run.lake.snapshot
    date = date or date_of(run.lake, name, version) or calendar.today().isoformat()
    content = content_of(run.lake, name, version, date, snapshot, checked_profile(allow))
    return publish(run, content, snapshot)


@task(retries=2, retry_delay_seconds=5, persist_result=False)
def copy_release(lake: str, name: str, version: str, to: str) -> Copied:
    """Make ``NAME/VERSION`` below ``to``, an ``s3://bucket/prefix``, hold that release of the lake."""
    return copy_to(find_release(f"{name}@{version}", lambda: lake), to)
