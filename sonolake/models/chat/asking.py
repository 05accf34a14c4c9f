"""A chat model with a memory, a pace and a budget: what was answered once is not paid for again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Protocol

from sonolake.errors import ItemRefused
from sonolake.models.chat.messages import Answer, Ask, BatchModel, ChatModel
from sonolake.models.chat.pacing import Pacer
from sonolake.models.chat.spending import Meter


class Answers(Protocol):
    """Where answers are kept, by the hash of their question."""

    def get(self, key: str) -> str | None:
        """What is kept under a key."""

    def put(self, key: str, value: str) -> None:
        """Keep a value; it is there when this returns."""


class InMemory:
    """Answers that last as long as the process."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        """What is kept under a key."""
        return self.kept.get(key)

    def put(self, key: str, value: str) -> None:
        """Keep a value."""
        self.kept[key] = value


class Asker:
    """Asks a model what it was not asked before.

    Args:
        model: behind an endpoint.
        answers: where they are kept.
        pacer: our own rate limits.
        meter: counts tokens and money, and ends at the budget.
    """

    def __init__(
        self,
        model: ChatModel,
        answers: Answers | None = None,
        pacer: Pacer | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.model, self.meter = model, meter or Meter()
        self._answers, self._pacer = answers or InMemory(), pacer or Pacer()

    def ask(self, ask: Ask) -> Answer:
        """The answer, from memory or from the model.

        Raises:
            LimitReached: before the budget is passed.
            Refused, ItemRefused, Unreachable: as the model says.
        """
        if kept := self.kept(ask):
            self.meter.found()
            return kept
        reserved = self.meter.reserve(ask)
        answer: Answer | None = None
        try:
            self._pacer.wait(ask.size + ask.max_tokens)
            answer = self.model.complete(ask)
        finally:
            self.meter.settle(reserved, answer)
        self.keep(ask, answer)
        return answer

    def kept(self, ask: Ask) -> Answer | None:
        """The answer that is there already."""
        text = self._answers.get(ask.key(self.model.spec))
        return Answer(**json.loads(text)) if text else None

    def keep(self, ask: Ask, answer: Answer) -> None:
        """Remember an answer."""
        self._answers.put(ask.key(self.model.spec), json.dumps(vars(answer), ensure_ascii=False))

    def ask_in_batch(
        self, asks: Mapping[str, Ask], every_s: float = 60.0, pause: Callable[[float], object] = time.sleep
    ) -> dict[str, Answer | ItemRefused]:
        """Answers by id through the provider's batches; a run that ends takes up the batch that it handed in.

        Args:
            asks: by an id of up to 64 letters, digits, ``-`` and ``_``.
            every_s: how often the provider is asked whether it is done.
            pause: waits so many seconds.

        Raises:
            LimitReached: when the batch could pass the budget.
            Refused: for a model without batches.
        """
        found: dict[str, Answer | ItemRefused] = {}
        for name, ask in asks.items():
            if kept := self.kept(ask):
                self.meter.found()
                found[name] = kept
        todo = {name: ask for name, ask in asks.items() if name not in found}
        if todo:
            found.update(self._batch(todo, every_s, pause))
        return found

    def _batch(
        self, todo: Mapping[str, Ask], every_s: float, pause: Callable[[float], object]
    ) -> dict[str, Answer | ItemRefused]:
        model: BatchModel = self.model  # type: ignore[assignment]
        reserved = {name: self.meter.reserve(ask) for name, ask in todo.items()}
        pending = f"batch {sorted(ask.key(model.spec) for ask in todo.values())}"
        batch = self._answers.get(pending)
        if not batch:
            batch = model.submit(todo)
            self._answers.put(pending, batch)
        while (collected := model.collect(batch)) is None:
            pause(every_s)
        found: dict[str, Answer | ItemRefused] = {}
        for name, ask in todo.items():
            answer = collected.get(name, "the batch holds no answer")
            self.meter.settle(reserved[name], answer if isinstance(answer, Answer) else None)
            if isinstance(answer, Answer):
                self.keep(ask, answer)
                found[name] = answer
            else:
                found[name] = ItemRefused("no_answer", answer)
        return found
