"""The YAML head of a card, as the Hugging Face hub reads it. JSON strings are YAML strings, so those are used."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sonolake.errors import Damaged
from sonolake.releases.licences import hub_licence, licence_urls
from sonolake.releases.records import Content

_CONFIGS = "configs"
_SPDX = "https://spdx.org/licenses/"
"""Where the texts of an expression's licences are: the hub takes a file ``LICENSE`` or one address."""
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
)


def front_matter(content: Content) -> str:
    """The head, dashes included."""
    rows = sum(c.rows for c in content.configs)
    tasks = sorted({t for c in content.configs for t in c.task_categories})
    head: dict[str, Any] = {"pretty_name": content.title, "license": hub_licence(content.licence)}
    if head["license"] == "other":
        texts = licence_urls(content.licence)
        name = content.licence.lower().replace(" ", "-")
        head |= {"license_name": name, "license_link": texts[0] if len(texts) == 1 else _SPDX}
    head |= {"language": list(content.languages)} if content.languages else {}
    head |= {"size_categories": [_size(rows)], "tags": list(content.tags)}
    head |= {"task_categories": tasks} if tasks else {}
    head[_CONFIGS] = _configs({c.name: [split for split, _ in c.ordered] for c in content.configs})
    return "---\n" + "".join(_lines(head, 0)) + "---\n"


def narrowed(card: str, kept: Mapping[str, Sequence[str]]) -> str:
    """A card whose head names these splits by config alone; the rest of it, counts included, is of the whole.

    Raises:
        Damaged: when the card has no head.
    """
    before, mark, after = card.partition(f"\n{_CONFIGS}:\n")
    _, end, rest = after.partition("\n---\n")
    if not (mark and end and before.startswith("---\n")):
        raise Damaged("the card has no head that lists its configs")
    return f"{before}\n{''.join(_lines({_CONFIGS: _configs(kept)}, 0))}---\n{rest}"


def _size(rows: int) -> str:
    return next((name for limit, name in _SIZES if rows < limit), "100M<n<1B")


def _configs(kept: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    entries = [
        {
            "config_name": name,
            "data_files": [{"split": s, "path": f"data/{name}/{s}-*.parquet"} for s in splits],
        }
        for name, splits in kept.items()
    ]
    return [entries[0] | {"default": True}, *entries[1:]]


def _lines(mapping: dict[str, Any], depth: int) -> list[str]:
    pad = "  " * depth
    lines = []
    for key, value in mapping.items():
        if not isinstance(value, list):
            lines.append(f"{pad}{key}: {json.dumps(value, ensure_ascii=False)}\n")
            continue
        lines.append(f"{pad}{key}:\n")
        for element in value:
            if isinstance(element, dict):
                inner = _lines(element, depth + 1)
                lines += [f"{pad}- {inner[0].lstrip()}", *inner[1:]]
            else:
                lines.append(f"{pad}- {json.dumps(element, ensure_ascii=False)}\n")
    return lines
