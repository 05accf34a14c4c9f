"""Voices of OpenAI-compatible endpoints: ``POST …/audio/speech``."""

from __future__ import annotations

from sonolake.errors import ItemRefused
from sonolake.models.endpoints.speaking import Wish
from sonolake.transport import Transport

FORMATS = ("wav", "flac", "mp3")
"""Lossless ones first; an endpoint that lacks one is asked for the next from then on."""


class OpenAiSpeech:
    """A :class:`~sonolake.models.endpoints.speaking.Speaker`.

    Args:
        model, voice: their names there.
        transport: the endpoint.
    """

    sample_rate = 24_000
    tags: frozenset[str] = frozenset()

    def __init__(self, model: str, voice: str, transport: Transport) -> None:
        self.model, self.voice, self._http = model, voice, transport
        self.spec = f"openai:{model}/{voice}@{transport.url}"

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def wishes(self, text: str, seed: int) -> tuple[Wish, ...]:
        """One for each format; the interface knows no seed, so takes of other seeds differ by their pace."""
        body = {"model": self.model, "voice": self.voice, "input": text, "speed": 1.0 + (seed % 5 - 2) / 100}
        return tuple(Wish("/audio/speech", {}, {**body, "response_format": name}) for name in FORMATS)

    def fetch(self, wish: Wish) -> bytes | None:
        """The file; None when the endpoint does not know the format.

        Raises:
            Refused, ItemRefused, Unreachable: as :class:`sonolake.models.chat.ChatModel` says.
        """
        try:
            return self._http.read("POST", wish.path, lambda response: response.content, json=dict(wish.body))
        except ItemRefused as refused:
            if refused.reason == "rejected" and "response_format" in refused.detail:
                return None
            raise
