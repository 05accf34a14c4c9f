"""Versions of a vector space: the ones that releases were made from are pinned, other old ones are cleaned away."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any


def pin(table: Any, pins: Mapping[str, datetime]) -> None:
    """Tag the version that was the newest one at each of the times, by name; one that is gone stays untagged.

    Args:
        table: a Lance table.
        pins: name to time, with its zone.
    """
    there = table.tags.list()
    versions = [(one["timestamp"].astimezone(), one["version"]) for one in table.list_versions()]
    for name, time in pins.items():
        current = [version for at, version in versions if at <= time]
        if name not in there and current:
            table.tags.create(name, max(current))


def clean(table: Any, uri: str, older_than: timedelta, options: Mapping[str, str]) -> bool:
    """Delete versions older than ``older_than``, but the newest and the pinned ones, and the files only they have.

    LanceDB alone cleans nothing once a pinned version is as old as that; the package ``pylance`` does.

    Returns:
        Whether it could be done.
    """
    oldest = datetime.now().astimezone() - older_than
    pinned = {tag["version"] for tag in table.tags.list().values()}
    due = {one["version"] for one in table.list_versions() if one["timestamp"].astimezone() < oldest}
    if not due - pinned - {table.version}:
        return True
    if not due & pinned:
        table.optimize(cleanup_older_than=older_than)
        return True
    if importlib.util.find_spec("lance") is None:
        return False
    import lance

    lance.dataset(uri, storage_options=dict(options) or None).cleanup_old_versions(
        older_than=older_than, error_if_tagged_old_versions=False
    )
    return True


def holds(table: Any, wanted: Sequence[str]) -> bool:
    """Whether any version of ``table`` has a row that one of the clauses ``wanted`` finds."""
    try:
        for one in reversed(table.list_versions()):
            table.checkout(one["version"])
            if any(table.count_rows(clause) for clause in wanted):
                return True
        return False
    finally:
        table.checkout_latest()


def erase(connection: Any, table: Any, name: str, unwanted: Sequence[str]) -> int:
    """Replace ``table`` by its rows that no clause of ``unwanted`` finds, and delete all its earlier versions.

    Returns:
        How many rows went.
    """
    before = int(table.count_rows())
    where = " AND ".join(f"NOT ({clause})" for clause in unwanted)
    rows = table.search().where(where).limit(None).to_batches()
    fresh = connection.create_table(name, rows, schema=table.schema, mode="overwrite")
    for tag in fresh.tags.list():
        fresh.tags.delete(tag)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "optimize", UserWarning)
        fresh.optimize(cleanup_older_than=timedelta(0), delete_unverified=True)
    return before - int(fresh.count_rows())
