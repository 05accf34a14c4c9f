"""Transcripts from a model that hears, written as they come, so that a run that ends goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.scoring import Asked, Said, ask_each, require_own
from sonolake.wesr.endpoint import Endpoint
from sonolake.wesr.prompt import prompt, prompt_id

RATE = 16_000
"""Samples a second of what is sent: one channel."""


def ask(
    utterances: Iterable[str], audio: Path, endpoint: Endpoint, answers: Path, workers: int = 4
) -> Asked[str]:
    """Ask for the transcripts that ``answers`` does not hold yet, and append them to it.

    Args:
        utterances: file names of recordings.
        audio: the folder with the recordings, at any depth.
        endpoint: the model.
        answers: JSON lines, a file that this function wrote or that is not there.
        workers: recordings asked about at the same time.

    Raises:
        InvalidInput: when ``answers`` is of another model or instruction.
        Refused, Unreachable: when the endpoint refuses everything or does not answer; what is there is kept.
    """
    own = {"model": endpoint.model, "prompt": prompt_id()}
    require_own(answers, own)
    there = _answered(answers)
    wanted = list(utterances)
    todo = [name for name in wanted if name not in there]
    files = _files(audio, set(todo))
    said = ask_each(
        todo,
        lambda name: _one(name, files, endpoint),
        answers,
        lambda name, text: {"audio": {"path": name}, "sentence": text} | own,
        workers,
    )
    return Asked(len(wanted), len(said.answers), len(wanted) - len(todo), said.failures)


def wav_of(data: bytes, name: str) -> bytes:
    """A sound file as a model gets it: a WAV file of one channel at :data:`RATE`.

    Args:
        data: the file, in any format that is read.
        name: says what it is in messages.

    Raises:
        ItemRefused: for what is no sound.
    """
    from sonolake.audio.decode import decode
    from sonolake.audio.encode import quantise, wav_bytes
    from sonolake.audio.resample import resample

    decoded = decode(data, name)
    mono = resample(decoded.samples.mean(axis=1), decoded.sample_rate, RATE)
    return wav_bytes(quantise(mono.clip(-1.0, 1.0)), RATE)


def _one(name: str, files: dict[str, Path], endpoint: Endpoint) -> Said[str]:
    try:
        if name not in files:
            raise ItemRefused("missing", "no recording of that name")
        return Said({name: endpoint.transcribe(wav_of(files[name].read_bytes(), name), prompt())})
    except ItemRefused as refused:
        return Said(failures={name: f"{refused.reason}: {refused.detail}"})


def _answered(answers: Path) -> set[str]:
    """Names of the utterances in a file of answers."""
    if not answers.exists():
        return set()
    with answers.open(encoding="utf-8") as lines:
        return {_name(line, f"{answers.name} line {number}") for number, line in enumerate(lines, 1)}


def _name(line: str, where: str) -> str:
    try:
        return str(json.loads(line)["audio"]["path"])
    except (ValueError, LookupError, TypeError):
        raise InvalidInput(where, "an answer with audio.path", line[:80]) from None


def _files(folder: Path, wanted: set[str]) -> dict[str, Path]:
    return {path.name: path for path in sorted(folder.rglob("*"), reverse=True) if path.name in wanted}
