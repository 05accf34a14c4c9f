"""The scorer of RMS-AQA as a program of its own: what ``sonolake score rms-aqa --resamples 0 --json`` prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sonolake.spatial.benchmark.predictions import read_predictions
from sonolake.spatial.benchmark.records import Query, Record
from sonolake.spatial.benchmark.scoring import score

USAGE = "python score_rms_aqa.py RECORDS.jsonl PREDICTIONS.jsonl"


def record_from(row: Mapping[str, Any]) -> Record:
    """A record from its line."""
    return Record(**{**row, "stage_1": Query(**row["stage_1"]), "stage_2": Query(**row["stage_2"])})


def records_in(path: Path) -> list[Record]:
    """The records of a benchmark, a line each."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [record_from(json.loads(line)) for line in lines if line.strip()]


def main(arguments: Sequence[str]) -> int:
    """Score a file; 1 when answers in it were not taken, 2 when it was called wrongly."""
    if len(arguments) != 2:
        sys.stderr.write(f"usage: {USAGE}\n")
        return 2
    records, path = records_in(Path(arguments[0])), Path(arguments[1])
    read = read_predictions(path, records)
    for one in read.troubles:
        sys.stderr.write(f"{path}, {one.where}: not taken: {one.why}\n")
    made = asdict(score(path.stem, records, read, 0))
    sys.stdout.write(json.dumps(made, ensure_ascii=False, indent=2) + "\n")
    return int(bool(read.troubles))
