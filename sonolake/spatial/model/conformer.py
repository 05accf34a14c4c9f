"""Conformer blocks (Gulati et al. 2020, figures 1 to 4), with rotary positions (Su et al. 2021) in their attention."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

Tensor = Any


class Conformer(nn.Module):
    """``(batch, frames, width)`` to the same shape: half a feed-forward, attention, convolution, the other half."""

    def __init__(self, width: int, heads: int, kernel: int, dropout: float) -> None:
        super().__init__()
        self.feed_in = _feed_forward(width, dropout)
        self.attention = Attention(width, heads, dropout)
        self.convolution = Convolution(width, kernel, dropout)
        self.feed_out = _feed_forward(width, dropout)
        self.norm = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        """Each part adds to its input."""
        x = x + self.feed_in(x) / 2
        x = x + self.attention(x)
        x = x + self.convolution(x)
        return self.norm(x + self.feed_out(x) / 2)


class Attention(nn.Module):
    """Self-attention over all frames of a clip."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.norm, self.mixed, self.out = (
            nn.LayerNorm(width),
            nn.Linear(width, 3 * width),
            nn.Linear(width, width),
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """``(batch, frames, width)``."""
        query, key, value = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in self.mixed(self.norm(x)).chunk(3, -1)
        )
        heard = nn.functional.scaled_dot_product_attention(_turned(query), _turned(key), value)
        return self.dropout(self.out(heard.transpose(1, 2).flatten(2)))


class Convolution(nn.Module):
    """A gate, a depthwise convolution over ``kernel`` frames, and a projection."""

    def __init__(self, width: int, kernel: int, dropout: float) -> None:
        super().__init__()
        self.norm, self.gate = nn.LayerNorm(width), nn.Linear(width, 2 * width)
        self.depthwise = nn.Conv1d(width, width, kernel, padding=kernel // 2, groups=width)
        self.after = nn.Sequential(
            nn.LayerNorm(width), nn.SiLU(), nn.Linear(width, width), nn.Dropout(dropout)
        )

    def forward(self, x: Tensor) -> Tensor:
        """``(batch, frames, width)``."""
        gated = nn.functional.glu(self.gate(self.norm(x)), dim=-1)
        return self.after(self.depthwise(gated.transpose(1, 2)).transpose(1, 2))


def _feed_forward(width: int, dropout: float) -> Any:
    return nn.Sequential(
        nn.LayerNorm(width),
        nn.Linear(width, 4 * width),
        nn.SiLU(),
        nn.Dropout(dropout),
        nn.Linear(4 * width, width),
        nn.Dropout(dropout),
    )


def _turned(x: Tensor) -> Tensor:
    """Queries or keys ``(batch, heads, frames, width)``, turned by angles that grow with time."""
    half = x.shape[-1] // 2
    rates = 10_000.0 ** (-torch.arange(half, device=x.device) / half)
    angles = torch.arange(x.shape[2], device=x.device)[:, None] * rates
    first, second = x[..., :half], x[..., half:]
    sine, cosine = angles.sin(), angles.cos()
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1)
