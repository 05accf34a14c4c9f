"""Transcripts from a model that hears, written as they come, so that a run that ends goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.wesr.endpoint import Endpoint
from sonolake.wesr.prompt import prompt, prompt_id

RATE = 16_000
"""Samples a second of what is sent: one channel."""


@dataclass(frozen=True)
class Failure:
    """An utterance without an answer: a reason code, and one sentence for a person."""

    utterance_id: str
    reason: str
    detail: str


@dataclass(frozen=True)
class Asked:
    """What became of the utterances: ``taken = done + already + len(failures)``."""

    taken: int
    done: int
    already: int
    failures: tuple[Failure, ...]


def ask(utterances: Iterable[str], audio: Path, endpoint: Endpoint, answers: Path, workers: int = 4) -> Asked:
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
    there = _answered(answers, endpoint.model)
    wanted = list(utterances)
    todo = [name for name in wanted if name not in there]
    files = _files(audio, set(todo))
    failures: list[Failure] = []
    with answers.open("a", encoding="utf-8", newline="\n") as lines, ThreadPoolExecutor(workers) as pool:
        for batch in _batches(todo, 4 * workers):
            for name, found in zip(batch, pool.map(lambda n: _one(n, files, endpoint), batch), strict=True):
                if isinstance(found, Failure):
                    failures.append(found)
                else:
                    lines.write(_line(name, found, endpoint.model))
                    lines.flush()
    return Asked(len(wanted), len(todo) - len(failures), len(wanted) - len(todo), tuple(failures))


def _one(name: str, files: dict[str, Path], endpoint: Endpoint) -> str | Failure:
    try:
        if name not in files:
            raise ItemRefused("missing", "no recording of that name")
        return endpoint.transcribe(_wav(files[name]), prompt())
    except ItemRefused as refused:
        return Failure(name, refused.reason, refused.detail)


def _wav(file: Path) -> bytes:
    from sonolake.audio.decode import decode
    from sonolake.audio.encode import quantise, wav_bytes
    from sonolake.audio.resample import resample

    decoded = decode(file.read_bytes(), file.name)
    mono = resample(decoded.samples.mean(axis=1), decoded.sample_rate, RATE)
    return wav_bytes(quantise(mono.clip(-1.0, 1.0)), RATE)


def _answered(answers: Path, model: str) -> set[str]:
    """Names of the utterances in a file of answers; a last line that was cut off is taken out of the file."""
    if not answers.exists():
        return set()
    names: set[str] = set()
    whole = 0
    with answers.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            if not raw.endswith(b"\n"):
                break
            names.add(_name(raw, f"{answers.name}:{number}", model))
            whole += len(raw)
    if whole < answers.stat().st_size:
        with answers.open("r+b") as lines:
            lines.truncate(whole)
    return names


def _name(raw: bytes, where: str, model: str) -> str:
    try:
        row = json.loads(raw)
        name, by = row["audio"]["path"], (row["model"], row["prompt"])
    except (ValueError, LookupError, TypeError):
        raise InvalidInput(
            where, "an answer with audio.path, model and prompt", raw[:80].decode(errors="replace")
        ) from None
    if by != (model, prompt_id()):
        raise InvalidInput(
            where, f"answers of {model} to instruction {prompt_id()}", by, "a file of another run"
        )
    return str(name)


def _line(name: str, text: str, model: str) -> str:
    row = {"audio": {"path": name}, "sentence": text, "model": model, "prompt": prompt_id()}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _files(folder: Path, wanted: set[str]) -> dict[str, Path]:
    return {path.name: path for path in sorted(folder.rglob("*"), reverse=True) if path.name in wanted}


def _batches(names: Iterable[str], size: int) -> Iterator[list[str]]:
    rest = iter(names)
    while batch := list(islice(rest, size)):
        yield batch
