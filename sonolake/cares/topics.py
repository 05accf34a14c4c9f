"""A topic for each scenario: what the two talk about, in one sentence of 6 to 60 words."""

from __future__ import annotations

from sonolake.cares.phrases import capitalise, fill
from sonolake.cares.records import Template
from sonolake.ids import rng_of

_LINES = (
    "What to do about {thing} that {trouble}, <whether it is better to|and whether to> {fix1} or {fix2}",
    "{thing} {trouble}, and <the two weigh whether|it is open whether> to {fix1} or to {fix2}",
    "Whether to {fix1} or to {fix2}, <given that|now that> {thing} {trouble}",
    "How to deal with {thing}, which {trouble}, and <why it may be best|what speaks for it> to {fix1}",
)


def write_topic(template: Template, slot_id: str) -> str:
    """The topic of one scenario; a template without details gives its description."""
    details = dict(template.details)
    if not {"thing", "trouble", "fix1", "fix2"} <= set(details):
        return template.description
    rng = rng_of(slot_id, "topic")
    line = _LINES[int(rng.integers(len(_LINES)))]
    return capitalise(fill(line, details.__getitem__, rng)) + "."
