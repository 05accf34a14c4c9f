"""Benchmarks as files of a release: items are built from its test split, once."""

from __future__ import annotations

from collections.abc import Iterable

from sonolake.cares.banks import default_banks
from sonolake.cares.benchmark import build_items, files_of, scenes_of
from sonolake.releases import Config


def benchmarks_of(configs: Iterable[Config]) -> dict[str, bytes]:
    """Files by their path under ``benchmark/``: CARES' items, where the release has scenes to test on."""
    found: dict[str, bytes] = {}
    for config in configs:
        if config.name == "cares" and "test" in config.splits:
            banks = default_banks()
            names = {event: sound.name for event, sound in banks.sounds.items()}
            items = build_items(scenes_of(config.splits["test"], names), banks)
            found |= {f"cares/{name}": data for name, data in files_of(items).items()}
    return found
