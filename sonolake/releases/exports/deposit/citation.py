"""``CITATION.cff``, version 1.2.0 of the format, for a data set. JSON strings are YAML strings, so those are used."""

from __future__ import annotations

import json
from typing import Any

from sonolake.releases.exports.deposit.facts import Facts


def citation_cff(facts: Facts) -> str:
    """The file.

    The format's ``license`` takes one SPDX id (a list means a choice); of several that hold side by side the abstract
    tells.
    """
    made: dict[str, Any] = {
        "cff-version": "1.2.0",
        "type": "dataset",
        "message": "If you use this data set, please cite it as below.",
        "title": facts.title,
        "abstract": _abstract(facts),
        "authors": [{"name": facts.creator}],
        "version": facts.about.version,
        "date-released": facts.about.date,
    }
    if facts.keywords:
        made["keywords"] = list(facts.keywords)
    if facts.spdx:
        made["license"] = facts.spdx
    if facts.url:
        made["url"] = facts.url
    if facts.doi:
        made["doi"] = facts.doi
    made["identifiers"] = [
        {
            "type": "other",
            "value": f"sha256:{facts.about.manifest_sha256}",
            "description": f"SHA-256 of manifest.parquet of {facts.about.release}",
        }
    ]
    return "".join(_lines(made))


def _abstract(facts: Facts) -> str:
    several = "" if facts.spdx else f" Items are under {', '.join(facts.licences)}, each under its own."
    return f"{facts.summary}{several}"


def _lines(mapping: dict[str, Any]) -> list[str]:
    lines = []
    for key, value in mapping.items():
        if not isinstance(value, list):
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}\n")
            continue
        lines.append(f"{key}:\n")
        for element in value:
            inner = element.items() if isinstance(element, dict) else ()
            pairs = [f"{k}: {json.dumps(v, ensure_ascii=False)}\n" for k, v in inner]
            written = pairs or [f"{json.dumps(element, ensure_ascii=False)}\n"]
            lines += [f"  - {written[0]}", *(f"    {line}" for line in written[1:])]
    return lines
