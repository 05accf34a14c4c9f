"""Recognisers behind OpenAI-compatible endpoints: ``POST …/audio/transcriptions``.

Asked for ``verbose_json`` with the times of words, the form that Whisper models answer in; an endpoint whose model
knows no such form is asked for plain ``json`` from then on, and its transcripts have no times.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sonolake.audio.encode import quantise, wav_bytes
from sonolake.errors import ItemRefused
from sonolake.models.base import Transcript, Word
from sonolake.models.chat.openai_model import OpenAiModel
from sonolake.models.signals import mono_at

if TYPE_CHECKING:
    import httpx

RATE = 16_000
FORMATS: tuple[Mapping[str, str], ...] = (
    {"response_format": "verbose_json", "timestamp_granularities[]": "word"},
    {"response_format": "json"},
)
"""Ways to ask, the fullest first."""
_OF_FORMAT = ("response_format", "verbose_json", "timestamp_granularities")


class EndpointRecogniser(OpenAiModel):
    """A :class:`~sonolake.models.base.Recogniser` behind such an endpoint; its weights cannot be known.

    Args:
        model: its name there.
        transport: the endpoint; see :func:`sonolake.models.endpoints.recogniser`.
    """

    licence = "LicenseRef-unstated"
    weights_sha256 = ""

    def transcribe(self, x: npt.NDArray[Any], rate: int, language: str = "") -> Transcript:
        """What is said in a mono signal at ``rate`` Hz, sent as 16-bit WAV at 16 kHz.

        The language is as the endpoint names it, by its code or in words.

        Raises:
            InvalidInput: when the signal is empty, not mono or not finite.
            Refused, Unreachable: when the endpoint refuses everything, or does not answer, again and again.
            ItemRefused: ``rejected`` when it refuses this sound, ``no_answer`` when nothing usable comes back.
        """
        signal = mono_at(x, rate, RATE).astype(np.float64)
        wav = wav_bytes(quantise(signal / max(1.0, float(np.abs(signal).max()))), RATE)
        while True:
            try:
                return self._asked(wav, language)
            except ItemRefused as refused:
                unknown = any(word in refused.detail for word in _OF_FORMAT)
                if refused.reason != "rejected" or not unknown or self._format == len(FORMATS) - 1:
                    raise
                self._format += 1

    def _asked(self, wav: bytes, language: str) -> Transcript:
        fields = {"model": self.model, "temperature": "0", **FORMATS[self._format]}
        if language:
            fields["language"] = language
        files = {"file": ("speech.wav", wav, "audio/wav")}

        def read(response: httpx.Response) -> Transcript:
            return _transcript(response, language)

        return self._http.read("POST", "/audio/transcriptions", read, data=fields, files=files)


def _transcript(response: httpx.Response, asked: str) -> Transcript:
    try:
        answer = response.json()
        words = tuple(
            Word(word["word"].strip(), float(word["start"]), float(word["end"]))
            for word in answer.get("words") or ()
        )
        text = " ".join(answer["text"].split())
    except (LookupError, TypeError, ValueError, AttributeError):
        raise ItemRefused("no_answer", f"not a transcription: {response.text[:200]!r}") from None
    return Transcript(text, words, str(answer.get("language") or asked))
