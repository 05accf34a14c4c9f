"""The ranked lists that mining fuses: each query's nearest utterances, by sound, by classes and by words.

What may be found is decided before any search: utterances that fulfil a condition and that nobody has annotated. Each
search goes on until its list is full or nothing is left (``tasks.window_search``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from sonolake.datasets.sounds import Sounds
from sonolake.errors import InvalidInput
from sonolake.lake import Lake
from sonolake.lake.vector_rows import matrix_of
from sonolake.models.base import AudioEncoder, BatchEncoder, Vectors
from sonolake.models.registry import get
from sonolake.search.current import in_use, loaded
from sonolake.search.embedding import SOUND_SPACE
from sonolake.wesr.mining import EXAMPLE, SENTENCE, TRANSCRIPT, RankedList, ranked
from sonolake.wesr.ordinary import Matrix, Ordinary, direction, in_speech
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
UNDER = 12
"""Of them, those that an example is laid over."""
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
    words = used.get("words")
    encode = loaded(words).encode_text if words else None
    lists = []
    for query in (one for one in chosen if not one.take):
        if query.modality == "audio":
            vector = _classes(query, bridge.labels)
            lists.append(search.ranked(classes, vector, query.tag, query.query_id))
        elif words and encode:
            space = Space(words.space, words.weights_sha256)
            lists.append(search.ranked(space, encode([query.text])[0], query.tag, query.query_id))
        else:
            found = search.ranked(classes, bridge.query_vector(query.text), query.tag, query.query_id)
            lists.append(replace(found, evidence=SENTENCE))
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
    """A list of each example: the utterances in which something sounds as it would in speech, and not as other labels'
    examples would.
    """
    lake, used = search.lake, in_use(search.lake).get("sounds")
    space = (
        Space(used.space, used.weights_sha256) if used else Space(SOUND_SPACE, get("yamnet").weights_sha256)
    )
    if not (examples := _examples(lake, chosen, space)):
        return
    speech = _ordinary_speech(search.places.utterances)
    ordinary = _ordinary(lake, space, speech)
    heard = _heard_in_speech(lake, loaded(used) if used else get("yamnet"), examples, speech[:UNDER])
    differences = [
        ordinary.difference(windows, matrix_of(lake.vectors.read(space.name, [example.asset_id])))
        for example, windows in zip(examples, heard, strict=True)
    ]
    of: dict[str, list[Matrix]] = defaultdict(list)
    for example, difference in zip(examples, differences, strict=True):
        of[example.tag].append(difference)
    means = {tag: np.mean(some, axis=0) for tag, some in of.items()}
    for (tag, name, _), difference in zip(examples, differences, strict=True):
        asked = direction(difference, [mean for other, mean in means.items() if other != tag])
        if not asked.any():
            continue
        found = search.ranked(space, asked.astype(np.float32), tag, name)
        far = ordinary.distances(asked, [hit.distance for hit in found.hits]).tolist()
        hits = (replace(hit, distance=distance) for hit, distance in zip(found.hits, far, strict=True))
        yield replace(found, hits=tuple(hits), evidence=EXAMPLE)


class _Example(NamedTuple):
    """A sound of the lake that is an audio query of a label, and the query's name."""

    tag: str
    name: str
    asset_id: str


def _examples(lake: Lake, chosen: Sequence[Query], space: Space) -> list[_Example]:
    """The sounds that are audio queries: those that the queries name; for a label without any, vocal takes, other ones
    for training.
    """
    there = lake.vectors.ids(space.name, space.weights_sha256)
    asked = [
        _Example(query.tag, query.query_id, _named(lake, query, there)) for query in chosen if query.take
    ]
    named = {one.tag for one in asked}
    purposes = {query.tag: query.purpose for query in chosen if query.tag not in named}
    takes: dict[str, list[str]] = {tag: [] for tag in sorted(purposes)}
    for row in lake.rows("SELECT asset_id, event FROM assets WHERE kind = 'vocal' ORDER BY asset_id"):
        tag = (row["event"] or "").removeprefix("vocal/")
        if tag in takes and row["asset_id"] in there:
            takes[tag].append(row["asset_id"])
    for tag, ids in takes.items():
        first = EXAMPLES if purposes[tag] == "training" else 0
        some = ids[first : first + EXAMPLES]
        asked += [_Example(tag, f"{tag}/example/{asset_id}", asset_id) for asset_id in some]
    return asked


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


def _heard_in_speech(
    lake: Lake, model: AudioEncoder, examples: Sequence[_Example], speech: Sequence[Mapping[str, Any]]
) -> list[Vectors]:
    """The windows of each example laid over some utterances."""
    sounds, rate = Sounds(lake.media), model.sample_rate
    under = [sounds.mono(row["audio"], rate) for row in speech]
    heard = [(in_speech(sounds.mono(one.asset_id, rate), under, rate), rate) for one in examples]
    if isinstance(model, BatchEncoder):
        return model.encode_many(heard)
    return [model.encode(x, rate) for x, _ in heard]


def _ordinary_speech(utterances: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Some utterances, chosen by a hash of their ids, so that it does not matter how many there are."""
    return sorted(utterances, key=lambda row: sha256(row["utterance_id"].encode()).digest())[:ORDINARY]


def _ordinary(lake: Lake, space: Space, speech: Sequence[Mapping[str, Any]]) -> Ordinary:
    """The windows of some utterances."""
    inside = (
        f"(asset_id = '{row['asset_id']}' AND start_s >= {row['start_s']!r} AND end_s <= {row['end_s']!r})"
        for row in speech
    )
    where = f"{space.where} AND ({' OR '.join(inside) or 'false'})"
    ids = {row["asset_id"] for row in speech}
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
