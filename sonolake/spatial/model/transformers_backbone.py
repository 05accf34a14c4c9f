"""Audio-language models of transformers: any whose processor puts a token of text at the place of each semantic token,
and whose language model is given embeddings, such as Qwen2-Audio, Qwen2.5- and Qwen3-Omni, Audio Flamingo 3.

The spatial tokens are fused where the language model is entered, so that no model's own code is needed. Nothing is
downloaded: a folder, or a name that is in the local cache. No code that a folder brings is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from sonolake.errors import InvalidInput, NotFound
from sonolake.models.pytorch import device, require_torch
from sonolake.spatial.model.backbone import Conversation, Fuse, Prompted
from sonolake.spatial.model.features import MONO_RATE, Array

Tensor = Any
IGNORED = -100
"""In place of a target that there is not."""


class TransformersBackbone:
    """A :class:`~sonolake.spatial.model.backbone.Backbone`, its weights frozen.

    Args:
        source: a folder as ``save_pretrained`` writes it, or a hub's name of one in the local cache.
        dtype: of the weights, as PyTorch calls it; those of the files when None.

    Raises:
        MissingPackage: without PyTorch or transformers.
        NotFound: when nothing is there.
        InvalidInput: for a model without sound in its texts.
    """

    def __init__(self, source: str, dtype: str | None = None) -> None:
        self.spec = source
        require_torch(source, "transformers")
        import transformers

        try:
            config = transformers.AutoConfig.from_pretrained(source, local_files_only=True)
            self._processor = transformers.AutoProcessor.from_pretrained(source, local_files_only=True)
            network = _class_of(config, transformers).from_pretrained(
                source, local_files_only=True, dtype=dtype or "auto"
            )
        except (OSError, ValueError) as error:
            raise NotFound(f"{source}: no model of transformers here: {str(error).splitlines()[0]}") from None
        self.network = getattr(network, "thinker", network).to(device()).eval().requires_grad_(False)
        self.decoder = _decoder_of(self.network)
        self.width = int(self.network.get_input_embeddings().embedding_dim)
        self._audio_id = _audio_id(self.network.config, self._processor)
        tokenizer = self._processor.tokenizer
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token

    def prompted(self, conversations: Sequence[Conversation], sounds: Sequence[Array]) -> Prompted:
        """Conversations in the model's own chat template, about sounds: mono, 16 kHz, one each.

        Raises:
            InvalidInput: when the processor leaves no place for a sound.
        """
        texts = [self._text(conversation) for conversation in conversations]
        wanted = int(getattr(self._processor.feature_extractor, "sampling_rate", MONO_RATE))
        if wanted != MONO_RATE:
            raise InvalidInput("sample rate of the backbone", f"{MONO_RATE} Hz", wanted)
        inputs = self._processor(
            text=texts,
            audio=list(sounds),
            return_tensors="pt",
            text_kwargs={"padding": True, "padding_side": "left"},
            audio_kwargs={"sampling_rate": wanted},
        )
        at = self.network.device
        moved = {name: _moved(value, at, self.network.dtype) for name, value in inputs.items()}
        places = moved["input_ids"] == self._audio_id
        if not places.any(dim=1).all():
            raise InvalidInput("chat template", "a place for the sound", texts[0][:200])
        return Prompted(moved, places)

    def target_ids(self, text: str) -> list[int]:
        """The tokens of an answer and the one that ends a turn."""
        tokenizer = self._processor.tokenizer
        ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
        return [*ids, self._ends()[0]]

    def logits(self, prompted: Prompted, targets: Tensor, fuse: Fuse | None) -> Tensor:
        """``(batch, n, vocabulary)`` for targets ``(batch, n)``, :data:`IGNORED` where a shorter one has ended."""
        said = targets != IGNORED
        filler = self._processor.tokenizer.pad_token_id
        before, mask = prompted.inputs["input_ids"], prompted.inputs["attention_mask"]
        inputs = {
            **prompted.inputs,
            "input_ids": torch.cat([before, targets.where(said, filler)], dim=1),
            "attention_mask": torch.cat([mask, said.to(mask.dtype)], dim=1),
        }
        with self._fusing(prompted.places, fuse):
            out = self.network(**inputs, use_cache=False).logits
        return out[:, before.shape[1] - 1 : -1]

    def generate(self, prompted: Prompted, fuse: Fuse | None, tokens: int) -> list[str]:
        """The most likely answers, of ``tokens`` at most."""
        filler = self._processor.tokenizer.pad_token_id
        with torch.inference_mode(), self._fusing(prompted.places, fuse):
            ids = self.network.generate(
                **prompted.inputs,
                max_new_tokens=tokens,
                do_sample=False,
                eos_token_id=self._ends(),
                pad_token_id=filler,
            )
        answers = ids[:, prompted.inputs["input_ids"].shape[1] :]
        said: list[str] = self._processor.tokenizer.batch_decode(answers, skip_special_tokens=True)
        return said

    @contextmanager
    def _fusing(self, places: Tensor, fuse: Fuse | None) -> Iterator[None]:
        """Has the language model enter with what ``fuse`` makes of its embeddings."""
        if fuse is None:
            yield
            return
        entered = []

        def enter(module: Any, args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
            embedded = kwargs.get("inputs_embeds")
            if embedded is None or embedded.shape[1] < places.shape[1]:
                return args, kwargs
            entered.append(True)
            rest = embedded.shape[1] - places.shape[1]
            where = torch.nn.functional.pad(places, (0, rest))
            return args, {**kwargs, "inputs_embeds": fuse(embedded, where)}

        handle = self.decoder.register_forward_pre_hook(enter, with_kwargs=True)
        try:
            yield
        finally:
            handle.remove()
        if not entered:
            raise InvalidInput(
                "backbone", "a language model that is given embeddings", type(self.network).__name__
            )

    def _text(self, conversation: Conversation) -> str:
        messages = [
            {
                "role": message.role,
                "content": [
                    *([{"type": "audio", "audio": "sound.wav"}] if message.wav is not None else []),
                    {"type": "text", "text": message.text},
                ],
            }
            for message in conversation
        ]
        text: str = self._processor.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        return text

    def _ends(self) -> list[int]:
        """The tokens that end an answer; the first is the one that ours end with."""
        own = self._processor.tokenizer.eos_token_id
        said = self.network.generation_config.eos_token_id if self.network.can_generate() else None
        ends = said if isinstance(said, list) else [] if said is None else [said]
        return [own, *(one for one in ends if one != own)]


def _class_of(config: Any, transformers: Any) -> Any:
    """The class that the model says it is, else what transformers takes for such models."""
    named = (config.architectures or [""])[0]
    return getattr(transformers, named, None) or transformers.AutoModelForMultimodalLM


def _decoder_of(network: Any) -> Any:
    decoder = network.get_decoder()
    return network.model if decoder is network else decoder


def _audio_id(config: Any, processor: Any) -> int:
    for name in ("audio_token_id", "audio_token_index"):
        if isinstance(getattr(config, name, None), int):
            return int(getattr(config, name))
    token = getattr(processor, "audio_token", None)
    if token is None:
        raise InvalidInput("backbone", "a model whose texts have tokens for sound", type(processor).__name__)
    return int(processor.tokenizer.convert_tokens_to_ids(token))


def _moved(value: Any, at: Any, dtype: Any) -> Any:
    if not torch.is_tensor(value):
        return value
    return value.to(at, dtype) if value.is_floating_point() else value.to(at)
