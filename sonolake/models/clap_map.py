"""From a checkpoint of ``laion_clap`` to what transformers' ``ClapModel`` asks for: names, and the shape they imply.

The network is one and the same (Wu et al., "Large-scale Contrastive Language-Audio Pretraining", ICASSP 2023): HTSAT
(Chen et al., ICASSP 2022) for sound, RoBERTa for text, a projection each. ``ClapModel`` calls its parts otherwise and
keeps query, key and value apart. What only training or classifying needs is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from sonolake.errors import InvalidInput

Tensor = Any

ROBERTA_EPS = 1e-5
"""Of RoBERTa's layer norms (its ``config.json``); ``ClapConfig`` has another one by default."""

_LEFT_OUT = re.compile(
    r"audio_branch\.(spectrogram_extractor|logmel_extractor|tscam_conv|head)\.|audio_branch\..*\.attn_mask$"
    r"|(audio|text)_transform\.|text_branch\.embeddings\.(position_ids|token_type_ids)$"
)
_RENAMED = (
    (re.compile(r"^audio_branch\.bn0\."), "audio_model.audio_encoder.batch_norm."),
    (re.compile(r"^audio_branch\."), "audio_model.audio_encoder."),
    (re.compile(r"^text_branch\."), "text_model."),
    (re.compile(r"^(audio|text)_projection\.0\."), r"\1_projection.linear1."),
    (re.compile(r"^(audio|text)_projection\.2\."), r"\1_projection.linear2."),
    (re.compile(r"(\.blocks\.\d+)\.norm1\."), r"\1.layernorm_before."),
    (re.compile(r"(\.blocks\.\d+)\.norm2\."), r"\1.layernorm_after."),
    (re.compile(r"(\.blocks\.\d+)\.mlp\.fc1\."), r"\1.intermediate.dense."),
    (re.compile(r"(\.blocks\.\d+)\.mlp\.fc2\."), r"\1.output.dense."),
    (re.compile(r"(\.blocks\.\d+)\.attn\.proj\."), r"\1.attention.output.dense."),
    (re.compile(r"(\.blocks\.\d+)\.attn\."), r"\1.attention.self."),
)
_PARTS = ("query", "key", "value")


def weights_in(checkpoint: Mapping[str, Any]) -> dict[str, Tensor]:
    """The tensors of a ``laion_clap`` checkpoint by name, without the wrapper's ``module.``.

    Raises:
        InvalidInput: for anything else, and for a sound network other than HTSAT.
    """
    inner = checkpoint.get("state_dict", checkpoint)
    named = {str(name).removeprefix("module."): tensor for name, tensor in inner.items()}
    if "audio_branch.patch_embed.proj.weight" not in named or "text_branch.pooler.dense.weight" not in named:
        found = ", ".join(sorted(named)[:3])
        raise InvalidInput(
            "laion_clap checkpoint",
            "HTSAT in audio_branch and RoBERTa in text_branch",
            found,
            "another network",
        )
    return named


def converted(named: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors with the names that ``ClapModel`` gives them."""
    out: dict[str, Tensor] = {}
    for name, tensor in named.items():
        if _LEFT_OUT.match(name):
            continue
        for pattern, new in _RENAMED:
            name = pattern.sub(new, name)
        if ".qkv." in name:
            out |= {name.replace("qkv", part): one for part, one in zip(_PARTS, tensor.chunk(3), strict=True)}
        else:
            out[name] = tensor
    return out


def shape_of(named: Mapping[str, Tensor]) -> dict[str, Any]:
    """The arguments of ``ClapConfig`` that these tensors imply."""
    return {
        "projection_dim": named["audio_projection.2.weight"].shape[0],
        "audio_config": _sound_shape(named),
        "text_config": _text_shape(named),
    }


def _sound_shape(named: Mapping[str, Tensor]) -> dict[str, Any]:
    first, _, _, side = named["audio_branch.patch_embed.proj.weight"].shape
    depths: list[int] = []
    while count := _count(named, rf"audio_branch\.layers\.{len(depths)}\.blocks\.(\d+)\."):
        depths.append(count)
    tables = [
        named[f"audio_branch.layers.{n}.blocks.0.attn.relative_position_bias_table"]
        for n in range(len(depths))
    ]
    return {
        "patch_size": side,
        "patch_stride": [side, side],
        "patch_embeds_hidden_size": first,
        "hidden_size": first * 2 ** (len(depths) - 1),
        "depths": depths,
        "num_hidden_layers": len(depths),
        "num_attention_heads": [table.shape[1] for table in tables],
        "window_size": (round(tables[0].shape[0] ** 0.5) + 1) // 2,
        "num_mel_bins": named["audio_branch.bn0.weight"].shape[0],
        "projection_dim": named["audio_projection.2.weight"].shape[0],
        **_fusion(named, first),
    }


def _fusion(named: Mapping[str, Tensor], width: int) -> dict[str, Any]:
    """How the parts of a sound are fused, where they are: by attention in two dimensions, as published."""
    narrow = named.get("audio_branch.patch_embed.fusion_model.local_att.0.weight")
    if narrow is None:
        return {"enable_fusion": False}
    return {"enable_fusion": True, "fusion_type": "aff_2d", "aff_block_r": width // narrow.shape[0]}


def _text_shape(named: Mapping[str, Tensor]) -> dict[str, Any]:
    words, width = named["text_branch.embeddings.word_embeddings.weight"].shape
    return {
        "vocab_size": words,
        "hidden_size": width,
        "num_hidden_layers": _count(named, r"text_branch\.encoder\.layer\.(\d+)\."),
        "num_attention_heads": max(1, width // 64),
        "intermediate_size": named["text_branch.encoder.layer.0.intermediate.dense.weight"].shape[0],
        "max_position_embeddings": named["text_branch.embeddings.position_embeddings.weight"].shape[0],
        "type_vocab_size": named["text_branch.embeddings.token_type_embeddings.weight"].shape[0],
        "projection_dim": named["text_projection.2.weight"].shape[0],
        "layer_norm_eps": ROBERTA_EPS,
    }


def _count(names: Iterable[str], pattern: str) -> int:
    numbers = [int(found[1]) for name in names if (found := re.match(pattern, name))]
    return max(numbers, default=-1) + 1
