"""What vocal events are mined with: for every tag three text queries and three audio queries, twice.

One set serves a benchmark, a different one training (WESR, sections 4.1 and 5.1). An audio query names classes of
AudioSet whose scores are added, or a sound that the lake has: ``"take:NAME"``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

from sonolake.errors import InvalidInput
from sonolake.wesr.taxonomy import TAGS, tag_of

Purpose = Literal["benchmark", "training"]
Modality = Literal["text", "audio"]
PER_LABEL = 3
"""Queries of each modality a tag (WESR, section 4.1)."""
TAKE = "take:"
"""What an audio query begins with that is a sound of the lake."""


@dataclass(frozen=True)
class Query:
    """One query.

    Attributes:
        query_id: ``<tag>/<purpose>/<modality>/<number from 1>``; of a file of one's own with ``@`` and a hash of the
            text, since two files may have different queries in one place.
        tag: the event it is for.
        modality: ``text`` or ``audio``.
        text: the sentence, the class names in words, or the take.
        classes: AudioSet class names of an audio query; empty for a text query and for a take.
        take: item or id of a sound of the lake that is the audio query; empty for others.
    """

    query_id: str
    tag: str
    purpose: Purpose
    modality: Modality
    text: str
    classes: tuple[str, ...] = ()
    take: str = ""


def load(purpose: Purpose, path: Path | None = None) -> tuple[Query, ...]:
    """The queries of a purpose, ordered by tag as in the taxonomy, text before audio.

    Args:
        purpose: ``benchmark`` or ``training``.
        path: a file of the shape of ``queries.json``; by default ours.

    Raises:
        InvalidInput: for another purpose, a file that cannot be read or has another shape, an unknown tag, a tag
            without three queries of each modality, or a query that stands in both sets.
    """
    if purpose not in get_args(Purpose):
        raise InvalidInput("purpose", f"one of {get_args(Purpose)}", purpose)
    source = path or files(__package__).joinpath("queries.json")
    try:
        rows = json.loads(source.read_text(encoding="utf-8"))["queries"]
        for name, sets in rows.items():
            _check(name, sets)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, InvalidInput):
            raise
        cause = f"{type(error).__name__}: {error}"
        raise InvalidInput(
            "query set", "a JSON file of the shape of queries.json", str(path), cause
        ) from None
    wanted = [tag.name for tag in TAGS if tag.name in rows]
    own = path is not None
    return tuple(query for name in wanted for query in _queries(name, purpose, rows[name][purpose], own))


def _check(name: str, sets: Mapping[str, Any]) -> None:
    tag_of(name)
    for modality in get_args(Modality):
        _check_shapes(f"{name} {modality}", modality, [sets[p][modality] for p in get_args(Purpose)])
        both = [{json.dumps(query) for query in sets[purpose][modality]} for purpose in get_args(Purpose)]
        if any(len(queries) != PER_LABEL for queries in both):
            raise InvalidInput(
                f"{name} {modality}", f"{PER_LABEL} different queries a set", [len(q) for q in both]
            )
        if both[0] & both[1]:
            raise InvalidInput(
                f"{name} {modality}", "different queries for benchmark and training", both[0] & both[1]
            )


def _check_shapes(what: str, modality: Modality, both: Sequence[Any]) -> None:
    """Let two sets pass whose text queries are sentences and whose audio queries are class names or takes."""
    for queries in both:
        for query in queries if isinstance(queries, list) else [None]:
            words = [query] if modality == "text" or _take_of(query) else query
            if not isinstance(words, list) or not words or not all(w and isinstance(w, str) for w in words):
                allowed = "sentences" if modality == "text" else f'lists of class names, or "{TAKE}NAME"'
                raise InvalidInput(what, f"a list of {allowed}", queries)


def _take_of(query: Any) -> str:
    """The sound that an audio query of a file names, or nothing."""
    return query.removeprefix(TAKE).strip() if isinstance(query, str) and query.startswith(TAKE) else ""


def _queries(name: str, purpose: Purpose, rows: Mapping[str, Any], own: bool) -> list[Query]:
    made = []
    for modality in get_args(Modality):
        for number, row in enumerate(rows[modality], start=1):
            take = _take_of(row) if modality == "audio" else ""
            classes = () if modality == "text" or take else tuple(row)
            text = ", ".join(classes) if classes else row
            mark = f"@{hashlib.sha256(text.encode()).hexdigest()[:8]}" if own else ""
            query_id = f"{name}/{purpose}/{modality}/{number}{mark}"
            made.append(Query(query_id, name, purpose, modality, text, classes, take))
    return made
