"""WESR: utterances mined for vocal events by words, by classes and by examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from prefect import task

from schemas import Candidates, Queries, valid_rows
from sonolake.lake import Lake
from sonolake.lake.step import Already, Batch, Counts, Done, Edge, Quarantined
from sonolake.lake.transaction import Transaction
from sonolake.wesr.mining import Candidate, RankedList, mine
from sonolake.wesr.queries import Purpose, Query, load
from sonolake.wesr.taxonomy import TAGS
from tasks.listing import lists_of
from tasks.opening import run_of

STEP = "mine"
TOP = 200
"""Utterances of each ranked list that are fused, at least: as many as the quota, so that it can be filled."""
NOTHING_FOUND = "nothing_found"
"""Reason why a label has no candidate."""


class Mined(NamedTuple):
    """What became of the labels, and the ranked lists that were fused."""

    counts: Counts
    lists: list[RankedList]


@task(persist_result=False)
def mine_events(
    lake: str,
    run_id: str,
    queries: str,
    quota: int,
    where: str = "",
    purpose: Purpose = "benchmark",
    quotas: Mapping[str, int] | None = None,
) -> Mined:
    """Mine every label of the query set until it has ``quota`` candidates, or what ``quotas`` says of it.

    One that is there stays as it is.

    New candidates rank after those that are there. Searched are the utterances that nobody has annotated and that
    fulfil ``where``, SQL over the columns of :data:`tasks.listing.SEARCHED`. A label for which no utterance is found at
    all is set aside.

    Raises:
        InvalidInput: a condition that DuckDB refuses; the message says the columns there are.
    """
    run = run_of(lake, STEP, run_id)
    chosen = load(purpose, Path(queries) if queries else None)
    there = _ranks(run.lake.sql(_THERE))
    by_tag: dict[str, list[Candidate]] = {
        tag.name: [] for tag in TAGS if any(q.tag == tag.name for q in chosen)
    }
    wanted = {tag: (quotas or {}).get(tag, quota) for tag in by_tag}
    room = {tag: max(0, wanted[tag] - len(there[tag])) for tag in by_tag}
    known = [(utterance_id, tag) for tag, ranks in there.items() for utterance_id in ranks]
    lists = lists_of(run.lake, chosen, max(TOP, *wanted.values()), where)
    for candidate in mine(lists, room, known):
        by_tag[candidate.tag].append(candidate)
    _keep_queries(run.lake, chosen)
    batch = Batch(STEP, "label")
    for tag, candidates in by_tag.items():
        batch.put(tag, Done({"candidates": valid_rows(Candidates, [vars(c) for c in candidates])}))
    return Mined(run.commit(batch, lambda tx, batch: _settle(tx, batch, wanted)), lists)


_THERE = "SELECT utterance_id, tag, rank FROM candidates"


def _ranks(candidates: pa.Table) -> defaultdict[str, dict[str, int]]:
    """The ranks that are taken: tag to utterance to rank."""
    ranks: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for row in candidates.to_pylist():
        ranks[row["tag"]][row["utterance_id"]] = row["rank"]
    return ranks


def _settle(tx: Transaction, batch: Batch, wanted: Mapping[str, int]) -> None:
    """Keep the new candidates that fit the label's quota, ranked after those that are there by now."""
    there = _ranks(tx.sql(_THERE))
    for tag, done in batch.done():
        known = there[tag]
        found = [row for row in done.rows["candidates"] if row["utterance_id"] not in known]
        last = max(known.values(), default=0)
        new = [
            {**row, "rank": last + n} for n, row in enumerate(found[: max(0, wanted[tag] - len(known))], 1)
        ]
        edges = tuple(Edge(f"{row['utterance_id']}:{tag}", str(row["query"]), "query") for row in new)
        if new:
            batch.change(tag, Done({"candidates": new}, edges, made=len(new)))
        else:
            batch.change(
                tag, Already() if known else Quarantined(NOTHING_FOUND, f"no utterance is near {tag}")
            )


def _keep_queries(lake: Lake, chosen: Sequence[Query]) -> None:
    rows = [{"query_id": q.query_id, "tag": q.tag, "modality": q.modality, "query": q.text} for q in chosen]
    there = {r["query_id"] for r in lake.rows("SELECT query_id FROM queries")}
    new = [row for row in valid_rows(Queries, rows) if row["query_id"] not in there]
    if new:
        lake.table("queries").merge(new, "queries of the mining")
