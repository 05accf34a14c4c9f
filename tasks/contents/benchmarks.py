"""Benchmarks as files of a release: CARES' items, and what is in WESR's sets."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from sonolake.cares.banks import default_banks
from sonolake.cares.benchmark import build_items, files_of, scenes_of
from sonolake.errors import Refused
from sonolake.releases import Config
from sonolake.wesr.sets.statistics import Entry
from tasks import wesr_sets


def benchmarks_of(configs: Sequence[Config], left_out: Mapping[str, int] | None = None) -> dict[str, bytes]:
    """Files by their path under ``benchmark/``: CARES' items, WESR's references and statistics, where they are."""
    found: dict[str, bytes] = {}
    for config in configs:
        if config.name == "cares" and "test" in config.splits:
            banks = default_banks()
            names = {event: sound.name for event, sound in banks.sounds.items()}
            items = build_items(scenes_of(config.splits["test"], names), banks)
            found |= {f"cares/{name}": data for name, data in files_of(items).items()}
    return found | _wesr({c.name: c for c in configs if c.name in _PARTS}, left_out or {})


_PARTS = {"wesr-bench": "benchmark", "wesr-train": "training"}


def _wesr(sets: Mapping[str, Config], left_out: Mapping[str, int]) -> dict[str, bytes]:
    """References to score against, tables and figures of the sets as they are released.

    Raises:
        Refused: when a source is in both sets.
    """
    rows = {
        _PARTS[name]: [row for _, t in config.ordered for row in _facts(t)] for name, config in sets.items()
    }
    if not rows:
        return {}
    sources = [{row["source_id"] for row in rows.get(part, [])} for part in ("benchmark", "training")]
    if both := sources[0] & sources[1]:
        raise Refused(
            f"in the training and the benchmark set: {sorted(both)[:3]} (run python -m flows wesr-sets)"
        )
    entries = {
        part: [Entry(r["written_by"], r["language"] or "", r["duration_s"], r["tagged_text"]) for r in found]
        for part, found in rows.items()
    }
    made = {f"wesr/{name}": text.encode() for name, text in wesr_sets.files_of(entries, left_out).items()}
    lines = [{"id": row["item_id"], "sentence": row["tagged_text"]} for row in rows.get("benchmark", [])]
    if lines:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        made["wesr/references.jsonl"] = text.encode()
    return made


def _facts(table: pa.Table) -> list[dict[str, Any]]:
    columns = ["item_id", "source_id", "written_by", "language", "duration_s", "tagged_text"]
    return list(table.select(columns).to_pylist())
