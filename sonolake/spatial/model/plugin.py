"""The plug-in: a spatial encoder, and the fusion of its tokens with those that the backbone hears."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from sonolake.spatial.model.conformer import Conformer
from sonolake.spatial.model.resnet import TimeResNet
from sonolake.spatial.model.settings import PluginShape

Tensor = Any


class SpatialEncoder(nn.Module):
    """Features ``(batch, 7, frames, 64)`` to spatial tokens ``(batch, frames, token_width)``."""

    def __init__(self, shape: PluginShape) -> None:
        super().__init__()
        width = shape.conformer_width
        self.resnet = TimeResNet(shape.widths, shape.blocks)
        self.enter = nn.Linear(shape.widths[-1], width)
        blocks = (Conformer(width, shape.heads, shape.kernel, shape.dropout) for _ in range(shape.conformers))
        self.conformers = nn.Sequential(*blocks)
        self.leave = nn.Linear(width, shape.token_width)

    def forward(self, x: Tensor) -> Tensor:
        """A token a frame of 20 ms."""
        return self.leave(self.conformers(self.enter(self.resnet(x))))


class Fusion(nn.Module):
    """Semantic tokens, with a projection of both kinds of token added, which is zero at the start.

    Args:
        width: length of a semantic token, the language model's.
        token_width: length of a spatial token.
    """

    def __init__(self, width: int, token_width: int) -> None:
        super().__init__()
        self.project = nn.Linear(width + token_width, width)
        nn.init.zeros_(self.project.weight)
        nn.init.zeros_(self.project.bias)

    def forward(self, semantic: Tensor, spatial: Tensor) -> Tensor:
        """``(n, width)`` of semantic ``(n, width)`` and spatial ``(frames, token_width)`` over the same time."""
        aligned = nn.functional.adaptive_avg_pool1d(spatial.T[None], len(semantic))[0].T
        both = torch.cat([semantic.to(aligned.dtype), aligned], dim=-1)
        return semantic + self.project(both).to(semantic.dtype)


class Plugin(nn.Module):
    """The encoder with its fusion.

    Args:
        shape: sizes.
        width: of the language model.
    """

    def __init__(self, shape: PluginShape, width: int) -> None:
        super().__init__()
        self.encoder = SpatialEncoder(shape)
        self.fusion = Fusion(width, shape.token_width)

    def fused(self, embedded: Tensor, places: Tensor, spatial: Sequence[Tensor]) -> Tensor:
        """Embeddings with the spatial tokens in them.

        Args:
            embedded: ``(batch, length, width)``, what the language model is given.
            places: ``(batch, length)``, true where a semantic token stands.
            spatial: ``(frames, token_width)`` of each row.
        """
        out = embedded.clone()
        for row, (where, tokens) in enumerate(zip(places, spatial, strict=True)):
            if where.any():
                out[row, where] = self.fusion(embedded[row, where], tokens)
        return out
