"""Sounds told apart by bytes, by decoded samples and by ear."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sonolake.audio import fingerprint
from sonolake.lake.step import Already, Duplicate, Outcome, Quarantined


class Sound(NamedTuple):
    """What a row of ``assets`` says that tells one sound from another; empty text where it says nothing."""

    asset_id: str
    item: str
    kind: str
    source_id: str
    pcm_hash: str
    fingerprint: str

    @classmethod
    def of(cls, row: Mapping[str, object]) -> Sound:
        """The sound of a row of ``assets``."""
        return cls(*(str(row.get(name) or "") for name in cls._fields))


def seen_again(known: Sound, kind: str) -> Already | Quarantined:
    """What becomes of an item that is there with the same bytes: one sound has one row, so it is of one kind."""
    if known.kind == kind:
        return Already()
    detail = f"the lake has these bytes of this item as kind {known.kind}: they cannot be of kind {kind}, too"
    return Quarantined("conflicting_labels", detail, known.asset_id)


def _no_outlines() -> NDArray[np.float32]:
    return np.zeros((1024, fingerprint.OUTLINE), dtype=np.float32)


@dataclass
class Sounds:
    """An index of sounds; of those with equal samples the first one counts."""

    _by_id: dict[str, Sound] = field(default_factory=dict)
    _by_samples: dict[str, str] = field(default_factory=dict)
    _heard: list[Sound] = field(default_factory=list)
    _outlines: NDArray[np.float32] = field(default_factory=_no_outlines)
    _by_key: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def get(self, asset_id: str) -> Sound | None:
        """The sound with these bytes."""
        return self._by_id.get(asset_id)

    def add(self, sound: Sound) -> None:
        """Take ``sound`` into the index, unless one with its bytes is there."""
        if sound.asset_id in self._by_id:
            return
        self._by_id[sound.asset_id] = sound
        if sound.pcm_hash:
            self._by_samples.setdefault(sound.pcm_hash, sound.asset_id)
        if sound.fingerprint:
            number = len(self._heard)
            self._heard.append(sound)
            if number == len(self._outlines):
                self._outlines = np.concatenate([self._outlines, np.zeros_like(self._outlines)])
            self._outlines[number] = fingerprint.outline(sound.fingerprint)
            for key in fingerprint.lookup_keys(sound.fingerprint):
                self._by_key[key].append(number)

    def verdict(self, sound: Sound) -> Outcome | None:
        """``already`` for the same item, a duplicate for another one with this sound, None when it is new.

        The same item as another kind is refused.
        """
        known = self._by_id.get(sound.asset_id)
        if known is not None and known.item == sound.item:
            return seen_again(known, sound.kind)
        if known is not None:
            return Duplicate(sound.asset_id, sound.asset_id, "bytes", sound.source_id)
        if sound.pcm_hash in self._by_samples:
            return Duplicate(sound.asset_id, self._by_samples[sound.pcm_hash], "samples", sound.source_id)
        near = self._near(sound.fingerprint)
        return Duplicate(sound.asset_id, near, "sound", sound.source_id) if near else None

    def _near(self, print_: str) -> str | None:
        """The most similar sound that is near, the smallest id where two are equally so."""
        if not print_:
            return None
        numbers = sorted({n for key in fingerprint.lookup_keys(print_) for n in self._by_key.get(key, ())})
        if not numbers:
            return None
        apart = np.abs(self._outlines[numbers] - fingerprint.outline(print_)).mean(axis=1)
        close = [self._heard[numbers[i]] for i in np.flatnonzero(apart <= fingerprint.OUTLINE_DB).tolist()]
        scored = [(fingerprint.similarity(print_, s.fingerprint, fingerprint.NEAR), s) for s in close]
        near = [(-score, s.asset_id) for score, s in scored if score >= fingerprint.NEAR]
        return min(near)[1] if near else None
