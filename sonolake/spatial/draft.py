"""A question before it has words: its kind, what it is about, the true value and three false ones; and its wording."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from sonolake.ids import rng_of
from sonolake.spatial.records import LETTERS, Question


@dataclass(frozen=True)
class Draft:
    """What a question asks and claims.

    Attributes:
        kind: its kind.
        values: four different claims, the first one true.
        arguments: what the question names.
        words: for values that are not shown as they are, the fields of the option's sentence.
    """

    kind: str
    values: tuple[str, str, str, str]
    arguments: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@cache
def phrasings() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Question and option sentences of each kind (``phrasings.json``)."""
    raw = json.loads(files(__package__).joinpath("phrasings.json").read_text(encoding="utf-8"))
    return {kind: {part: tuple(lines) for part, lines in parts.items()} for kind, parts in raw.items()}


def shown(event: str) -> str:
    """A class name as it is written in a sentence: no namespace (``kitchen/kettle``), blanks for underscores."""
    return event.rpartition("/")[2].replace("_", " ").strip()


def listing(events: tuple[str, ...]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    names = [shown(event) for event in events]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def worded(draft: Draft, clip_id: str, stage: int, dimension: str) -> Question:
    """The question in words; sentence, option sentences and the place of the truth are drawn from the clip and kind.

    In stage 1 each option has a sentence of its own, in stage 2 all four share one.
    """
    rng = rng_of(clip_id, f"words:{draft.kind}")
    lines = phrasings()[draft.kind]
    asked = lines["questions"][int(rng.integers(len(lines["questions"])))]
    order = [int(i) for i in rng.permutation(len(LETTERS))]
    one = int(rng.integers(len(lines["options"])))
    each = [int(i) for i in rng.permutation(len(lines["options"]))]
    picked = each if stage == 1 else [one] * len(LETTERS)
    values = [draft.values[i] for i in order]
    texts = [
        _sentence(lines["options"][line].format(**{"value": value, **draft.words.get(value, {})}))
        for line, value in zip(picked, values, strict=True)
    ]
    arguments = tuple(sorted(draft.arguments.items()))
    question = asked.format(**{name: shown(value) for name, value in arguments})
    a, b, c, d = texts
    return Question(
        clip_id=clip_id,
        stage=stage,
        dimension=dimension,
        kind=draft.kind,
        arguments=arguments,
        question=question,
        options=(a, b, c, d),
        values=(values[0], values[1], values[2], values[3]),
        answer=LETTERS[order.index(0)],
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
