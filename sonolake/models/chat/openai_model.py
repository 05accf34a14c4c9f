"""What all models behind OpenAI-compatible endpoints have in common."""

from __future__ import annotations

from sonolake.transport import Transport


class OpenAiModel:
    """A model behind such an endpoint, and the form in which it was last asked with success.

    Args:
        model: its name there.
        transport: the endpoint.
    """

    def __init__(self, model: str, transport: Transport) -> None:
        self.model, self._http = model, transport
        self._format = 0

    @property
    def spec(self) -> str:
        """``openai:MODEL@URL``."""
        return f"openai:{self.model}@{self._http.url}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.spec!r})"

    def close(self) -> None:
        """Close the connections."""
        self._http.close()
