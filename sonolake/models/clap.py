"""CLAP: sound and text in one space, by transformers' ``ClapModel``.

Read are folders as the Hugging Face hub has them, names of such that are in the local cache (nothing is downloaded),
and checkpoints of ``laion_clap``. The network hears ten seconds: a shorter window is repeated until they are full, as
it was trained. Windows are two seconds, every second, so that a vector says where; what that costs against ten seconds
is not measured. A fused model, such as the one of Freesound's space, gets windows of ten seconds, one after the other:
up to that a sound has the one vector that ``laion_clap`` gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput, NotFound
from sonolake.models.base import Vectors
from sonolake.models.checkpoints import UNKNOWN, Checkpoint, checkpoint_of
from sonolake.models.clap_map import converted, shape_of, weights_in
from sonolake.models.packages import file_sha256, listing_sha256
from sonolake.models.pytorch import batch_size, device, read_checkpoint, require_torch
from sonolake.models.signals import mono_at
from sonolake.models.windows import windows_of

RATE = 48_000
LOWEST_HZ = 50
"""Lower edge of the mel bands in laion_clap's ``model_configs``; folders of ``ClapModel`` say their own."""
WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
WORDS = ("tokenizer.json", "vocab.json")
TOKENIZERS = ("roberta-base", "FacebookAI/roberta-base", "laion/clap-htsat-unfused")
"""Whose tokenizer a ``laion_clap`` checkpoint was trained with, as they are called in the local cache."""


