"""BEATs' network (Chen et al., "BEATs: Audio Pre-Training with Acoustic Tokenizers", ICML 2023), for inference.

Patches of 16 by 16 of a log mel spectrogram, a positional convolution, and transformer layers whose attention has a
relative position bias in buckets (Raffel et al., JMLR 2020, section 2.1), gated by the query (Chi et al., XLM-E,
ACL 2022, section 3.2 and WavLM, Chen et al. 2022, equation 4), with residuals scaled as DeepNet says (Wang et al. 2022,
table 1). The tensors carry the names that the published checkpoints have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from sonolake.errors import InvalidInput

Tensor = Any

_PUBLISHED_NORMS = {
    "encoder.pos_conv.0.parametrizations.weight.original0": "encoder.pos_conv.0.weight_g",
    "encoder.pos_conv.0.parametrizations.weight.original1": "encoder.pos_conv.0.weight_v",
}
"""How later PyTorch names the two parts of the positional convolution, and how the published files do."""


@dataclass(frozen=True)
class BeatsShape:
    """What a checkpoint's ``cfg`` says of the network; defaults are those of its authors."""

    input_patch_size: int = 16
    embed_dim: int = 512
    encoder_layers: int = 12
    encoder_embed_dim: int = 768
    encoder_attention_heads: int = 12
    activation_fn: str = "gelu"
    layer_norm_first: bool = False
    deep_norm: bool = False
    conv_pos: int = 128
    conv_pos_groups: int = 16
    relative_position_embedding: bool = False
    num_buckets: int = 320
    max_distance: int = 1280
    gru_rel_pos: bool = False

    @classmethod
    def of(cls, cfg: Mapping[str, Any]) -> BeatsShape:
        """The shape in a checkpoint's ``cfg``; what only training needs is left aside.

        Raises:
            InvalidInput: for an activation or a patch size that BEATs does not have.
        """
        shape = cls(**{field.name: cfg[field.name] for field in fields(cls) if field.name in cfg})
        if shape.activation_fn != "gelu":
            raise InvalidInput("BEATs cfg activation_fn", "gelu", shape.activation_fn)
        if shape.input_patch_size != 16:
            raise InvalidInput("BEATs cfg input_patch_size", "16", shape.input_patch_size)
        return shape

    @property
    def alpha(self) -> float:
        """DeepNet's factor of the residuals: (2 N) ** 0.25 of N layers; 1 without it."""
        return float((2 * self.encoder_layers) ** 0.25) if self.deep_norm else 1.0


