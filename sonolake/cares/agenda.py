"""Who does what in which turn: the acts of a dialogue, as questions with their answers around what is decided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ANSWERS = {
    "partner.open": "owner.tell",
    "partner.ask_since": "owner.since",
    "partner.ask_tried": "owner.tried",
    "partner.ask_who": "owner.who",
    "partner.ask_worry": "owner.worry",
    "partner.ask_hope": "owner.hope",
    "partner.suggest": "owner.object",
    "partner.suggest_again": "owner.weigh",
    "partner.push": "owner.yield",
    "partner.compare": "owner.lean",
    "partner.plan": "owner.plan",
}
"""What each act of the partner draws from the owner."""
OF_THE_LOSER = frozenset({"partner.suggest", "owner.object"})
"""Acts about the way that is not taken; those about the other way come after them."""
OF_THE_WINNER = frozenset(
    {
        *("partner.suggest_again", "owner.weigh", "partner.push", "owner.yield", "partner.compare"),
        *("owner.lean", "partner.plan", "owner.plan", "partner.nudge", "owner.close", "partner.close"),
    }
)
_INFORMING = ("partner.ask_tried", "partner.ask_who", "partner.ask_worry", "partner.ask_hope")
_DECIDING = ("partner.push", "partner.compare", "partner.plan")


@dataclass(frozen=True)
class Turn:
    """One turn: its index, whether the owner speaks, its act (empty in talk about a pivot), and whether it returns."""

    index: int
    owner: bool
    act: str
    returns: bool = False


def agenda(count: int, owner_first: bool, pivot: range, rng: np.random.Generator) -> list[Turn]:
    """The turns of a dialogue.

    Args:
        count: utterances.
        owner_first: whether the owner opens.
        pivot: the turns that are about a pivot; empty without one.
        rng: draws the questions.
    """
    owns = [(index % 2 == 0) == owner_first for index in range(count)]
    asks = [i for i in range(1, count - 2) if not owns[i] and i not in pivot and i + 1 not in pivot]
    queue = _questions(len(asks), rng)
    turns: list[Turn] = []
    pending = ""
    for index in range(count):
        returns = index > 0 and index not in pivot and index - 1 in pivot
        act = "" if index in pivot else _act(index, count, owns[index], pending, index in asks, queue)
        turns.append(Turn(index, owns[index], act, returns))
        pending = ANSWERS.get(act, "")
    return turns


def _act(index: int, count: int, owner: bool, pending: str, asks: bool, queue: list[str]) -> str:
    role = "owner" if owner else "partner"
    if index == 0:
        return f"{role}.open"
    if index == count - 1:
        return f"{role}.close"
    if owner:
        return pending or "owner.state"
    if asks:
        return queue.pop(0)
    return "partner.nudge" if index == count - 2 else "partner.state"


def _questions(count: int, rng: np.random.Generator) -> list[str]:
    """The partner's acts in an order that leads from what is the matter to what is decided."""
    if count <= 1:
        return ["partner.suggest_again"][:count]
    first = "partner.ask_since" if rng.random() < 0.6 else "partner.ask_tried"
    if count == 2:
        return [first, "partner.suggest_again"]
    informing = [act for act in _INFORMING if act != first]
    informing = [informing[i] for i in rng.permutation(len(informing))]
    deciding = list(_DECIDING)
    early: list[str] = []
    middle: list[str] = []
    late: list[str] = []
    for extra in range(count - 3):
        target = (late, middle, early)[(extra + int(rng.integers(3))) % 3]
        if target is late and len(late) < len(deciding):
            late.append(deciding[len(late)])
        elif informing:
            (middle if target is late else target).append(informing.pop())
        elif len(late) < len(deciding):
            late.append(deciding[len(late)])
        else:
            late.append("partner.state")
    return [first, *early, "partner.suggest", *middle, "partner.suggest_again", *late]
