"""What every step that makes things does with a batch: leave out what is there, make the rest, commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sonolake.lake.catalog import among
from sonolake.lake.run import Run
from sonolake.lake.step import Already, Batch, Counts, Outcome, attempt, keys_win

T = TypeVar("T")


def make(
    run: Run,
    step: str,
    things: Mapping[str, T],
    table: str,
    key: str,
    work: Callable[[T], Outcome],
    *,
    code_version: str = "",
    workers: int = 1,
) -> Counts:
    """Make each of ``things`` (id to what it is made from) that ``table`` does not have under ``key``.

    A thing refused with this ``code_version`` before is left alone; the rows that ``work`` gives, the quarantine, the
    lineage and the counts are one commit. The outcome does not depend on ``workers``, the number of threads.
    """
    ids = list(things)
    there = run.lake.rows(
        f"SELECT {key} AS id FROM {table} WHERE {key} IN {among(ids)} UNION "
        f"SELECT item FROM quarantine WHERE step = ? AND attempt = ? AND item IN {among(ids)}",
        [step, code_version],
    )
    known = {row["id"] for row in there}
    batch = Batch(step, table, code_version)
    with ThreadPoolExecutor(workers) as pool:
        todo = [(one, thing) for one, thing in things.items() if one not in known]
        made = dict(zip((one for one, _ in todo), pool.map(lambda t: attempt(work, t[1]), todo), strict=True))
    for one in ids:
        batch.put(one, made.get(one, Already()))
    return run.commit(batch, keys_win(table, key))
