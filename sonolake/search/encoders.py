"""From a query to vectors: what a search needs of models, and the models of a lake that give it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from sonolake.models.base import Vectors
from sonolake.search.current import InUse, in_use, loaded
from sonolake.search.embedding import LABEL_SPACE, SOUND_SPACE, TEXT_SPACE
from sonolake.search.filters import Searchable

Query = TypeVar("Query")

MOST_WINDOWS = 16
"""How many windows stand for a sound that asks: 7.7 s of YAMNet's in a row, farther apart in a longer sound."""


@dataclass(frozen=True)
class Sound:
    """A mono signal ``(frames,)`` of full scale ±1.0, and its sample rate in Hz."""

    samples: npt.NDArray[np.float64]
    rate: int


@dataclass(frozen=True)
class Encoder(Generic[Query]):
    """One way to ask one vector space.

    Args:
        name: what a result's ``found_by`` calls it.
        space: the space it asks.
        weights_sha256: the weights that made the vectors it can be compared with; None for any.
        encode: from a query to vectors of the space, ``(n, dim)``: one of a sentence, several of a sound.
    """

    name: str
    space: str
    weights_sha256: str | None
    encode: Callable[[Query], Vectors]


@dataclass(frozen=True)
class Encoders:
    """The encoders of words and those of sounds, in the order in which they break ties."""

    words: tuple[Encoder[str], ...]
    sounds: tuple[Encoder[Sound], ...]


def sound_of(source: Path | bytes) -> Sound:
    """A file, or its bytes, as one channel: W of four channels (Ambisonics), else the mean of all.

    Raises:
        NotFound: no such file.
        ItemRefused: bytes that are no audio; the reason is a code of the contract.
    """
    from sonolake.audio.decode import decode
    from sonolake.errors import NotFound

    if isinstance(source, Path) and not source.is_file():
        raise NotFound(f"no file {source} to search with")
    data = source if isinstance(source, bytes) else source.read_bytes()
    decoded = decode(data, "" if isinstance(source, bytes) else source.name)
    samples = decoded.samples
    return Sound(samples[:, 0] if samples.shape[1] == 4 else samples.mean(axis=1), decoded.sample_rate)


def spread(windows: Vectors, most: int = MOST_WINDOWS) -> Vectors:
    """At most ``most`` of the windows ``(n, dim)``, evenly spread over the sound."""
    if len(windows) <= most:
        return windows
    return np.asarray(windows[np.linspace(0, len(windows) - 1, most).round().astype(int)])


def packaged(words: bool, sounds: bool) -> Encoders:
    """Encoders by the packaged models: the label bridge and MiniLM for words, YAMNet for sounds.

    Args:
        words: whether words will be asked; else their models are not looked for.
        sounds: likewise for sounds.

    Raises:
        MissingPackage: a model is not installed; the message says the line that installs it.
    """
    return Encoders(_word_encoders() if words else (), _sound_encoders() if sounds else ())


def of_lake(lake: Searchable, words: bool, sounds: bool) -> Encoders:
    """The encoders that a lake's searches use: those it was switched to, else the packaged ones.

    Args:
        lake: the lake.
        words: whether words will be asked; else their models are not looked for.
        sounds: likewise for sounds.

    Raises:
        MissingPackage, NotFound: a model is not there.
        Refused: a model is there with other weights than made the vectors.
    """
    used = in_use(lake)
    plain = packaged(words, sounds and "sounds" not in used)
    asked, heard = plain.words, plain.sounds
    if words and "words" in used:
        asked = (_words_of(used["words"]), *(one for one in asked if one.space == TEXT_SPACE))
    if sounds and "sounds" in used:
        heard = (_sounds_of(used["sounds"]),)
    return Encoders(asked, heard)


def _words_of(used: InUse) -> Encoder[str]:
    model = loaded(used)
    return Encoder(
        used.kind, used.space, used.weights_sha256, lambda text: np.asarray(model.encode_text([text]))
    )


def _sounds_of(used: InUse) -> Encoder[Sound]:
    model = loaded(used)

    def encode(sound: Sound) -> Vectors:
        return spread(model.encode(sound.samples, sound.rate))

    return Encoder(used.kind, used.space, used.weights_sha256, encode)


def _word_encoders() -> tuple[Encoder[str], ...]:
    from sonolake.models import get

    bridge, sentences = get("bridge"), get("minilm")
    return (
        Encoder("labels", LABEL_SPACE, bridge.weights_sha256, lambda text: bridge.query_vector(text)[None]),
        Encoder(
            "text", TEXT_SPACE, sentences.weights_sha256, lambda text: np.asarray(sentences.encode([text]))
        ),
    )


def _sound_encoders() -> tuple[Encoder[Sound], ...]:
    from sonolake.models import get

    model = get("yamnet")

    def encode(sound: Sound) -> Vectors:
        return spread(model.encode(sound.samples, sound.rate))

    return (Encoder("sound", SOUND_SPACE, model.weights_sha256, encode),)
