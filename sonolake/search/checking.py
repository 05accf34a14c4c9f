"""Whether an encoder is fit to search with: tried on sounds whose names are known, beside the packaged models.

The figure is mean average precision (Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008,
section 8.4), of two tasks: each sound asks for the others of its event, and each event's words ask for its sounds. Both
are compared as searches compare them. Most of the sounds are synthetic, so that the figures say whether an encoder is
whole and used rightly, not how good it is at what a lake holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput
from sonolake.models.base import BatchEncoder, Vectors
from sonolake.search.known_sounds import KnownSound, known_sounds

Scores = npt.NDArray[np.float64]
PLANTED_S = 7.0
LASTS_S = 12.0


@dataclass(frozen=True)
class Trial:
    """One thing that was tried: what came out, what the packaged model gives, and whether it passes."""

    name: str
    passed: bool
    found: str
    default: str = ""


def check_encoder(model: Any, sounds: Sequence[KnownSound] | None = None) -> list[Trial]:
    """Try an encoder.

    Args:
        model: an encoder of sounds, of the user's or ``yamnet``.
        sounds: by default :func:`~sonolake.search.known_sounds.known_sounds`.

    Raises:
        InvalidInput: a model that does not encode sounds.
        MissingPackage: the packaged models, which it is compared with, are not installed.
        Unreachable: a command that fails or does not answer as agreed.
    """
    if not hasattr(model, "encode") or not hasattr(model, "window_s"):
        raise InvalidInput("encoder", "yamnet, beats:FILE, clap:FOLDER or exec:COMMAND", model.spec)
    given = known_sounds() if sounds is None else list(sounds)
    vectors = _encoded(model, [(one.samples, one.rate) for one in given])
    trials = [*_whole(model, given, vectors), _planted(model, given[0]), _by_sounds(vectors, given)]
    return trials + ([_by_words(model, vectors, given)] if _knows_text(model) else [])


def mean_average_precision(scores: Scores, relevant: npt.NDArray[np.bool_]) -> float:
    """Over queries, of scores ``(queries, items)``, higher is better, -inf for what is no candidate.

    Equal scores are ranked as badly as can be, so that an encoder that tells nothing apart earns nothing by it.
    """
    return float(np.mean([_average_precision(*one) for one in zip(scores, relevant, strict=True)]))


def _average_precision(scores: Scores, relevant: npt.NDArray[np.bool_]) -> float:
    kept = np.isfinite(scores)
    order = np.lexsort((relevant[kept], -np.round(scores[kept], 6)))
    hits = relevant[kept][order]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


def _encoded(model: Any, signals: Sequence[tuple[npt.NDArray[Any], int]]) -> list[Vectors]:
    if isinstance(model, BatchEncoder):
        return model.encode_many(signals)
    return [model.encode(samples, rate) for samples, rate in signals]


def _knows_text(model: Any) -> bool:
    return bool(getattr(model, "knows_text", hasattr(model, "encode_text")))


def _whole(model: Any, given: Sequence[KnownSound], vectors: Sequence[Vectors]) -> list[Trial]:
    """Whether what it gives is of one shape, finite and the same every time, for silence and clicks, too."""
    odd = [(np.zeros(16_000), 16_000), (np.eye(1, 160)[0], 16_000), (np.zeros(16_000 * 31), 16_000)]
    every = [*vectors, *_encoded(model, odd)]
    shaped = all(one.ndim == 2 and one.shape[1] == model.dim and len(one) for one in every)
    finite = all(bool(np.isfinite(one).all()) for one in every)
    again = _encoded(model, [(given[0].samples, given[0].rate)])[0]
    same = again.shape == vectors[0].shape and bool(np.allclose(again, vectors[0], atol=1e-4))
    return [
        Trial("shape", shaped, f"{model.dim}-d, a vector each {model.hop_s:g} s"),
        Trial("finite", finite, "yes" if finite else "NaN or infinity"),
        Trial("repeatable", same, "yes" if same else "the same sound gives other vectors in another batch"),
    ]


def _planted(model: Any, one: KnownSound) -> Trial:
    """Whether the window that is nearest to a sound lies where the sound was planted in quiet noise."""
    noise = 1e-3 * np.random.Generator(np.random.PCG64(1)).standard_normal(round(LASTS_S * one.rate))
    start = round(PLANTED_S * one.rate)
    noise[start : start + len(one.samples)] += one.samples[: len(noise) - start]
    query, windows = _encoded(model, [(one.samples, one.rate), (noise, one.rate)])
    found = int((_units(query) @ _units(windows).T).max(axis=0).argmax()) * model.hop_s
    lasts = len(one.samples) / one.rate
    inside = found < PLANTED_S + lasts and found + model.window_s > PLANTED_S
    said = f"window at {found:.2f} s for a sound from {PLANTED_S:.2f} to {PLANTED_S + lasts:.2f} s"
    return Trial("finds where", inside, said)


def _by_sounds(vectors: Sequence[Vectors], given: Sequence[KnownSound]) -> Trial:
    from sonolake.models import get

    default = get("yamnet")
    theirs = [default.encode(one.samples, one.rate) for one in given]
    relevant = np.array([[a.event == b.event for b in given] for a in given])
    return _compared("sounds by sounds", _pairs(vectors), _pairs(theirs), relevant)


def _by_words(model: Any, vectors: Sequence[Vectors], given: Sequence[KnownSound]) -> Trial:
    from sonolake.models import get

    words = dict.fromkeys(one.words for one in given)
    relevant = np.array([[word == one.words for one in given] for word in words])
    asked = _units(model.encode_text(list(words)))
    ours = np.stack([(asked @ _units(one).T).max(axis=1) for one in vectors], axis=1).astype(np.float64)
    bridge, tagger = get("bridge"), get("yamnet")
    labels = np.stack([bridge.query_vector(word) for word in words])
    clips = np.stack([bridge.clip_vector(tagger.tag(one.samples, one.rate)) for one in given])
    return _compared("sounds by words", ours, (labels @ clips.T).astype(np.float64), relevant)


def _compared(name: str, ours: Scores, theirs: Scores, relevant: npt.NDArray[np.bool_]) -> Trial:
    found, default = (mean_average_precision(scores, relevant) for scores in (ours, theirs))
    return Trial(name, found >= default, f"{found:.3f}", f"{default:.3f}")


def _pairs(vectors: Sequence[Vectors]) -> Scores:
    """How near each sound is to each other one, as searches rank them; -inf to itself."""
    units = [_units(one) for one in vectors]
    scores = np.array([[float((a @ b.T).max(axis=1).mean()) for b in units] for a in units])
    np.fill_diagonal(scores, -np.inf)
    return scores


def _units(vectors: Vectors) -> Vectors:
    """Vectors of length one; what is not finite counts as nothing."""
    vectors = np.nan_to_num(vectors, posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)
