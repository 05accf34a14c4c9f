"""What every step that makes things does with a batch: leave out what is there, make the rest, commit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from sonolake.audio.heap import keep_memory
from sonolake.ids import make_id
from sonolake.lake.catalog import among
from sonolake.lake.run import Run
from sonolake.lake.step import (
    Already,
    Batch,
    Counts,
    Done,
    Edge,
    Outcome,
    Quarantined,
    attempt,
    keys_win,
)
from sonolake.lake.transaction import Transaction
from sonolake.rendering.environment import ROLE, environment_name

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
    inputs: Callable[[T], object] = lambda thing: None,
    aside: Mapping[str, Mapping[str, Quarantined]] | None = None,
    workers: int = 1,
) -> Counts:
    """Make each of ``things`` (id to what it is made from) that ``table`` does not have under ``key``.

    The rows that ``work`` gives, the quarantine, the lineage and the counts are one commit. Of two things that sound
    alike to the byte, the one that comes later is set aside as ``same_sound``.

    Args:
        run, step: who makes.
        things: what to make.
        table, key: where it is when it is made.
        work: from a thing to its rows.
        code_version: a thing that was refused with this one and the same inputs is left alone.
        inputs: what else decides whether a thing is refused (of JSON's types), such as the sounds it may use.
        aside: by a thing's id, what ``work`` set aside of it, by names that begin with the id and ``#``: each is an
            item of its own.
        workers: number of threads; the outcome does not depend on it.
    """
    ids = list(things)
    tries = _tries(run, step, ids)
    there = run.lake.rows(f"SELECT {key} AS id FROM {table} WHERE {key} IN {among(ids)}")
    known = {row["id"] for row in there}

    def trial(thing: T) -> str:
        given = inputs(thing)
        return code_version if given is None else f"{code_version}:{make_id('inputs', {'given': given})}"

    def tried(one: str) -> Outcome:
        if one in known or (one in tries and trial(things[one]) in tries[one]):
            return Already()
        outcome = attempt(work, things[one])
        if isinstance(outcome, Quarantined):
            return replace(outcome, attempt=trial(things[one]))
        return _with_environment(outcome)

    batch = Batch(step, table, code_version)
    keep_memory()
    with ThreadPoolExecutor(workers) as pool:
        for one, outcome in zip(ids, pool.map(tried, ids), strict=True):
            batch.put(one, outcome)
            for name, part in (aside or {}).get(one, {}).items():
                batch.put(name, replace(part, attempt=trial(things[one])))
    keys = keys_win(table, key)

    def settle(tx: Transaction, batch: Batch) -> None:
        keys(tx, batch)
        if aside is not None:
            _forget_parts(tx, batch)
        _sounds_differ(tx, batch, lambda one: trial(things[one]))

    return run.commit(batch, settle)


def _with_environment(outcome: Outcome) -> Outcome:
    """What was made by code, with the environment that the code ran in."""
    if not isinstance(outcome, Done):
        return outcome
    by_code = dict.fromkeys(edge.child for edge in outcome.edges if edge.role == "code")
    here = (Edge(child, environment_name(), ROLE) for child in by_code)
    return replace(outcome, edges=(*outcome.edges, *here))


def _forget_parts(tx: Transaction, batch: Batch) -> None:
    """What was set aside of a thing that is made now, and is not set aside any more, leaves the quarantine."""
    made = [one for one, _ in batch.done()]
    rows = tx.sql(
        "SELECT step, item, asset_id, attempt FROM quarantine "
        f"WHERE step = ? AND contains(item, '#') AND split_part(item, '#', 1) IN {among(made)}",
        [batch.step],
    ).to_pylist()
    tx.delete("quarantine", [row for row in rows if row["item"] not in batch.outcomes])


def _sounds_differ(tx: Transaction, batch: Batch, trial: Callable[[str], str]) -> None:
    """What sounds, to the byte, like something that is there or made beside it is set aside as ``same_sound``."""
    made = {one: done.rows.get("assets", ()) for one, done in batch.done()}
    named = [str(row["asset_id"]) for rows in made.values() for row in rows]
    if not named:
        return
    there = tx.sql(f"SELECT asset_id, item FROM assets WHERE asset_id IN {among(named)}").to_pylist()
    owners = {row["asset_id"]: row["item"] for row in there}
    for one, rows in sorted(made.items()):
        strangers = [owners[r["asset_id"]] for r in rows if owners.get(r["asset_id"], r["item"]) != r["item"]]
        if strangers:
            detail = f"it sounds exactly as {strangers[0]}"
            batch.change(one, Quarantined("same_sound", detail, attempt=trial(one)))
            continue
        owners |= {row["asset_id"]: row["item"] for row in rows}


def _tries(run: Run, step: str, ids: Sequence[str]) -> dict[str, set[str]]:
    """With what each of the things was tried that ``step`` refused."""
    rows = run.lake.rows(
        f"SELECT item, attempt FROM quarantine WHERE step = ? AND item IN {among(ids)}", [step]
    )
    tries: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        tries[row["item"]].add(row["attempt"])
    return tries
