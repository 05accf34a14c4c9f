"""The list of mistakes that ``sonolake score wesr`` writes, and how often each kind came."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import IO

import typer

from sonolake.wesr.comparing import Compared
from sonolake.wesr.mistakes import Mistake, mistakes
from sonolake.wesr.scoretext import Options, surfaces
from sonolake.wesr.scoring import Watch

FIELDS = ("system", "utterance_id", "kind", "tag", "found", "first", "last", "shift", "context")


class MistakeFile:
    """Writes mistakes as they come, and counts them by kind and tag.

    Args:
        path: ``.tsv`` or ``.jsonl``; None to count only.
        options: how the texts are read.

    Raises:
        typer.BadParameter: for another suffix.
    """

    def __init__(self, path: Path | None, options: Options) -> None:
        if path and path.suffix not in (".tsv", ".jsonl"):
            raise typer.BadParameter(f"{path}: .tsv or .jsonl", param_hint="--errors")
        self._path, self._options = path, options
        self._file: IO[str] | None = None
        self._tally: dict[str, Counter[tuple[str, str, str]]] = {}

    def __enter__(self) -> MistakeFile:
        if self._path:
            self._file = self._path.open("w", encoding="utf-8", newline="\n")
            if self._path.suffix == ".tsv":
                self._file.write("\t".join(FIELDS) + "\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file:
            self._file.close()

    def watching(self, system: str) -> Watch:
        """What sees the utterances of a system."""
        tally = self._tally.setdefault(system, Counter())

        def watch(utterance_id: str, reference: str, compared: Compared) -> None:
            if all(count.fp == count.fn == 0 for count in compared.per_tag.values()):
                return
            for one in mistakes(compared, surfaces(reference, self._options)):
                tally[one.kind, one.tag, one.found] += 1
                self._write(system, utterance_id, one)

        return watch

    def tally(self, system: str) -> Counter[tuple[str, str, str]]:
        """Mistakes of a system by kind, tag and the tag found instead."""
        return self._tally[system]

    def _write(self, system: str, utterance_id: str, one: Mistake) -> None:
        if self._file is None:
            return
        row = {"system": system, "utterance_id": utterance_id, **asdict(one)}
        if self._path and self._path.suffix == ".tsv":
            line = "\t".join(" ".join(str(row[name]).split()) for name in FIELDS)
        else:
            line = json.dumps(row, ensure_ascii=False)
        self._file.write(line + "\n")
