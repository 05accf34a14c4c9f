"""What the plug-in asks of an audio-language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sonolake.models.chat import Message
from sonolake.spatial.model.features import Array

Tensor = Any
Conversation = tuple[Message, ...]
"""Messages of which the first carries the sound, and the last is a user's."""
Fuse = Callable[[Tensor, Tensor], Tensor]
"""From embeddings ``(batch, length, width)`` and where semantic tokens stand ``(batch, length)`` to embeddings."""


@dataclass(frozen=True)
class Prompted:
    """Conversations as a backbone reads them.

    Attributes:
        inputs: tensors by name, filled from the left, so that all conversations end together.
        places: ``(batch, length)``, true where a semantic token stands.
    """

    inputs: dict[str, Tensor]
    places: Tensor


class Backbone(Protocol):
    """A frozen audio-language model.

    Attributes:
        spec: its name.
        width: of the embeddings that its language model is given.
        network: the whole network, a PyTorch module.
        decoder: the part of it that is the language model.
    """

    spec: str
    width: int
    network: Any
    decoder: Any

    def prompted(self, conversations: Sequence[Conversation], sounds: Sequence[Array]) -> Prompted:
        """Conversations about sounds: mono, 16 kHz, one each."""
        ...

    def target_ids(self, text: str) -> list[int]:
        """The tokens of an answer, its end included."""
        ...

    def logits(self, prompted: Prompted, targets: Tensor, fuse: Fuse | None) -> Tensor:
        """What is predicted for each of ``targets`` ``(batch, n)`` after the prompts: ``(batch, n, vocabulary)``."""
        ...

    def generate(self, prompted: Prompted, fuse: Fuse | None, tokens: int) -> list[str]:
        """The most likely answers, token by token, of ``tokens`` at most."""
        ...
