"""Dialogues by a chat model, checked and corrected until they pass."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from sonolake.cares.banks import Banks
from sonolake.cares.checker import check_rows
from sonolake.cares.findings import Finding
from sonolake.cares.records import Scenario, Template, Timeline
from sonolake.cares.writers.prompts import SCHEMA, SYSTEM, VERSION, brief, correction
from sonolake.errors import ItemRefused, LimitReached
from sonolake.models.chat import Answer, Ask, Asker, Message

ATTEMPTS = 4
"""How often a dialogue is asked for, the first time included."""
MAX_TOKENS = 4000
TEMPERATURE = 1.0
_SEPARATOR = "\n\n"
"""Between a brief and what is said of an attempt that brought nothing."""


@dataclass(frozen=True)
class Written:
    """What became of many scenarios: dialogues and refusals by scenario id, and why the run ended early, if it did."""

    timelines: Mapping[str, Timeline]
    refused: Mapping[str, ItemRefused]
    stopped: str = ""


class ChatWriter:
    """A chat model as writer.

    Args:
        asker: the model, with its memory, pace and budget.
        banks: sounds, registers, tags, places.
        length: ``paper`` or ``short``.
        attempts: how often a dialogue is asked for at most.
    """

    def __init__(self, asker: Asker, banks: Banks, length: str = "paper", attempts: int = ATTEMPTS) -> None:
        self._asker, self._banks, self._length, self._attempts = asker, banks, length, attempts

    @property
    def name(self) -> str:
        """``chat:SPEC`` with the version of the prompt."""
        return f"chat:{self._asker.model.spec} {VERSION}"

    def first_ask(self, scenario: Scenario, template: Template) -> Ask:
        """What is sent first for a scenario."""
        return _ask((Message("user", brief(scenario, template, self._banks, self._length)),))

    def write(self, scenario: Scenario, template: Template) -> Timeline:
        """The first dialogue that passes; what the checker found in one is fed back for the next."""
        ask = self.first_ask(scenario, template)
        found: list[Finding] = []
        for attempt in range(1, self._attempts + 1):
            text, timeline = "", None
            try:
                text = self._asker.ask(ask).text
            except ItemRefused as refused:
                if refused.reason == "rejected":
                    raise
                found = [Finding("bad_item", refused.detail)]
            else:
                timeline, found = self._read(text, scenario)
            if timeline is not None and not found:
                return timeline
            ask = self._again(ask, text, found, attempt)
        raise ItemRefused("dialogue_rejected", f"{self._attempts} attempts, the last with {found[0]}")

    def write_many(
        self, scenarios: Sequence[Scenario], templates: Mapping[str, Template], workers: int = 4
    ) -> Written:
        """Dialogues of many scenarios, several at a time; at the budget what is done is given back.

        Args:
            scenarios: to be written.
            templates: by id.
            workers: scenarios written at the same time.
        """
        timelines: dict[str, Timeline] = {}
        refused: dict[str, ItemRefused] = {}
        stopped = ""

        def one(scenario: Scenario) -> Timeline | ItemRefused | LimitReached:
            try:
                return self.write(scenario, templates[scenario.template_id])
            except (ItemRefused, LimitReached) as error:
                return error

        with ThreadPoolExecutor(workers) as pool:
            for scenario, found in zip(scenarios, pool.map(one, scenarios), strict=True):
                if isinstance(found, LimitReached):
                    stopped = str(found)
                elif isinstance(found, ItemRefused):
                    refused[scenario.scenario_id] = found
                else:
                    timelines[scenario.scenario_id] = found
        return Written(timelines, refused, stopped)

    def write_in_batches(
        self, scenarios: Sequence[Scenario], templates: Mapping[str, Template], every_s: float = 60.0
    ) -> Written:
        """The same through the provider's batches: one for all, then one for those that need another attempt.

        Args:
            scenarios: to be written.
            templates: by id.
            every_s: how often the provider is asked whether a batch is done.
        """
        by_id = {scenario.scenario_id: scenario for scenario in scenarios}
        asks = {s.scenario_id: self.first_ask(s, templates[s.template_id]) for s in scenarios}
        timelines: dict[str, Timeline] = {}
        refused: dict[str, ItemRefused] = {}
        for attempt in range(1, self._attempts + 1):
            if not asks:
                break
            asked = self._asker.ask_in_batch(asks, every_s)
            again: dict[str, Ask] = {}
            for name, answer in asked.answers.items():
                text, timeline, found = self._taken(answer, by_id[name])
                if timeline is not None and not found:
                    timelines[name] = timeline
                    refused.pop(name, None)
                else:
                    refused[name] = ItemRefused("dialogue_rejected", str(found[0]))
                    again[name] = self._again(asks[name], text, found, attempt)
            if asked.limit:
                final = {name: refusal for name, refusal in refused.items() if name not in asks}
                return Written(timelines, final, str(asked.limit))
            asks = again
        return Written(timelines, refused)

    def _taken(
        self, answer: Answer | ItemRefused, scenario: Scenario
    ) -> tuple[str, Timeline | None, list[Finding]]:
        if isinstance(answer, ItemRefused):
            return "", None, [Finding("bad_item", answer.detail)]
        return answer.text, *self._read(answer.text, scenario)

    def _read(self, text: str, scenario: Scenario) -> tuple[Timeline | None, list[Finding]]:
        try:
            data: Any = json.loads(_bare(text))
        except ValueError:
            return None, [Finding("bad_item", "that was no JSON")]
        rows = data.get("items") if isinstance(data, dict) else data
        if isinstance(rows, list):
            rows = [_row(row) for row in rows]
        return check_rows(rows, scenario, self._banks, self._length)

    def _again(self, ask: Ask, text: str, findings: Sequence[Finding], attempt: int) -> Ask:
        """The first message with the last answer and what was wrong with it, and nothing in between."""
        first, told = ask.messages[0], correction(findings, attempt)
        if text.strip():
            return _ask((first, Message("assistant", text), Message("user", told)))
        brief_alone = first.text.partition(_SEPARATOR)[0]
        return _ask((Message("user", f"{brief_alone}{_SEPARATOR}{told}"),))


def _ask(messages: tuple[Message, ...]) -> Ask:
    return Ask(SYSTEM, messages, SCHEMA, MAX_TOKENS, TEMPERATURE)


def _bare(text: str) -> str:
    """JSON without the fence that models put around it."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```"):
        text = text[3:-3].removeprefix("json").strip()
    return text


def _row(row: Any) -> Any:
    """An item of the answer in the interchange form: the fields that are not its own left out when they are empty."""
    if not isinstance(row, dict):
        return row
    own = {"utterance": ("type", "speaker", "text"), "event": ("type", "event_id")}.get(
        row.get("type", ""), ()
    )
    return {name: value for name, value in row.items() if name in own or value not in ("", None)}
