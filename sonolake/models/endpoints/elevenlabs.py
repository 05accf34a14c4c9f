"""Voices of ElevenLabs: ``POST /v1/text-to-speech/VOICE``; the model ``eleven_v3`` performs inline tags itself."""

from __future__ import annotations

from sonolake.errors import Refused
from sonolake.models.endpoints.speaking import Wish
from sonolake.transport import Transport

URL = "https://api.elevenlabs.io/v1"
KEY = "ELEVENLABS_API_KEY"
MODEL = "eleven_v3"
FORMATS = (("pcm_44100", 44_100), ("mp3_44100_192", 0), ("mp3_44100_128", 0))
"""Forms with the rate of bare samples; the first two need dearer subscriptions."""


class ElevenLabs:
    """A :class:`~sonolake.models.endpoints.speaking.Speaker`.

    Args:
        voice: its id.
        transport: the endpoint.
        model: ``eleven_v3``, or one that performs no tags.
    """

    sample_rate = 44_100

    def __init__(self, voice: str, transport: Transport, model: str = MODEL) -> None:
        self.voice, self.model, self._http = voice, model, transport
        at = "" if transport.url == URL else f"@{transport.url}"
        self.spec = f"elevenlabs:{voice}/{model}{at}"
        self.tags = frozenset({"*"}) if model == MODEL else frozenset()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def wishes(self, text: str, seed: int) -> tuple[Wish, ...]:
        """One for each form."""
        path = f"/text-to-speech/{self.voice}"
        body = {"text": text, "model_id": self.model, "seed": seed % 2**32}
        return tuple(Wish(path, {"output_format": name}, body, rate) for name, rate in FORMATS)

    def fetch(self, wish: Wish) -> bytes | None:
        """The sound; None when the subscription does not have its form.

        Raises:
            Refused, ItemRefused, Unreachable: as :class:`sonolake.models.chat.ChatModel` says.
        """
        try:
            return self._http.read(
                "POST",
                wish.path,
                lambda response: response.content,
                params=dict(wish.query),
                json=dict(wish.body),
            )
        except Refused as refused:
            if "output_format" in str(refused):
                return None
            raise
