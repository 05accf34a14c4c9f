"""CARES: the voices of a run, and what those behind endpoints said, kept in the lake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from schemas import SpeechAnswers, valid_rows
from sonolake.errors import InvalidInput
from sonolake.lake import Lake
from sonolake.models.base import Voice
from sonolake.models.endpoints import EndpointVoice, voice
from sonolake.models.registry import available, get
from sonolake.sources.licences import mixable

SPEECH = "speech synthesis"
AT_ONCE = 20
"""Answers committed together: as many are asked for again after a kill, at most."""


class LakeSpeech:
    """Keeps answers as media and in the table ``speech_answers``; a context that commits the last ones at its end.

    Args:
        lake: where they are kept.
        run_id: of the run that asks.
    """

    def __init__(self, lake: Lake, run_id: str) -> None:
        self._lake, self._run_id = lake, run_id
        self._new: dict[str, dict[str, str]] = {}
        self._lock = Lock()

    def __enter__(self) -> LakeSpeech:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._commit()

    def get(self, key: str) -> bytes | None:
        """The file kept under a key."""
        with self._lock:
            if key in self._new:
                return self._lake.media.read(self._new[key]["media"])
            rows = self._lake.rows("SELECT media FROM speech_answers WHERE request = ?", [key])
        return self._lake.media.read(rows[0]["media"]) if rows else None

    def put(self, key: str, data: bytes, spec: str) -> None:
        """Keep a file that a voice of that spec gave."""
        media = self._lake.media.put(data)
        with self._lock:
            self._new[key] = {"request": key, "voice": spec, "media": media}
            if len(self._new) >= AT_ONCE:
                self._commit()

    def _commit(self) -> None:
        if self._new:
            with self._lake.transaction("speech-answers", run_id=self._run_id) as tx:
                tx.merge("speech_answers", valid_rows(SpeechAnswers, list(self._new.values())))
            self._new.clear()


@contextmanager
def voices_of(lake: Lake, run_id: str, specs: Sequence[str] = ()) -> Iterator[dict[str, Voice]]:
    """The voices that specs name, by their own spec; those that are installed, in the registry's order, without specs.

    Raises:
        InvalidInput: for a spec that names no voice, or one whose speech may not be mixed by its licence.
    """
    with LakeSpeech(lake, run_id) as kept:
        found: list[Voice] = [voice(spec, kept) for spec in specs] or [
            get(spec) for spec in available(SPEECH)
        ]
        try:
            for one in found:
                require_licence(one)
            yield {one.spec: one for one in found}
        finally:
            for one in found:
                if isinstance(one, EndpointVoice):
                    one.close()


def require_licence(one: Voice) -> None:
    """Let a voice pass whose speech may be mixed and handed on.

    Raises:
        InvalidInput: for another.
    """
    if not mixable(one.licence):
        allowed = "one that allows mixing, said after the gender, as in elevenlabs:VOICE=f:CC-BY-4.0"
        raise InvalidInput(f"licence of {one.spec}", allowed, one.licence)
