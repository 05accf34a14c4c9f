"""ResNet-18 that keeps time (He et al. 2016, table 1): every stride lies along frequency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import nn

from sonolake.spatial.model.features import CHANNELS

Tensor = Any


class TimeResNet(nn.Module):
    """``(batch, 7, frames, bands)`` to ``(batch, frames, widths[-1])``.

    Args:
        widths: channels of the four stages.
        blocks: residual blocks a stage.
    """

    def __init__(self, widths: Sequence[int], blocks: int) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.BatchNorm2d(CHANNELS),
            nn.Conv2d(CHANNELS, widths[0], 7, (1, 2), 3, bias=False),
            nn.BatchNorm2d(widths[0]),
            nn.ReLU(),
            nn.MaxPool2d(3, (1, 2), 1),
        )
        before = [widths[0], *widths]
        self.stages = nn.Sequential(
            *(
                Residual(before[stage] if first else width, width, 2 if first and stage else 1)
                for stage, width in enumerate(widths)
                for first in [True] + [False] * (blocks - 1)
            )
        )

    def forward(self, x: Tensor) -> Tensor:
        """A vector a frame; what is left of frequency is averaged."""
        return self.stages(self.stem(x)).mean(dim=3).transpose(1, 2)


class Residual(nn.Module):
    """Two convolutions of 3 by 3 beside a shortcut; ``stride`` is along frequency."""

    def __init__(self, before: int, width: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(before, width, 3, (1, stride), 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, 1, 1, bias=False),
            nn.BatchNorm2d(width),
        )
        same = before == width and stride == 1
        self.shortcut = nn.Identity() if same else _projection(before, width, stride)

    def forward(self, x: Tensor) -> Tensor:
        """The sum of both ways, rectified."""
        return nn.functional.relu(self.body(x) + self.shortcut(x))


def _projection(before: int, width: int, stride: int) -> Any:
    return nn.Sequential(nn.Conv2d(before, width, 1, (1, stride), bias=False), nn.BatchNorm2d(width))