class BeatsNet:
    """The network of one checkpoint.

    Args:
        cfg: the checkpoint's ``cfg``.
        tensors: the checkpoint's ``model``: tensors by name.
        device: where it runs, as PyTorch names it.

    Raises:
        InvalidInput: a cfg as :meth:`BeatsShape.of` refuses it, or tensors that lack what the cfg asks for.
    """

    def __init__(self, cfg: Mapping[str, Any], tensors: Mapping[str, Tensor], device: str = "cpu") -> None:
        self.shape = BeatsShape.of(cfg)
        named = {_PUBLISHED_NORMS.get(name, name): tensor for name, tensor in tensors.items()}
        _check(self.shape, named)
        self._t = {name: tensor.to(device).float() for name, tensor in named.items()}
        self._t["encoder.pos_conv.0.weight"] = self._positional_weight()
        self._biases: dict[int, Tensor] = {}

    def __call__(self, features: Tensor) -> Tensor:
        """Vectors ``(batch, patches, dim)`` of features ``(batch, frames, 128)``: time by time, low bands first."""
        from torch.nn import functional

        patches = functional.conv2d(
            features.unsqueeze(1),
            self._t["patch_embedding.weight"],
            self._t.get("patch_embedding.bias"),
            stride=16,
        )
        x = self._norm(patches.flatten(2).transpose(1, 2), "layer_norm")
        if "post_extract_proj.weight" in self._t:
            x = self._linear(x, "post_extract_proj")
        x = x + self._positions(x)
        if not self.shape.layer_norm_first:
            x = self._norm(x, "encoder.layer_norm")
        bias = self._relative(x.shape[1])
        for number in range(self.shape.encoder_layers):
            x = self._layer(x, f"encoder.layers.{number}", bias)
        return self._norm(x, "encoder.layer_norm") if self.shape.layer_norm_first else x

    def _layer(self, x: Tensor, name: str, bias: Tensor | None) -> Tensor:
        first = self.shape.layer_norm_first
        inner = self._norm(x, f"{name}.self_attn_layer_norm") if first else x
        x = x * self.shape.alpha + self._attention(inner, f"{name}.self_attn", bias)
        x = x if first else self._norm(x, f"{name}.self_attn_layer_norm")
        inner = self._norm(x, f"{name}.final_layer_norm") if first else x
        x = x * self.shape.alpha + self._feed(inner, name)
        return x if first else self._norm(x, f"{name}.final_layer_norm")

    def _feed(self, x: Tensor, name: str) -> Tensor:
        from torch.nn import functional

        return self._linear(functional.gelu(self._linear(x, f"{name}.fc1")), f"{name}.fc2")

    def _attention(self, x: Tensor, name: str, bias: Tensor | None) -> Tensor:
        from torch.nn import functional

        query, key, value = (self._heads(self._linear(x, f"{name}.{part}_proj")) for part in "qkv")
        mask = None if bias is None else self._gated(query, name, bias)
        out = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self._linear(out.transpose(1, 2).flatten(2), f"{name}.out_proj")

    def _gated(self, query: Tensor, name: str, bias: Tensor) -> Tensor:
        """The bias ``(heads, patches, patches)``, made more or less of by each query."""
        if not self.shape.gru_rel_pos:
            return bias.unsqueeze(0)
        eight = self._linear(query, f"{name}.grep_linear")
        gates = eight.unflatten(-1, (2, 4)).sum(-1).sigmoid()
        update, reset = gates[..., :1], gates[..., 1:]
        return (update * (reset * self._t[f"{name}.grep_a"] - 1.0) + 2.0) * bias

    def _heads(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.shape.encoder_attention_heads, -1)).transpose(1, 2)

    def _linear(self, x: Tensor, name: str) -> Tensor:
        from torch.nn import functional

        return functional.linear(x, self._t[f"{name}.weight"], self._t.get(f"{name}.bias"))

    def _norm(self, x: Tensor, name: str) -> Tensor:
        from torch.nn import functional

        return functional.layer_norm(x, x.shape[-1:], self._t[f"{name}.weight"], self._t[f"{name}.bias"])

    def _positional_weight(self) -> Tensor:
        """Weight normalisation (Salimans and Kingma 2016), a length for each place of the kernel."""
        direction = self._t["encoder.pos_conv.0.weight_v"]
        return direction * (self._t["encoder.pos_conv.0.weight_g"] / direction.norm(dim=(0, 1), keepdim=True))

    def _positions(self, x: Tensor) -> Tensor:
        """The positional convolution; an even kernel gives one place too many at the end."""
        from torch.nn import functional

        kernel = self.shape.conv_pos
        out = functional.conv1d(
            x.transpose(1, 2),
            self._t["encoder.pos_conv.0.weight"],
            self._t["encoder.pos_conv.0.bias"],
            padding=kernel // 2,
            groups=self.shape.conv_pos_groups,
        )
        return functional.gelu(out[..., : x.shape[1]]).transpose(1, 2)

    def _relative(self, count: int) -> Tensor | None:
        """The bias ``(heads, count, count)`` by bucket of distance, the same in every layer."""
        if not self.shape.relative_position_embedding:
            return None
        if count not in self._biases:
            table = self._t["encoder.layers.0.self_attn.relative_attention_bias.weight"]
            buckets = buckets_of(count, self.shape.num_buckets, self.shape.max_distance).to(table.device)
            self._biases = {count: table[buckets].permute(2, 0, 1)}
        return self._biases[count]


def buckets_of(count: int, buckets: int, farthest: int) -> Tensor:
    """The bucket ``(count, count)`` of each place as seen from each other one.

    Half of the buckets are for places behind; of each half, one half is for single distances and the other for longer
    ones, on a logarithmic scale up to ``farthest``.
    """
    import torch

    places = torch.arange(count)
    ahead = places[None, :] - places[:, None]
    side, exact = buckets // 2, buckets // 4
    distance = ahead.abs()
    scaled = torch.log(distance.float().clamp(min=1.0) / exact) / math.log(farthest / exact) * (side - exact)
    far = (exact + scaled.to(torch.long)).clamp(max=side - 1)
    return (ahead > 0).to(torch.long) * side + torch.where(distance < exact, distance, far)


def _check(shape: BeatsShape, tensors: Mapping[str, Tensor]) -> None:
    parts = [f"self_attn.{part}_proj" for part in ("q", "k", "v", "out")]
    parts += ["self_attn_layer_norm", "fc1", "fc2", "final_layer_norm"]
    if shape.gru_rel_pos:
        parts.append("self_attn.grep_linear")
    layers = [f"encoder.layers.{n}.{part}.weight" for n in range(shape.encoder_layers) for part in parts]
    needed = ["patch_embedding.weight", "layer_norm.weight", "encoder.layer_norm.weight"]
    needed += [f"encoder.pos_conv.0.{part}" for part in ("weight_g", "weight_v", "bias")] + layers
    if shape.embed_dim != shape.encoder_embed_dim:
        needed.append("post_extract_proj.weight")
    if shape.relative_position_embedding:
        needed.append("encoder.layers.0.self_attn.relative_attention_bias.weight")
    if lacking := [name for name in needed if name not in tensors]:
        raise InvalidInput(
            "BEATs checkpoint",
            "the tensors of its own cfg",
            f"without {lacking[0]} and {len(lacking) - 1} more",
        )
