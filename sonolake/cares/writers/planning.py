"""Before a large run: what it may cost, and five dialogues to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sonolake.cares.records import Scenario, Template, Timeline
from sonolake.cares.writers.chat import ChatWriter, Written
from sonolake.models.chat import Meter, Spent, estimate

PREVIEWED = 5
ANSWER_TOKENS = 1100
"""Tokens of a dialogue of two minutes as JSON, before any was seen."""


@dataclass(frozen=True)
class Plan:
    """A run to come.

    Attributes:
        scenarios: how many.
        guess: what they may use, worked out from the previews where there are any; corrections included.
        previews: dialogues by scenario id, of the first scenarios; they are kept and not paid for again.
        refused: previews that did not pass.
        spent: what the previews cost.
    """

    scenarios: int
    guess: Spent
    previews: Mapping[str, Timeline]
    refused: Mapping[str, str]
    spent: Spent


def plan_run(
    writer: ChatWriter,
    meter: Meter,
    scenarios: Sequence[Scenario],
    templates: Mapping[str, Template],
    previews: int = PREVIEWED,
) -> Plan:
    """A plan with its previews.

    Args:
        writer: the chat writer.
        meter: of its asker.
        scenarios: of the whole run.
        templates: by id.
        previews: how many to write now; 0 sends nothing.
    """
    first, before = list(scenarios[:previews]), meter.spent
    written = writer.write_many(first, templates) if first else Written({}, {})
    asks = [writer.first_ask(s, templates[s.template_id]) for s in scenarios]
    used = meter.spent.since(before)
    per_answer = used.output_tokens // used.requests if used.requests else ANSWER_TOKENS
    guess = estimate(asks, per_answer, meter.price)
    if used.requests and first:
        rounds = used.requests / len(first)
        guess = Spent(
            round(guess.requests * rounds),
            0,
            round(guess.input_tokens * rounds),
            round(guess.output_tokens * rounds),
            guess.cost * rounds,
        )
    refused = {name: refusal.detail for name, refusal in written.refused.items()}
    return Plan(len(scenarios), guess, written.timelines, refused, used)