class Clap:
    """A :class:`~sonolake.models.base.JointEncoder`.

    Args:
        source: a folder of ``ClapModel``, a hub's name of one in the local cache, or a ``laion_clap`` checkpoint.

    Raises:
        MissingPackage: without PyTorch or transformers.
        NotFound: when nothing is there.
    """

    sample_rate = RATE

    def __init__(self, source: str) -> None:
        self.spec = f"clap:{source}"
        require_torch(self.spec, "transformers")
        self._path = _found(source)

    @property
    def window_s(self) -> float:
        """Seconds of a window."""
        return 10.0 if self._fused else 2.0

    @property
    def hop_s(self) -> float:
        """Seconds between the starts of two windows."""
        return 10.0 if self._fused else 1.0

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of the checkpoint, or of the folder's file of weights; of several, over their hashes."""
        files = self._files()
        if len(files) == 1:
            return file_sha256(files[0])
        return listing_sha256((file.name, file_sha256(file)) for file in files)

    @property
    def licence(self) -> str:
        """The licence of the checkpoint, where it is a published one."""
        return self._published.licence

    @property
    def dim(self) -> int:
        """Length of a vector: 512 of the published models."""
        return int(self._model.config.projection_dim)

    @property
    def about(self) -> str:
        """Which published file it is, or how it is built."""
        sound = self._model.config.audio_config
        return (
            self._published.name
            or f"CLAP, HTSAT {sound.patch_embeds_hidden_size} {list(sound.depths)}, {self.dim}-d"
        )

    @property
    def _published(self) -> Checkpoint:
        return checkpoint_of(self.weights_sha256) if self._path.is_file() else UNKNOWN

    def _files(self) -> list[Path]:
        if self._path.is_file():
            return [self._path]
        for pattern in WEIGHTS:
            if files := sorted(self._path.glob(pattern)):
                return files
        raise NotFound(f"{self.spec}: no file of weights ({' or '.join(WEIGHTS)}) in {self._path}")

    @cached_property
    def _model(self) -> Any:
        from transformers import ClapConfig, ClapModel

        if self._path.is_file():
            named = weights_in(read_checkpoint(self._path))
            model = ClapModel(ClapConfig(**shape_of(named)))
            lacking, unknown = model.load_state_dict(converted(named), strict=False)
            if lost := [*unknown, *(name for name in lacking if not name.endswith("_ids"))]:
                raise InvalidInput("laion_clap checkpoint", "the tensors of ClapModel", lost[:3])
        else:
            model = ClapModel.from_pretrained(self._path, local_files_only=True)
        return model.eval().to(device())

    @property
    def _fused(self) -> bool:
        """Whether the network hears a sound and three parts of it: of ten seconds and less, four times the same."""
        return bool(self._model.config.audio_config.enable_fusion)

    @cached_property
    def _listener(self) -> Any:
        """Windows are not longer than ten seconds, so that nothing is cut at random."""
        from transformers import ClapFeatureExtractor

        modes = {"truncation": "fusion" if self._fused else "rand_trunc", "padding": "repeatpad"}
        if (self._path / "preprocessor_config.json").is_file():
            return ClapFeatureExtractor.from_pretrained(self._path, local_files_only=True, **modes)
        return ClapFeatureExtractor(frequency_min=LOWEST_HZ, **modes)

    @cached_property
    def _reader(self) -> Any:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(self._words(), local_files_only=True)

    def _words(self) -> Path:
        beside = self._path if self._path.is_dir() else self._path.parent
        if any((beside / name).is_file() for name in WORDS):
            return beside
        for name in TOKENIZERS:
            if (folder := _cached(name, "tokenizer_config.json")) is not None:
                return folder
        raise NotFound(
            f"{self.spec}: no tokenizer: put vocab.json, merges.txt and tokenizer_config.json of roberta-base "
            "beside the checkpoint, or fetch it once (hf download roberta-base)"
        )

    def encode(self, x: npt.NDArray[Any], rate: int) -> Vectors:
        """Unit vectors ``(n_windows, dim)`` of a mono signal.

        Raises:
            InvalidInput: when the signal is empty, not mono, or not finite; or the files are no CLAP.
        """
        return self.encode_many([(x, rate)])[0]

    def encode_many(self, signals: Sequence[tuple[npt.NDArray[Any], int]]) -> list[Vectors]:
        """:meth:`encode` of several signals, in batches on a card."""
        window, hop = round(self.window_s * RATE), round(self.hop_s * RATE)
        cut = [windows_of(mono_at(x, rate, RATE), window, hop) for x, rate in signals]
        every = [one for windows in cut for one in windows]
        size = batch_size()
        made = [self._heard(every[start : start + size]) for start in range(0, len(every), size)]
        ends = np.cumsum([len(windows) for windows in cut])[:-1]
        return np.split(np.concatenate(made), ends)

    def encode_text(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors ``(len(texts), dim)``.

        Raises:
            InvalidInput: for a blank text.
            NotFound: without a tokenizer beside the weights.
        """
        import torch

        if blank := [text for text in texts if not text.strip()]:
            raise InvalidInput("text", "at least one word", blank[0])
        made = []
        with torch.inference_mode():
            for text in texts:
                tokens = self._reader(text, truncation=True, max_length=77, return_tensors="pt").to(device())
                made.append(_unit(self._model.get_text_features(**tokens)))
        return np.concatenate(made) if made else np.empty((0, self.dim), dtype=np.float32)

    def _heard(self, windows: Sequence[npt.NDArray[Any]]) -> Vectors:
        import torch

        mel = self._listener(list(windows), sampling_rate=RATE, return_tensors="pt")["input_features"]
        given = {"input_features": mel.float().to(device())}
        if self._fused:
            # None is longer than ten seconds; the extractor calls one so by chance, as in training.
            given["is_longer"] = torch.zeros(len(windows), 1, dtype=torch.bool, device=device())
        with torch.inference_mode():
            return _unit(self._model.get_audio_features(**given))


def _unit(features: Any) -> Vectors:
    """Unit vectors, whether transformers gives them plain or as ``pooler_output``, normalised or not."""
    plain = getattr(features, "pooler_output", features)
    unit = plain / plain.norm(dim=-1, keepdim=True).clamp(min=1e-12)
    return np.asarray(unit.float().cpu().numpy())


def _found(source: str) -> Path:
    path = Path(source).expanduser()
    if path.exists():
        return path
    if (folder := _cached(source, "config.json")) is not None:
        return folder
    raise NotFound(
        f"clap:{source}: no such folder or file, and no model of this name in the local cache; "
        f"fetch one with: hf download {source if source.count('/') == 1 else 'laion/clap-htsat-unfused'}"
    )


def _cached(name: str, file: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(name, file)
    except HFValidationError:
        return None
    return Path(found).parent if isinstance(found, str) else None
