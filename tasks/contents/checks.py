"""What is looked for in the content of a release: whether RMS-AQA questions can be answered without listening."""

from __future__ import annotations

from collections.abc import Iterable

from sonolake.releases import Check, Config
from sonolake.spatial.benchmark.blindness import blindness, cells, verdict
from sonolake.spatial.benchmark.files import record_of


def checks_of(configs: Iterable[Config]) -> tuple[Check, ...]:
    """A table a split with questions."""
    return tuple(
        blindness_check(f"Answers without listening, {split}", table.select(_COLUMNS).to_pylist())
        for config in configs
        if config.name == "rms-aqa"
        for split, table in config.ordered
        if table.num_rows
    )


def blindness_check(title: str, rows: Iterable[dict[str, object]]) -> Check:
    """What predictors that hear nothing reach on the questions of these rows."""
    findings = blindness([record_of(row) for row in rows])
    head, *lines = cells(findings)
    return Check(
        title, f"{verdict(findings)}. What beats it is marked with !.", tuple(head), tuple(map(tuple, lines))
    )


_COLUMNS = ["item_id", "origin", "events", "questions"]
