"""The ranked lists that mining fuses: each query's nearest utterances, by sound, by classes and by words.

What may be found is decided before any search: utterances that fulfil a condition and that nobody has annotated. Each
search goes on until its list is full or nothing is left (``tasks.window_search``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa

from sonolake.errors import InvalidInput
from sonolake.lake import Lake
from sonolake.lake.vector_rows import matrix_of
from sonolake.models.registry import get
from sonolake.search.current import in_use, loaded
from sonolake.search.embedding import SOUND_SPACE
from sonolake.wesr.mining import TRANSCRIPT, Hit, RankedList, ranked
from sonolake.wesr.ordinary import Ordinary
from sonolake.wesr.queries import Query
from sonolake.wesr.wordsearch import WordSearch
from tasks.embedding import CLASS_SPACE
from tasks.window_search import Places, Space, Vector, WindowSearch

EXAMPLES = 3
"""Vocal takes of a label in the lake that serve as audio queries (WESR, section 4.1: three); training has the next."""
NOTHING = 0.999
"""From this distance on, a window has nothing of what was asked: no score of its classes."""
ORDINARY = 128
"""Utterances whose windows are what ordinary speech is like."""
SEARCHED = """
SELECT u.*, a.source_id, a.speaker, a.licence, a.event, a.location, a.loudness_lufs, s.split
FROM utterances u JOIN assets a USING (asset_id) LEFT JOIN splits s ON s.kind = 'source' AND s.item = a.source_id
WHERE u.utterance_id NOT IN (SELECT utterance_id FROM annotations)
AND u.utterance_id NOT IN (SELECT utterance_id FROM gold)
"""
"""The utterances that can be mined: their columns, and those of their recordings that conditions are about."""


def lists_of(lake: Lake, chosen: Sequence[Query], top: int, where: str = "") -> list[RankedList]:
    """The ``top`` nearest utterances of every query, and of examples where the lake has takes of a label.

    Raises:
        InvalidInput: a bad condition, a class that AudioSet does not have, or a sound that the lake does not have.
        NotFound, MissingPackage, Refused: the encoder in use is not here.
    """
    search = WindowSearch(lake, Places(allowed(lake, where)), top)
    bridge, used = get("bridge"), in_use(lake)
    classes = Space(CLASS_SPACE, bridge.weights_sha256, NOTHING)
    read: Callable[[str], Vector] = bridge.query_vector
    asked = classes
    if "words" in used:
        model = loaded(used["words"])
        asked, read = (
            Space(used["words"].space, used["words"].weights_sha256),
            lambda text: model.encode_text([text])[0],
        )
    lists = []
    for query in (one for one in chosen if not one.take):
        by_text = query.modality == "text"
        vector = read(query.text) if by_text else _classes(query, bridge.labels)
        space = asked if by_text else classes
        lists.append(search.ranked(space, vector, query.tag, query.query_id))
    lists += _by_examples(search, chosen)
    return lists + list(_by_words([query for query in chosen if query.modality == "text"], search))


def allowed(lake: Lake, where: str = "") -> list[dict[str, Any]]:
    """The utterances that may be found, by start; of all that nobody annotated when there is no condition.

    Raises:
        InvalidInput: a condition that DuckDB refuses, or more than a condition.
    """
    import duckdb

    chosen = f"SELECT * FROM ({SEARCHED}) WHERE ({where or 'true'}\n) ORDER BY start_s, utterance_id"
    try:
        if len(duckdb.extract_statements(chosen)) == 1:
            return lake.rows(chosen)
        said = "a semicolon"
    except (duckdb.Error, InvalidInput) as error:
        said = str(error.received if isinstance(error, InvalidInput) else error).split("\n\nLINE")[0]
    columns = ", ".join(lake.sql(f"SELECT * FROM ({SEARCHED}) LIMIT 0").column_names)
    raise InvalidInput("where", f"an SQL condition over {columns}", where, said)


def _classes(query: Query, labels: Sequence[str]) -> Vector:
    """A unit vector with equal weight on each class of an audio query."""
    if unknown := [name for name in query.classes if name not in labels]:
        raise InvalidInput(f"query {query.query_id}", "classes of AudioSet, as YAMNet spells them", unknown)
    vector = np.zeros(len(labels), dtype=np.float32)
    vector[[labels.index(name) for name in query.classes]] = len(query.classes) ** -0.5
    return vector


def _by_examples(search: WindowSearch, chosen: Sequence[Query]) -> Iterator[RankedList]:
    """A list of each example: the utterances that have a window near to one of its windows."""
    lake = search.lake
    sounds = in_use(lake).get("sounds")
    space = (
        Space(sounds.space, sounds.weights_sha256)
        if sounds
        else Space(SOUND_SPACE, get("yamnet").weights_sha256)
    )
    if not (examples := list(_examples(lake, chosen, space))):
        return
    ordinary = _ordinary(lake, space, search.places.utterances)
    for tag, name, windows in examples:
        found: list[Hit] = []
        for direction in ordinary.directions(windows):
            hits = search.ranked(space, direction, tag, name).hits
            far = ordinary.distances(direction, [hit.distance for hit in hits]).tolist()
            found += [replace(hit, distance=distance) for hit, distance in zip(hits, far, strict=True)]
        ids, onsets = [hit.utterance_id for hit in found], [hit.onset_s for hit in found]
        far, offsets = [hit.distance for hit in found], [hit.offset_s for hit in found]
        yield ranked(tag, name, ids, onsets, far, search.top, offsets, space.name)


def _examples(lake: Lake, chosen: Sequence[Query], space: Space) -> Iterator[tuple[str, str, Vector]]:
    """The sounds that are audio queries: tag, name, and the vectors of their windows.

    They are those that the queries name; for a label without any, vocal takes, other ones for training.
    """
    there = lake.vectors.ids(space.name, space.weights_sha256)
    asked = [(query.tag, query.query_id, _named(lake, query, there)) for query in chosen if query.take]
    named = {tag for tag, *_ in asked}
    purposes = {query.tag: query.purpose for query in chosen if query.tag not in named}
    takes: dict[str, list[str]] = {tag: [] for tag in sorted(purposes)}
    for row in lake.rows("SELECT asset_id, event FROM assets WHERE kind = 'vocal' ORDER BY asset_id"):
        tag = (row["event"] or "").removeprefix("vocal/")
        if tag in takes and row["asset_id"] in there:
            takes[tag].append(row["asset_id"])
    for tag, ids in takes.items():
        first = EXAMPLES if purposes[tag] == "training" else 0
        asked += [(tag, f"{tag}/example/{asset_id}", asset_id) for asset_id in ids[first : first + EXAMPLES]]
    for tag, name, asset_id in asked:
        yield tag, name, matrix_of(lake.vectors.read(space.name, [asset_id]))


def _named(lake: Lake, query: Query, there: Collection[str]) -> str:
    """The id of the sound that a query names."""
    found = lake.rows(
        "SELECT asset_id FROM assets WHERE kind IN ('take', 'vocal') AND ? IN (item, asset_id)", [query.take]
    )
    ids = [row["asset_id"] for row in found if row["asset_id"] in there]
    if len(ids) != 1:
        cause = "it was not taken in or not embedded" if not ids else f"its id says which of {len(ids)} it is"
        raise InvalidInput(
            f"query {query.query_id}", "a vocal sound or take of the lake, by item or id", query.take, cause
        )
    return str(ids[0])


def _ordinary(lake: Lake, space: Space, utterances: Sequence[Mapping[str, Any]]) -> Ordinary:
    """The windows of some utterances, chosen by a hash of their ids, so that it does not matter how many there are."""
    some = sorted(utterances, key=lambda row: sha256(row["utterance_id"].encode()).digest())[:ORDINARY]
    inside = (
        f"(asset_id = '{row['asset_id']}' AND start_s >= {row['start_s']!r} AND end_s <= {row['end_s']!r})"
        for row in some
    )
    where = f"{space.where} AND ({' OR '.join(inside) or 'false'})"
    ids = {row["asset_id"] for row in some}
    parts = list(lake.vectors.scan(space.name, ["vector_id", "vector"], where, ids))
    if not parts:
        return Ordinary(np.empty((0, lake.vectors.dim(space.name))))
    return Ordinary(matrix_of(pa.Table.from_batches(parts).sort_by("vector_id")))


def _by_words(queries: Sequence[Query], search: WindowSearch) -> Iterator[RankedList]:
    """The transcripts that have words of a text query; what is found there has no place within the utterance."""
    words = WordSearch({query.query_id: query.text for query in queries})
    lengths = {row["utterance_id"]: row["end_s"] - row["start_s"] for row in search.places.utterances}
    for row in search.places.utterances:
        if row["transcript"]:
            words.read(row["utterance_id"], row["transcript"])
    for query in queries:
        found = words.ranked(query.query_id, search.top)
        ids = [name for name, _ in found]
        far = [1.0 / (1.0 + score) for _, score in found]
        ends = [lengths[name] for name in ids]
        name = f"{query.query_id}/{TRANSCRIPT}"
        yield ranked(query.tag, name, ids, [0.0] * len(ids), far, search.top, ends, TRANSCRIPT)
