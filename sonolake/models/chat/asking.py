"""A chat model with a memory, a pace and a budget: what was answered once is not paid for again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from sonolake.errors import ItemRefused, LimitReached
from sonolake.models.chat.messages import Answer, AnswerRefused, Ask, BatchModel, ChatModel
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


@dataclass(frozen=True)
class InBatches:
    """Answers by id, and the limit that was reached before all were asked for."""

    answers: Mapping[str, Answer | ItemRefused]
    limit: LimitReached | None = None


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
        self.meter.reserve(ask)
        used: Answer | None = None
        try:
            self._pacer.wait(ask.size + ask.max_tokens)
            used = answer = self.model.complete(ask)
        except AnswerRefused as refused:
            used = refused.answer
            raise
        finally:
            self.meter.settle(ask, used)
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
    ) -> InBatches:
        """Answers by id through the provider's batches; a run that ends takes up the batch that it handed in.

        One batch holds what the budget allows at most; what its answers leave of that goes into the next one.

        Args:
            asks: by an id of up to 64 letters, digits, ``-`` and ``_``.
            every_s: how often the provider is asked whether it is done.
            pause: waits so many seconds.

        Raises:
            Refused: for a model without batches.
        """
        found: dict[str, Answer | ItemRefused] = {}
        for name, ask in asks.items():
            if kept := self.kept(ask):
                self.meter.found()
                found[name] = kept
        while todo := {name: ask for name, ask in asks.items() if name not in found}:
            try:
                batch, some = self._handed_in(todo) or self._hand_in(todo)
            except LimitReached as limit:
                return InBatches(found, limit)
            found.update(self._collected(batch, some, every_s, pause))
        return InBatches(found)

    def _handed_in(self, todo: Mapping[str, Ask]) -> tuple[str, dict[str, Ask]] | None:
        """A batch that an earlier run handed in and did not see the end of, with what it asks."""
        of = {name: self._answers.get(self._pending(ask)) for name, ask in todo.items()}
        batch = next(filter(None, of.values()), None)
        if batch is None:
            return None
        some = {name: ask for name, ask in todo.items() if of[name] == batch}
        for ask in some.values():
            self.meter.sent(ask)
        return batch, some

    def _hand_in(self, todo: Mapping[str, Ask]) -> tuple[str, dict[str, Ask]]:
        """A new batch of as much as the budget allows.

        Raises:
            LimitReached: when it allows nothing.
        """
        model: BatchModel = self.model  # type: ignore[assignment]
        some: dict[str, Ask] = {}
        for name, ask in todo.items():
            try:
                self.meter.reserve(ask)
            except LimitReached:
                if not some:
                    raise
                break
            some[name] = ask
        batch = model.submit(some)
        for ask in some.values():
            self._answers.put(self._pending(ask), batch)
        return batch, some

    def _collected(
        self, batch: str, some: Mapping[str, Ask], every_s: float, pause: Callable[[float], object]
    ) -> dict[str, Answer | ItemRefused]:
        model: BatchModel = self.model  # type: ignore[assignment]
        while (collected := model.collect(batch)) is None:
            pause(every_s)
        found: dict[str, Answer | ItemRefused] = {}
        for name, ask in some.items():
            found[name] = answer = collected.get(name, ItemRefused("no_answer", "the batch holds no answer"))
            self.meter.settle(ask, _used(answer))
            if isinstance(answer, Answer):
                self.keep(ask, answer)
            self._answers.put(self._pending(ask), "")
        return found

    def _pending(self, ask: Ask) -> str:
        """What the batch that holds a question is kept under until it is collected."""
        return f"batch of {ask.key(self.model.spec)}"


def _used(answer: Answer | ItemRefused) -> Answer | None:
    if isinstance(answer, Answer):
        return answer
    return answer.answer if isinstance(answer, AnswerRefused) else None
