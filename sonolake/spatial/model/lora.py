"""Low-rank adapters beside frozen linear layers (Hu et al. 2021, section 4.1)."""

from __future__ import annotations

from typing import Any

from torch import nn

from sonolake.errors import InvalidInput
from sonolake.spatial.model.settings import PluginShape

Tensor = Any


class Adapted(nn.Module):
    """``base(x) + alpha / rank * up(down(x))``; ``up`` is zero at the start, so that nothing changes."""

    def __init__(self, base: Any, rank: int, alpha: float) -> None:
        super().__init__()
        self.base, self.scale = base, alpha / rank
        self.down = nn.Linear(base.in_features, rank, bias=False, device=base.weight.device)
        self.up = nn.Linear(rank, base.out_features, bias=False, device=base.weight.device)
        nn.init.zeros_(self.up.weight)

    def forward(self, x: Tensor) -> Tensor:
        """The layer's output in its own precision; the adapter counts in single."""
        return self.base(x) + (self.scale * self.up(self.down(x.to(self.down.weight.dtype)))).to(x.dtype)


def adapt(decoder: Any, shape: PluginShape) -> int:
    """Put adapters beside the linear layers of a language model; how many.

    Raises:
        InvalidInput: when no layer has such a name.
    """
    named = [
        (name, layer)
        for name, layer in decoder.named_modules()
        if isinstance(layer, nn.Linear) and name.endswith(shape.lora_layers)
    ]
    if not named:
        there = sorted(
            {name.rpartition(".")[2] for name, one in decoder.named_modules() if isinstance(one, nn.Linear)}
        )
        raise InvalidInput(
            "lora_layers", f"endings of names of linear layers, such as {there}", shape.lora_layers
        )
    for name, layer in named:
        parent, _, last = name.rpartition(".")
        setattr(decoder.get_submodule(parent), last, Adapted(layer, shape.lora_rank, shape.lora_alpha))
    return len(named)
