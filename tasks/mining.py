"""WESR: utterances mined for vocal events by words, by classes and by examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from prefect import task

from schemas import Candidates, Queries, valid_rows
from sonolake.errors import InvalidInput
from sonolake.lake import Lake
from sonolake.lake.step import Already, Batch, Counts, Done, Edge, Quarantined
from sonolake.lake.transaction import Transaction
from sonolake.models.registry import get
from sonolake.search.embedding import SOUND_SPACE
from sonolake.wesr.mining import Candidate, RankedList, mine, ranked
from sonolake.wesr.queries import Query, load
from sonolake.wesr.taxonomy import TAGS
from tasks.embedding import CLASS_SPACE
from tasks.opening import run_of

STEP = "mine"
TOP = 50
"""Utterances of each ranked list that are fused."""
WINDOWS = 2000
"""Windows asked of a vector space for one query; an utterance has up to 62."""
EXAMPLES = 3
"""Vocal takes of a label in the lake that serve as audio queries (WESR, section 4.1: three)."""
NOTHING_FOUND = "nothing_found"
"""Reason why a label has no candidate."""
NOTHING = 0.999
"""From this distance on, a window has nothing of what was asked: no score of its classes, or a right angle."""
_AMONG = "kind = 'speech'"


@task(persist_result=False)
def mine_events(lake: str, run_id: str, queries: str, quota: int) -> Counts:
    """Mine every label of the query set until it has ``quota`` candidates; one that is there stays as it is.

    New candidates rank after those that are there. A label for which no utterance is found at all is set aside.
    """
    run = run_of(lake, STEP, run_id)
    chosen = load("benchmark", Path(queries) if queries else None)
    there = _ranks(run.lake.sql(_THERE))
    by_tag: dict[str, list[Candidate]] = {
        tag.name: [] for tag in TAGS if any(q.tag == tag.name for q in chosen)
    }
    room = {tag: max(0, quota - len(there[tag])) for tag in by_tag}
    known = [(utterance_id, tag) for tag, ranks in there.items() for utterance_id in ranks]
    for candidate in mine(_lists(run.lake, chosen), room, known):
        by_tag[candidate.tag].append(candidate)
    _keep_queries(run.lake, chosen)
    batch = Batch(STEP, "label")
    for tag, candidates in by_tag.items():
        batch.put(tag, Done({"candidates": valid_rows(Candidates, [vars(c) for c in candidates])}))
    return run.commit(batch, lambda tx, batch: _settle(tx, batch, quota))


_THERE = "SELECT utterance_id, tag, rank FROM candidates"


def _ranks(candidates: pa.Table) -> defaultdict[str, dict[str, int]]:
    """The ranks that are taken: tag to utterance to rank."""
    ranks: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for row in candidates.to_pylist():
        ranks[row["tag"]][row["utterance_id"]] = row["rank"]
    return ranks


def _settle(tx: Transaction, batch: Batch, quota: int) -> None:
    """Keep the new candidates that fit the quota, ranked after those that are there by now."""
    there = _ranks(tx.sql(_THERE))
    for tag, done in batch.done():
        known = there[tag]
        found = [row for row in done.rows["candidates"] if row["utterance_id"] not in known]
        last = max(known.values(), default=0)
        new = [{**row, "rank": last + n} for n, row in enumerate(found[: max(0, quota - len(known))], 1)]
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


def _lists(lake: Lake, chosen: Sequence[Query]) -> list[RankedList]:
    """The ranked lists of every query, and of examples where the lake has takes of a label."""
    places = _Places(lake)
    bridge = get("bridge")
    lists = []
    for query in chosen:
        vector = (
            bridge.query_vector(query.text) if query.modality == "text" else _classes(query, bridge.labels)
        )
        lists.append(_ranked(lake, CLASS_SPACE, vector, query.tag, query.query_id, places))
    return lists + [
        _ranked(lake, SOUND_SPACE, vector, tag, f"{tag}/example/{asset_id}", places)
        for tag, asset_id, vector in _examples(lake, {query.tag for query in chosen})
    ]


class _Places:
    """Which utterance a window of a recording belongs to."""

    def __init__(self, lake: Lake) -> None:
        self._by_recording: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in lake.rows(
            "SELECT utterance_id, asset_id, start_s, end_s FROM utterances ORDER BY start_s"
        ):
            self._by_recording[row["asset_id"]].append(row)

    def of(self, window: Mapping[str, Any]) -> tuple[str, float] | None:
        """The utterance that holds the window's middle, and the window's start within it; None between utterances."""
        middle = (window["start_s"] + window["end_s"]) / 2
        for row in self._by_recording.get(window["asset_id"], ()):
            if row["start_s"] <= middle < row["end_s"]:
                return row["utterance_id"], max(0.0, window["start_s"] - row["start_s"])
        return None


def _classes(query: Query, labels: Sequence[str]) -> npt.NDArray[np.float32]:
    """A unit vector with equal weight on each class of an audio query."""
    if unknown := [name for name in query.classes if name not in labels]:
        raise InvalidInput(f"query {query.query_id}", "classes of AudioSet, as YAMNet spells them", unknown)
    vector = np.zeros(len(labels), dtype=np.float32)
    vector[[labels.index(name) for name in query.classes]] = len(query.classes) ** -0.5
    return vector


def _examples(lake: Lake, tags: set[str]) -> list[tuple[str, str, npt.NDArray[np.float32]]]:
    """The first vocal takes of each label, as the mean vector of their windows."""
    rows = lake.rows("SELECT asset_id, event FROM assets WHERE kind = 'vocal' ORDER BY asset_id")
    chosen: dict[str, list[str]] = {}
    for row in rows:
        tag = (row["event"] or "").removeprefix("vocal/")
        if tag in tags and len(chosen.setdefault(tag, [])) < EXAMPLES:
            chosen[tag].append(row["asset_id"])
    return [(tag, one, _mean(lake, one)) for tag, ids in sorted(chosen.items()) for one in ids]


def _mean(lake: Lake, asset_id: str) -> npt.NDArray[np.float32]:
    vectors: list[Any] = lake.vectors.read(SOUND_SPACE, [asset_id])["vector"].to_pylist()
    return np.asarray(np.mean(vectors, axis=0), dtype=np.float32)


def _ranked(
    lake: Lake, space: str, vector: npt.NDArray[np.float32], tag: str, query_id: str, places: _Places
) -> RankedList:
    hits: list[dict[str, Any]] = []
    if lake.vectors.count(space):
        found = lake.vectors.search(space, vector, WINDOWS, where=_AMONG)
        hits = found.select(["asset_id", "start_s", "end_s", "distance"]).to_pylist()
    placed = [(places.of(hit), hit["distance"]) for hit in hits if hit["distance"] < NOTHING]
    inside = [(*place, distance) for place, distance in placed if place is not None]
    ids, onsets, distances = ([row[n] for row in inside] for n in range(3))
    return ranked(tag, query_id, ids, onsets, distances, TOP)
