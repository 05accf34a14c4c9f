"""A training's folder: what it was asked to be, where it is, the best so far, and its log.

``settings.json`` says what is trained on what; ``last.pt`` is where it goes on from; ``best.pt`` has the weights with
the highest grounded score; ``log.jsonl`` has a line a step, a line a validation, and a line a clip that was left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput, NotFound
from sonolake.models.pytorch import read_checkpoint
from sonolake.serial import plain, read, to_json
from sonolake.spatial.model.settings import PluginShape, TrainSettings


@dataclass(frozen=True)
class RunSettings:
    """Everything that a run is made from.

    Attributes:
        backbone: a folder or a name, as :class:`TransformersBackbone` takes it.
        records: hash of which clips are trained on.
        shape: sizes of the plug-in.
        train: how it is trained.
    """

    backbone: str
    records: str
    shape: PluginShape
    train: TrainSettings


@dataclass(frozen=True)
class RunFolder:
    """The files of a run under ``path``."""

    path: Path

    def settle(self, settings: RunSettings) -> None:
        """Begin a run, or go on with one of the same settings.

        Raises:
            InvalidInput: when the folder holds another run.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        file = self.path / "settings.json"
        if not file.exists():
            _write(file, to_json(settings).encode())
        there = self.settings()
        if there != settings:
            ours, theirs = plain(settings), plain(there)
            other = {name: theirs[name] for name in ours if ours[name] != theirs[name]}
            raise InvalidInput(
                f"run in {self.path}", f"{ {n: ours[n] for n in other} }", other, "another run's folder"
            )

    def settings(self) -> RunSettings:
        """What the run is made from.

        Raises:
            NotFound: when there is no run.
        """
        file = self.path / "settings.json"
        if not file.is_file():
            raise NotFound(f"no run in {self.path}: sonolake rms-aqa train makes one")
        return read(RunSettings, json.loads(file.read_text(encoding="utf-8")))

    def save(self, name: str, state: Mapping[str, Any]) -> None:
        """Keep tensors, whole or not at all."""
        import torch

        part = self.path / f"{name}.part"
        torch.save(dict(state), part)
        part.replace(self.path / f"{name}.pt")

    def load(self, name: str) -> dict[str, Any] | None:
        """What :meth:`save` kept, or None."""
        file = self.path / f"{name}.pt"
        return read_checkpoint(file) if file.is_file() else None

    def log(self, line: Mapping[str, Any]) -> None:
        """Add a line to the log."""
        with (self.path / "log.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")

    def lines(self) -> list[dict[str, Any]]:
        """The log; a line that was cut off is left out."""
        file = self.path / "log.jsonl"
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def rewind(self, step: int) -> None:
        """Forget what was logged after a step, since it will be done again."""
        kept = [json.dumps(line) + "\n" for line in self.lines() if line["step"] <= step]
        _write(self.path / "log.jsonl", "".join(kept).encode())


def _write(file: Path, data: bytes) -> None:
    part = file.with_suffix(".part")
    part.write_bytes(data)
    part.replace(file)
