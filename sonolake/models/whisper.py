"""Speech recognition by Whisper networks (Radford et al. 2022), run by faster-whisper on one thread.

Two networks lie in packages, whose files are read and whose code is not run: ``base`` (many languages, in two
parts) and ``tiny.en``. Any other is a folder in the form of CTranslate2: ``model.bin``, ``config.json``,
``tokenizer.json`` and ``vocabulary.txt`` or ``vocabulary.json``.

Weights are held as 8-bit integers, which halves the cost and changed no word of what was tried. Decoding is a beam
search without sampling, so equal sound gives equal words on one kind of processor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy.typing as npt

from sonolake.errors import InvalidInput
from sonolake.models.base import Transcript, Word
from sonolake.models.packages import (
    RECOGNITION_LINE,
    WHISPER_BASE,
    WHISPER_TINY,
    require,
)
from sonolake.models.signals import mono_at

RATE = 16_000
PRECISION = "int8_float32"
BEAM = 5
NETWORK = "model.bin"
_FILES = (NETWORK, "config.json", "tokenizer.json")
_VOCABULARIES = ("vocabulary.txt", "vocabulary.json")
_OPTIONAL = ("preprocessor_config.json",)


class Whisper:
    """A :class:`~sonolake.models.base.Recogniser`: ``whisper:base``, ``whisper:tiny.en`` or ``whisper:FOLDER``."""

    def __init__(self, name: str = "base") -> None:
        """Find the network's files.

        Args:
            name: ``base``, ``tiny.en``, or a folder.

        Raises:
            InvalidInput: for a folder without such files.
            MissingPackage: when the package with the weights, or faster-whisper, is not installed.
        """
        self.spec = f"whisper:{name}"
        require(self.spec, "faster_whisper", line=RECOGNITION_LINE)
        packaged = {"base": _base, "tiny.en": _tiny}
        self.licence = "MIT" if name in packaged else "LicenseRef-unstated"
        self._weights, self._beside = (
            packaged[name](self.spec) if name in packaged else _of_folder(Path(name))
        )
        self._lock = Lock()

    @cached_property
    def weights_sha256(self) -> str:
        """SHA-256 of ``model.bin``, its parts joined."""
        digest = hashlib.sha256()
        for path in self._weights:
            digest.update(path.read_bytes())
        return digest.hexdigest()

    @cached_property
    def _model(self) -> Any:
        from faster_whisper import WhisperModel

        files = {path.name: path.read_bytes() for path in self._beside}
        files[NETWORK] = b"".join(path.read_bytes() for path in self._weights)
        return WhisperModel(
            self.spec, device="cpu", compute_type=PRECISION, cpu_threads=1, num_workers=1, files=files
        )

    def transcribe(self, x: npt.NDArray[Any], rate: int, language: str = "") -> Transcript:
        """What is said in a mono signal at ``rate`` Hz, of any length.

        Args:
            x: ``(frames,)``, full scale ±1.0.
            rate: Hz.
            language: its code, such as ``en``; empty to have it recognised from the first half minute.

        Raises:
            InvalidInput: when the signal is empty, not mono or not finite, or for a language that the network lacks.
        """
        signal = mono_at(x, rate, RATE)
        with self._lock:
            self._check(language)
            segments, info = self._model.transcribe(
                signal,
                language=language or None,
                beam_size=BEAM,
                temperature=0.0,
                condition_on_previous_text=False,
                word_timestamps=True,
            )
            found = list(segments)
        words = [word for segment in found for word in segment.words or ()]
        return Transcript(
            " ".join("".join(segment.text for segment in found).split()),
            _in_order([(w.word.strip(), w.start, w.end, w.probability) for w in words], signal.size / RATE),
            str(info.language),
        )

    def _check(self, language: str) -> None:
        known = self._model.supported_languages
        if language and language not in known:
            allowed = f"one of {', '.join(known)}, or nothing"
            raise InvalidInput(f"language of {self.spec}", allowed, language)


def _in_order(words: Sequence[tuple[str, float, float, float]], length_s: float) -> tuple[Word, ...]:
    """Words inside the signal, none of which begins before the one before it ends."""
    placed: list[Word] = []
    at = 0.0
    for text, start, end, probability in words:
        start = min(max(float(start), at), length_s)
        at = min(max(float(end), start), length_s)
        placed.append(Word(text, round(start, 3), round(at, 3), round(float(probability), 4)))
    return tuple(placed)


def _base(spec: str) -> tuple[list[Path], list[Path]]:
    weights = [
        package.file(f"data/{NETWORK}.part{number}", spec) for number, package in enumerate(WHISPER_BASE, 1)
    ]
    names = ("config.json", "tokenizer.json", "vocabulary.txt")
    return weights, [WHISPER_BASE[0].file(f"data/{name}", spec) for name in names]


def _tiny(spec: str) -> tuple[list[Path], list[Path]]:
    WHISPER_TINY.file(f"model/{NETWORK}", spec)
    return _of_folder(WHISPER_TINY.file("model/config.json", spec).parent)


def _of_folder(folder: Path) -> tuple[list[Path], list[Path]]:
    there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if not set(_FILES) <= there or not there & set(_VOCABULARIES):
        allowed = f"base, tiny.en, or a folder with {', '.join(_FILES)} and {' or '.join(_VOCABULARIES)}"
        cause = "ct2-transformers-converter makes one of a checkpoint"
        raise InvalidInput("whisper model", allowed, str(folder), cause)
    beside = [*_FILES[1:], *_VOCABULARIES, *_OPTIONAL]
    return [folder / NETWORK], [folder / name for name in beside if name in there]
