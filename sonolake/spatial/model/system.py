"""Backbone, plug-in and adapters as one: the loss of both stages, and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from sonolake.errors import InvalidInput
from sonolake.spatial.benchmark import prompt
from sonolake.spatial.model.backbone import Backbone, Conversation, Fuse
from sonolake.spatial.model.examples import Example
from sonolake.spatial.model.features import BANDS, CHANNELS
from sonolake.spatial.model.lora import adapt
from sonolake.spatial.model.plugin import Plugin
from sonolake.spatial.model.settings import PluginShape

Tensor = Any
IGNORED = -100
_HEARD = b""
"""Stands for the sound in a conversation; the backbone is given the samples."""


class SpatialModel:
    """A frozen backbone with adapters, and with a plug-in unless it hears W alone.

    Args:
        backbone: gets adapters; to be used by one model only.
        shape: sizes.
        spatial: False for the mono control.
        seed: of the new weights.
    """

    def __init__(self, backbone: Backbone, shape: PluginShape, spatial: bool = True, seed: int = 0) -> None:
        torch.manual_seed(seed)
        self.backbone = backbone
        adapt(backbone.decoder, shape)
        at = next(backbone.network.parameters()).device
        self.plugin = Plugin(shape, backbone.width).to(at) if spatial else None

    def parameters(self) -> list[Tensor]:
        """What is trained: the adapters and the plug-in."""
        own = [] if self.plugin is None else list(self.plugin.parameters())
        return [p for p in self.backbone.network.parameters() if p.requires_grad] + own

    def train(self, training: bool) -> None:
        """Whether the plug-in drops out and gathers statistics; the backbone never does."""
        if self.plugin is not None:
            self.plugin.train(training)

    def state_dict(self) -> dict[str, Tensor]:
        """Tensors by name: the adapters, and the plug-in with its statistics."""
        adapters = {f"adapters.{name}": p for name, p in self._adapters().items()}
        own = {} if self.plugin is None else self.plugin.state_dict(prefix="plugin.")
        return {name: tensor.detach().clone() for name, tensor in (adapters | own).items()}

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Take the tensors of :meth:`state_dict`.

        Raises:
            InvalidInput: when they are of a model of other sizes.
        """
        there = self.state_dict()
        shapes = {name: tuple(tensor.shape) for name, tensor in there.items()}
        other = {name for name in set(shapes) | set(state) if _size(state, name) != shapes.get(name)}
        if other:
            raise InvalidInput(
                "checkpoint", f"{len(shapes)} tensors of this model's sizes", sorted(other)[:5]
            )
        with torch.no_grad():
            for name, parameter in self._adapters().items():
                parameter.copy_(state[f"adapters.{name}"])
        if self.plugin is not None:
            own = {n.removeprefix("plugin."): t for n, t in state.items() if n.startswith("plugin.")}
            self.plugin.load_state_dict(own)

    def _adapters(self) -> dict[str, Tensor]:
        return {name: p for name, p in self.backbone.network.named_parameters() if p.requires_grad}

    def loss(self, examples: Sequence[Example]) -> Tensor:
        """Mean over both stages of the cross-entropy of the right answers (RMS-AQA, section 3.2).

        Stage 2 is asked after the right answer to stage 1.
        """
        records = [example.record for example in examples]
        spatial = self._spatial(examples)
        first = [prompt.stage_1(record, _HEARD) for record in records]
        second = [prompt.stage_2(record, _HEARD, "oracle") for record in records]
        losses = [
            self._cross_entropy(examples, asked, [prompt.reference(query) for query in queries], spatial)
            for asked, queries in (
                (first, [record.stage_1 for record in records]),
                (second, [record.stage_2 for record in records]),
            )
        ]
        return torch.stack(losses).mean()

    def _cross_entropy(
        self,
        examples: Sequence[Example],
        asked: Sequence[Conversation],
        said: Sequence[str],
        spatial: Sequence[Tensor],
    ) -> Tensor:
        prompted = self.backbone.prompted(asked, [example.heard.mono for example in examples])
        ids = [torch.tensor(self.backbone.target_ids(text)) for text in said]
        targets = nn.utils.rnn.pad_sequence(ids, batch_first=True, padding_value=IGNORED).to(
            prompted.places.device
        )
        logits = self.backbone.logits(prompted, targets, self._fuse(spatial))
        return nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), targets.flatten(), ignore_index=IGNORED
        )

    def answers(
        self, examples: Sequence[Example], tokens: int, contexts: Sequence[str] = ("predicted",)
    ) -> list[dict[str, str]]:
        """What is answered to stage 1 (by the empty context) and to stage 2 in each context, a dictionary a record."""
        self.train(False)
        with torch.inference_mode():
            spatial = self._spatial(examples)
            asked = [prompt.stage_1(example.record, _HEARD) for example in examples]
            first = self._said(examples, asked, spatial, tokens)
            out = [{"": answer} for answer in first]
            for context in contexts:
                again = [
                    prompt.stage_2(example.record, _HEARD, context, answer)
                    for example, answer in zip(examples, first, strict=True)
                ]
                for given, answer in zip(out, self._said(examples, again, spatial, tokens), strict=True):
                    given[context] = answer
        return out

    def _said(
        self,
        examples: Sequence[Example],
        asked: Sequence[Conversation],
        spatial: Sequence[Tensor],
        tokens: int,
    ) -> list[str]:
        prompted = self.backbone.prompted(asked, [example.heard.mono for example in examples])
        return self.backbone.generate(prompted, self._fuse(spatial), tokens)

    def _spatial(self, examples: Sequence[Example]) -> list[Tensor]:
        """The spatial tokens of each clip; a shorter one is followed by zeros until it has gone through."""
        if self.plugin is None:
            return []
        frames = [example.heard.spatial.shape[1] for example in examples]
        stacked = torch.zeros(len(frames), CHANNELS, max(frames), BANDS)
        for row, example, count in zip(stacked, examples, frames, strict=True):
            row[:, :count] = torch.from_numpy(example.heard.spatial)
        tokens = self.plugin.encoder(stacked.to(next(self.plugin.parameters()).device))
        return [one[:count] for one, count in zip(tokens, frames, strict=True)]

    def _fuse(self, spatial: Sequence[Tensor]) -> Fuse | None:
        plugin = self.plugin
        return None if plugin is None else lambda embedded, places: plugin.fused(embedded, places, spatial)


def _size(state: dict[str, Tensor], name: str) -> tuple[int, ...] | None:
    return tuple(state[name].shape) if name in state else None
