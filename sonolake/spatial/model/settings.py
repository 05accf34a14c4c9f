"""The sizes of the plug-in and how it is trained; defaults are the paper's where it states any (RMS-AQA, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.errors import InvalidInput


@dataclass(frozen=True)
class PluginShape:
    """The spatial encoder and its fusion.

    Attributes:
        widths: channels of the four stages of the ResNet; 64 to 512 are ResNet-18's.
        blocks: residual blocks a stage; 2 are ResNet-18's.
        conformers: Conformer blocks (the paper: 8).
        conformer_width: their width; the paper does not state it.
        heads: attention heads of a Conformer block.
        kernel: frames of its depthwise convolution, odd.
        token_width: length of a spatial token (the paper: 1,024).
        dropout: in the Conformer blocks.
        lora_rank, lora_alpha: of the adapters in the language model (the paper: rank 16); an adapter's output is
            scaled by alpha over rank.
        lora_layers: endings of the names of the linear layers that get adapters.
    """

    widths: tuple[int, ...] = (64, 128, 256, 512)
    blocks: int = 2
    conformers: int = 8
    conformer_width: int = 512
    heads: int = 8
    kernel: int = 31
    token_width: int = 1024
    dropout: float = 0.1
    lora_rank: int = 16
    lora_alpha: float = 32.0
    lora_layers: tuple[str, ...] = ("q_proj", "k_proj", "v_proj", "o_proj")

    def __post_init__(self) -> None:
        sizes = (
            *self.widths,
            self.blocks,
            self.conformer_width,
            self.heads,
            self.token_width,
            self.lora_rank,
        )
        if len(self.widths) != 4 or min(sizes) < 1 or self.conformers < 0:
            raise InvalidInput("sizes of the plug-in", "four widths, all sizes 1 or more", sizes)
        if self.conformer_width % self.heads or self.conformer_width // self.heads % 2:
            allowed = f"an even multiple of {self.heads} heads"
            raise InvalidInput("conformer_width", allowed, self.conformer_width)
        if self.kernel % 2 == 0:
            raise InvalidInput("kernel", "an odd number of frames", self.kernel)
        if not 0.0 <= self.dropout < 1.0:
            raise InvalidInput("dropout", "0 to below 1", self.dropout)


@dataclass(frozen=True)
class TrainSettings:
    """How the plug-in is trained, and how it answers.

    Attributes:
        epochs: passes over the clips (the paper: 3).
        batch: clips a step, each with both stages.
        learning_rate, weight_decay: of AdamW (the paper: 2e-4 and 1e-2).
        clip_norm: largest norm of the gradient of a step.
        tokens: of an answer at most, taken greedily (the paper: 48).
        spatial: False trains the adapters alone, which hear W: the mono control.
        seed: of weights, dropout and the order of the clips.
        save_every: steps between two checkpoints to go on from.
    """

    epochs: int = 3
    batch: int = 8
    learning_rate: float = 2e-4
    weight_decay: float = 1e-2
    clip_norm: float = 1.0
    tokens: int = 48
    spatial: bool = True
    seed: int = 0
    save_every: int = 200

    def __post_init__(self) -> None:
        counts = (self.epochs, self.batch, self.tokens, self.save_every)
        if min(counts) < 1:
            raise InvalidInput("epochs, batch, tokens, save_every", "1 or more each", counts)
        if min(self.learning_rate, self.clip_norm) <= 0 or self.weight_decay < 0:
            given = (self.learning_rate, self.clip_norm, self.weight_decay)
            raise InvalidInput(
                "learning_rate, clip_norm, weight_decay", "positive, the last perhaps 0", given
            )
