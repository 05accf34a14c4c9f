"""What a run costs: tokens counted, money worked out, and a budget at which it stops."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock

from sonolake.errors import InvalidInput, LimitReached
from sonolake.models.chat.messages import Answer, Ask


@dataclass(frozen=True)
class Price:
    """Money for a million tokens of questions and of answers, in one currency."""

    input_per_million: float = 0.0
    output_per_million: float = 0.0

    def __post_init__(self) -> None:
        if self.input_per_million < 0 or self.output_per_million < 0:
            raise InvalidInput("price", "0 or more for a million tokens", vars(self))

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost."""
        return (input_tokens * self.input_per_million + output_tokens * self.output_per_million) / 1e6


@dataclass(frozen=True)
class Spent:
    """What was used: requests sent, answers that were there already, tokens, money."""

    requests: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0

    def since(self, before: Spent) -> Spent:
        """What was used after ``before``."""
        return Spent(
            self.requests - before.requests,
            self.cached - before.cached,
            self.input_tokens - before.input_tokens,
            self.output_tokens - before.output_tokens,
            self.cost - before.cost,
        )


class Meter:
    """Counts, from any thread, and says stop before the budget is passed.

    Args:
        price: of the model.
        budget: money that may be spent; None for no limit.
        before: what was used already and counts.
    """

    def __init__(
        self, price: Price | None = None, budget: float | None = None, before: Spent | None = None
    ) -> None:
        self.price, self.budget = price or Price(), budget
        if budget is not None and not (self.price.input_per_million or self.price.output_per_million):
            raise InvalidInput("budget", "a price with it, or nothing would ever count", budget)
        self._spent, self._reserved, self._lock = before or Spent(), 0.0, Lock()

    @property
    def spent(self) -> Spent:
        """What was used so far."""
        return self._spent

    def reserve(self, ask: Ask) -> None:
        """Set aside what a request may cost at most.

        Raises:
            LimitReached: when that would pass the budget.
        """
        with self._lock:
            most = self._most(ask)
            if self.budget is not None and self._spent.cost + self._reserved + most > self.budget:
                raise LimitReached(
                    f"the budget of {self.budget:g} is reached: {self._spent.cost:.4f} are spent; a larger one goes on "
                    "where this ends"
                )
            self._reserved += most

    def sent(self, ask: Ask) -> None:
        """Set the same aside for a request that an earlier run sent: it is to be paid for whatever the budget."""
        with self._lock:
            self._reserved += self._most(ask)

    def settle(self, ask: Ask, answer: Answer | None) -> None:
        """Count a request that was sent with what came back, and give back what was set aside for it.

        Where a provider counts no tokens, they are guessed from the length of the question and of the answer.
        """
        given = (0, 0) if answer is None else _tokens(ask, answer)
        with self._lock:
            self._reserved -= self._most(ask)
            s = self._spent
            self._spent = Spent(
                s.requests + 1,
                s.cached,
                s.input_tokens + given[0],
                s.output_tokens + given[1],
                s.cost + self.price.of(*given),
            )

    def _most(self, ask: Ask) -> float:
        return self.price.of(ask.size, ask.max_tokens)

    def found(self) -> None:
        """Count an answer that was there already."""
        with self._lock:
            s = self._spent
            self._spent = Spent(s.requests, s.cached + 1, s.input_tokens, s.output_tokens, s.cost)


def _tokens(ask: Ask, answer: Answer) -> tuple[int, int]:
    if answer.input_tokens or answer.output_tokens:
        return answer.input_tokens, answer.output_tokens
    return ask.size, len(answer.text) // 4


def estimate(asks: Iterable[Ask], answer_tokens: int, price: Price) -> Spent:
    """What requests may use when an answer has ``answer_tokens``: a guess from their length, nothing is sent."""
    sizes = [ask.size for ask in asks]
    tokens = sum(sizes), len(sizes) * answer_tokens
    return Spent(len(sizes), 0, *tokens, price.of(*tokens))
