"""From assets to rows of the vector spaces: the other side of what the encoders ask.

Three spaces of the packaged models: ``yamnet`` has a row a window of 0.96 s, ``labels`` a row a segment of ten seconds,
``text`` a row an asset that has words. Segments are AudioSet's own length, so that one bark in a minute of yard is not
averaged away and a single odd window does not decide. Any other encoder has a space of its own, a row a window.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sonolake.lake.vector_rows import FILTERS, vector_id
from sonolake.models.base import AudioEncoder, TextEncoder, Vectors

EMBEDDED = ("take", "ambience", "speech", "vocal", "foa")
"""Kinds of assets that are searched; responses and mixes are not."""
SOUND_SPACE, LABEL_SPACE, TEXT_SPACE = "yamnet", "labels", "text"

SEGMENT_WINDOWS = 20
"""Windows of one row of ``labels``: 20 hops of 0.48 s and the rest of the last window, 10.08 s."""


class SoundModel(Protocol):
    """Windows to vectors and class scores in one pass: YAMNet."""

    spec: str
    window_s: float
    hop_s: float

    @property
    def weights_sha256(self) -> str:
        """SHA-256 of the weights."""

    def analyse(self, x: npt.NDArray[Any], rate: int) -> tuple[Vectors, Vectors]:
        """Vectors ``(n, dim)`` and scores ``(n, classes)`` of a mono signal's windows."""


class Bridge(Protocol):
    """Class scores to a vector: the label bridge."""

    spec: str

    @property
    def weights_sha256(self) -> str:
        """SHA-256 over the weights of its models."""

    def clip_vector(self, scores: npt.NDArray[Any]) -> Vectors:
        """A vector ``(classes,)`` of the scores ``(n, classes)`` of some windows."""


def sound_rows(
    asset_id: str,
    samples: npt.NDArray[np.float64],
    rate: int,
    facts: Mapping[str, object],
    model: SoundModel,
    bridge: Bridge | None = None,
) -> dict[str, pa.Table]:
    """The rows of one asset in ``yamnet``, and in ``labels`` when there is a bridge.

    Args:
        asset_id: the asset.
        samples: its sound, mono ``(frames,)``.
        rate: Hz.
        facts: its row of ``assets``; the filter columns are copied.
        model: what makes vectors and scores.
        bridge: what makes vectors of scores.
    """
    vectors, scores = model.analyse(samples, rate)
    duration_s = len(samples) / rate
    spans = [(n * model.hop_s, n * model.hop_s + model.window_s) for n in range(len(vectors))]
    rows = {SOUND_SPACE: _rows(asset_id, vectors, spans, duration_s, facts, model)}
    if bridge is not None:
        starts = range(0, len(scores), SEGMENT_WINDOWS)
        segments = [scores[start : start + SEGMENT_WINDOWS] for start in starts]
        clips = np.stack([bridge.clip_vector(segment) for segment in segments])
        lasts = [start + len(segment) - 1 for start, segment in zip(starts, segments, strict=True)]
        long = [(spans[start][0], spans[last][1]) for start, last in zip(starts, lasts, strict=True)]
        rows[LABEL_SPACE] = _rows(asset_id, clips, long, duration_s, facts, bridge)
    return rows


def space_of(model: AudioEncoder) -> str:
    """The space of an encoder that is not packaged: its kind, its weights, and its windows in milliseconds.

    Other weights, or other windows, have a space of their own, so that a new model's vectors fill beside the old ones.
    """
    kind = model.spec.partition(":")[0]
    window, hop = (round(1000 * seconds) for seconds in (model.window_s, model.hop_s))
    return f"{kind}-{model.weights_sha256[:12]}-{window}-{hop}"


def window_rows(
    asset_id: str, vectors: Vectors, duration_s: float, facts: Mapping[str, object], model: AudioEncoder
) -> pa.Table:
    """The rows of one asset in an encoder's own space, a row a window.

    Args:
        asset_id: the asset.
        vectors: of its windows, in order, ``(n, dim)``.
        duration_s: seconds.
        facts: its row of ``assets``; the filter columns are copied.
        model: what made the vectors.
    """
    spans = [(n * model.hop_s, n * model.hop_s + model.window_s) for n in range(len(vectors))]
    return _rows(asset_id, vectors, spans, duration_s, facts, model)


def class_rows(
    asset_id: str,
    samples: npt.NDArray[np.float64],
    rate: int,
    facts: Mapping[str, object],
    model: SoundModel,
    bridge: Bridge,
) -> pa.Table:
    """One row a window with the bridge's vector of its class scores: coarser than a segment's, but it says where.

    Arguments as in :func:`sound_rows`.
    """
    _, scores = model.analyse(samples, rate)
    vectors = np.stack([bridge.clip_vector(score[None]) for score in scores])
    spans = [(n * model.hop_s, n * model.hop_s + model.window_s) for n in range(len(scores))]
    return _rows(asset_id, vectors, spans, len(samples) / rate, facts, bridge)


def text_rows(assets: Sequence[Mapping[str, object]], encoder: TextEncoder) -> pa.Table | None:
    """The rows of ``text`` for rows of ``assets``; those without words have none, and None when all are without."""
    worded = [(asset, sentence) for asset in assets if (sentence := sentence_of(asset))]
    if not worded:
        return None
    vectors = encoder.encode([sentence for _, sentence in worded])
    columns = {
        "vector_id": [str(asset["asset_id"]) for asset, _ in worded],
        "asset_id": [str(asset["asset_id"]) for asset, _ in worded],
        "model": [encoder.spec] * len(worded),
        "weights_sha256": [encoder.weights_sha256] * len(worded),
        **{name: pa.array([asset.get(name) for asset, _ in worded], pa.string()) for name in FILTERS},
    }
    return pa.table({**columns, "vector": _lists(vectors)})


def sentence_of(asset: Mapping[str, object]) -> str:
    """What an asset's title, event, location, tags and transcript say, as one text; empty when they say nothing.

    An event such as ``shared/dog_bark`` reads "dog bark"; of the manifest's other columns only ``tags`` is read.
    """
    event = str(asset.get("event") or "").rpartition("/")[2].replace("_", " ")
    tags = json.loads(str(asset.get("tags") or "{}"))
    words = tags.get("tags", "") if isinstance(tags, dict) else tags
    said = ", ".join(map(str, words)) if isinstance(words, list) else str(words)
    place = str(asset.get("location") or "").replace("_", " ")
    parts = [str(asset.get("title") or ""), event, place, said, str(asset.get("transcript") or "")]
    return ". ".join(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _rows(
    asset_id: str,
    vectors: Vectors,
    spans: Sequence[tuple[float, float]],
    duration_s: float,
    facts: Mapping[str, object],
    model: SoundModel | Bridge | AudioEncoder,
) -> pa.Table:
    count = len(vectors)
    columns = {
        "vector_id": [vector_id(asset_id, n) for n in range(count)],
        "asset_id": [asset_id] * count,
        "window": pa.array(range(count), pa.int32()),
        "start_s": [round(start, 6) for start, _ in spans],
        "end_s": [round(min(end, duration_s), 6) for _, end in spans],
        "model": [model.spec] * count,
        "weights_sha256": [model.weights_sha256] * count,
        **{name: pa.array([facts.get(name)] * count, pa.string()) for name in FILTERS},
    }
    return pa.table({**columns, "vector": _lists(vectors)})


def _lists(vectors: Vectors) -> pa.Array:
    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
