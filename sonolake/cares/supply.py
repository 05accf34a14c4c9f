"""The phrases of one dialogue: each is said once, and what belongs together stays together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sonolake.cares.banks import Fix, Matter, Person
from sonolake.cares.topics import Angle

ECHOED = ("hope", "sign", "fact")
"""Phrases of the owner that a partner may take up."""


class Deck:
    """Draws from a list without replacement, and begins again when it is used up."""

    def __init__(self, cards: Sequence[str], rng: np.random.Generator) -> None:
        self._cards, self._rng = list(cards), rng
        self._left: list[str] = []

    def draw(self) -> str:
        """The next card."""
        if not self._left:
            self._left = [self._cards[i] for i in self._rng.permutation(len(self._cards))]
        return self._left.pop()


@dataclass
class Stock:
    """Phrases that are said once: ``left`` shrinks."""

    left: list[str]

    def take(self) -> str:
        """The next phrase."""
        return self.left.pop(0)

    def __len__(self) -> int:
        return len(self.left)


@dataclass
class Option:
    """A way out with what is left to say for and against it, and what was said last."""

    fix: Fix
    pros: Stock
    cons: Stock
    said_pro: str = ""
    said_con: str = ""


@dataclass
class Voice:
    """A person with the opinions that are left to report."""

    who: str
    says: Stock


@dataclass
class Supply:
    """Everything that can still be said.

    Attributes:
        thing, trouble: of the template.
        winner, loser, others: the ways out; the dialogue comes to the winner.
        people: those with opinions, in the order in which they come up.
        facts, signs, since, stories, worries, hopes: said once each.
        whens, slips: may come again.
        why, here: why the owner turns to the partner, and how people begin to talk at the place.
        way: which of all templates of the matter this is, from 0, and how many there are.
        said: the last phrase of each kind of :data:`ECHOED` that was said and not yet taken up.
    """

    thing: str
    trouble: str
    winner: Option
    loser: Option
    others: list[Option]
    people: list[Voice]
    facts: Stock
    signs: Stock
    since: Stock
    stories: Stock
    worries: Stock
    hopes: Stock
    whens: Deck
    slips: Deck
    why: Stock = field(default_factory=lambda: Stock([]))
    here: Stock = field(default_factory=lambda: Stock([]))
    way: tuple[int, int] = (0, 1)
    said: dict[str, str] = field(default_factory=lambda: dict.fromkeys(ECHOED, ""))


def supply_of(
    matter: Matter,
    trouble: str,
    angle: Angle,
    why: Sequence[str],
    here: Sequence[str],
    avoid: Sequence[str],
    rng: np.random.Generator,
) -> Supply:
    """The phrases of a matter in an order drawn for one dialogue.

    Args:
        matter: of the bank.
        trouble: the template's.
        angle: the scenario's.
        why: why the owner turns to the partner.
        here: how people begin to talk at the place.
        avoid: kinds of people that are not spoken of: one of them is in the talk.
        rng: draws.
    """
    barred = re.compile(rf"\b({'|'.join(map(re.escape, avoid))})\b") if avoid else None

    def stock(phrases: Iterable[str], first: str = "") -> Stock:
        able = [p for p in phrases if not (barred and barred.search(p))]
        order = [able[i] for i in rng.permutation(len(able))]
        return Stock([p for p in order if p == first] + [p for p in order if p != first])

    def option(fix: Fix) -> Option:
        return Option(fix, stock(fix.pros), stock(fix.cons))

    def voices(people: Sequence[Person]) -> list[Voice]:
        able = [p for p in people if not (barred and barred.search(p.who))]
        return [Voice(able[i].who, stock(able[i].says)) for i in rng.permutation(len(able))]

    fixes = {fix.do: option(fix) for fix in matter.fixes}
    wrong = next(t for t in matter.troubles if t.trouble == trouble)
    others = [o for do, o in fixes.items() if do not in (angle.winner, angle.loser)]
    return Supply(
        thing=matter.thing,
        trouble=trouble,
        winner=fixes[angle.winner],
        loser=fixes[angle.loser],
        others=[
            o
            for o in (others[i] for i in rng.permutation(len(others)))
            if not (barred and barred.search(o.fix.do))
        ],
        people=voices(matter.people),
        facts=stock(matter.facts),
        signs=stock(wrong.signs),
        since=stock(wrong.since),
        stories=stock(matter.stories),
        worries=stock(matter.worries, angle.worry),
        hopes=stock(matter.hopes, angle.hope),
        whens=Deck(matter.whens, rng),
        slips=Deck(matter.slips, rng),
        why=stock(why),
        here=stock(here),
    )
