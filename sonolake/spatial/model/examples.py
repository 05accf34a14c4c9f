"""From rows of a release, and from benchmarks with their clips, to what the model is trained and asked on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.spatial.benchmark import Record
from sonolake.spatial.benchmark.files import record_of
from sonolake.spatial.model.features import Features, features


@dataclass(frozen=True)
class Example:
    """A record of the benchmark and what is heard of its clip."""

    record: Record
    heard: Features


@dataclass(frozen=True)
class LeftOut:
    """A clip that nothing can be learnt from, and why."""

    clip_id: str
    why: str


def example_of(row: Mapping[str, Any]) -> Example | LeftOut:
    """The example in a row of a release's config ``rms-aqa``, its sound as an array or a tensor."""
    sound = row["audio"]
    if sound is None:
        return LeftOut(row["item_id"], "no sound")
    try:
        return Example(record_of(row), features(np.asarray(sound), row["sample_rate"]))
    except InvalidInput as error:
        return LeftOut(row["item_id"], str(error))


def heard_in(data: bytes | None) -> Features:
    """What is heard of a sound file.

    Raises:
        ItemRefused: for a file that cannot be decoded, or is no AmbiX scene.
    """
    from sonolake.audio.decode import decode

    decoded = decode(data or b"")
    try:
        return features(decoded.samples, decoded.sample_rate)
    except InvalidInput as error:
        raise ItemRefused("unknown_convention", str(error)) from None


def batches(examples: Iterable[Example], size: int) -> Iterator[list[Example]]:
    """Examples in lists of ``size``, the last perhaps shorter."""
    taken = iter(examples)
    while batch := list(islice(taken, size)):
        yield batch
