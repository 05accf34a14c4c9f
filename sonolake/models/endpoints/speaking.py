"""Voices behind endpoints: what comes back is decoded, checked, and kept, so that nothing is spoken or paid for twice.

An endpoint need not say the same again, so the answers that are kept are part of what makes a scene repeatable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol

import numpy as np

from sonolake.audio.decode import decode
from sonolake.audio.resample import resample
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.ids import canonical_json, sha256_hex
from sonolake.models.base import Signal
from sonolake.models.phonemes import check_sayable

SHORTEST_S, LONGEST_S = 0.05, 600.0


class Spoken(Protocol):
    """Where answers are kept: files of sound by the hash of what was asked."""

    def get(self, key: str) -> bytes | None:
        """The file kept under a key."""

    def put(self, key: str, data: bytes, spec: str) -> None:
        """Keep a file that a voice of that spec gave; it is there when this returns."""


class InMemory:
    """Files that last as long as the process."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """The file kept under a key."""
        return self.kept.get(key)

    def put(self, key: str, data: bytes, spec: str) -> None:
        """Keep a file."""
        self.kept[key] = data


@dataclass(frozen=True)
class Wish:
    """One request: path, query and JSON body; ``rate`` is that of an answer of bare PCM16, 0 of a file."""

    path: str
    query: Mapping[str, str]
    body: Mapping[str, Any]
    rate: int = 0

    def key(self, spec: str) -> str:
        """The hash that the answer is kept by: of everything that is sent."""
        parts = {"spec": spec, "path": self.path, "query": dict(self.query), "body": dict(self.body)}
        return sha256_hex(canonical_json(parts).encode())


class Speaker(Protocol):
    """A provider: how it is asked."""

    spec: str
    sample_rate: int
    tags: frozenset[str]

    def wishes(self, text: str, seed: int) -> tuple[Wish, ...]:
        """Ways to ask for a text, the best form first."""

    def fetch(self, wish: Wish) -> bytes | None:
        """What is answered; None when the endpoint does not give this form.

        Raises:
            Refused, ItemRefused, Unreachable: as :class:`sonolake.models.chat.ChatModel` says.
        """

    def close(self) -> None:
        """Close the connections."""


class EndpointVoice:
    """A :class:`~sonolake.models.base.Voice` behind an endpoint.

    Args:
        speaker: the provider's.
        gender: ``f`` or ``m``, which no provider says.
        kept: where answers are.
        licence: of what it speaks, by the provider's terms.
        asks: whether what is not kept is asked for; where not, it is refused as ``not_kept``.
    """

    weights_sha256 = ""
    assets: Mapping[str, str] = {}

    def __init__(
        self,
        speaker: Speaker,
        gender: str,
        kept: Spoken | None = None,
        licence: str = "",
        asks: bool = True,
    ) -> None:
        if gender not in ("f", "m"):
            raise InvalidInput(f"gender of {speaker.spec}", "f or m, as in SPEC=f", gender)
        self._speaker, self.gender = speaker, gender
        self.licence = licence or "LicenseRef-unstated"
        self.kept: Spoken = kept or InMemory()
        self._asks, self._lock, self._form = asks, Lock(), 0

    @property
    def spec(self) -> str:
        """Provider, model, voice and endpoint, never the key."""
        return self._speaker.spec

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of what :meth:`speak` gives."""
        return self._speaker.sample_rate

    @property
    def tags(self) -> frozenset[str]:
        """Inline tags that it performs itself; empty for none, ``*`` for all."""
        return self._speaker.tags

    def __repr__(self) -> str:
        return f"EndpointVoice({self.spec!r})"

    def close(self) -> None:
        """Close the connections."""
        self._speaker.close()

    def speak(self, text: str, seed: int) -> Signal:
        """Mono speech at :attr:`sample_rate`: equal text and seed give what was kept, hence equal samples.

        Raises:
            InvalidInput: when the text holds nothing that can be said.
            Refused, Unreachable: when the endpoint refuses everything, or does not answer, again and again.
            ItemRefused: ``rejected`` when it refuses this text, ``no_answer`` when no sound comes back, ``not_kept``.
        """
        wishes = self._speaker.wishes(check_sayable(text), seed)
        for wish in wishes:
            if data := self.kept.get(wish.key(self.spec)):
                return self._heard(data, wish)
        if not self._asks:
            raise ItemRefused("not_kept", f"what {self.spec} said was not kept, and it is not asked again")
        with self._lock:
            first = self._form
        for number, wish in enumerate(wishes[first:], first):
            data = self._speaker.fetch(wish)
            if data is not None:
                heard = self._heard(data, wish)
                self.kept.put(wish.key(self.spec), data, self.spec)
                with self._lock:
                    self._form = number
                return heard
        raise ItemRefused("rejected", f"{self.spec} gives none of the forms that were asked for")

    def _heard(self, data: bytes, wish: Wish) -> Signal:
        if wish.rate:
            if len(data) % 2:
                raise ItemRefused("no_answer", f"{len(data)} bytes are no 16-bit samples")
            samples, rate = np.frombuffer(data, dtype="<i2").astype(np.float64)[:, None] / 32768.0, wish.rate
        else:
            try:
                found = decode(data, self.spec, LONGEST_S)
            except ItemRefused as refused:
                raise ItemRefused("no_answer", refused.detail) from None
            samples, rate = found.samples, found.sample_rate
        if not SHORTEST_S <= len(samples) / rate <= LONGEST_S or not np.any(samples):
            raise ItemRefused("no_answer", f"{self.spec} gave {len(samples) / rate:.2f} s without speech")
        return resample(samples.mean(axis=1), rate, self.sample_rate)
