"""What the embedded writer can talk about: a matter, with all that its owner and a partner may say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sonolake.errors import InvalidInput


@dataclass(frozen=True)
class Trouble:
    """What is wrong: a verb phrase after the matter's name; since when, and what it leads to.

    ``since`` follows "it's been like that", ``signs`` are clauses.
    """

    trouble: str
    since: tuple[str, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True)
class Fix:
    """What could be done: as an infinitive and as a gerund, with clauses for and against."""

    do: str
    doing: str
    pros: tuple[str, ...]
    cons: tuple[str, ...]


@dataclass(frozen=True)
class Person:
    """Somebody with an opinion, and the opinion as clauses."""

    who: str
    says: tuple[str, ...]


@dataclass(frozen=True)
class Matter:
    """A thing that troubles somebody. The first person is its owner's, in every phrase but the stories.

    Attributes:
        matter: its name in the bank.
        category, theme: what templates are grouped by.
        thing: a singular noun phrase.
        slips: what one might say in its place by mistake.
        troubles, fixes, people: with what belongs to each.
        facts: what the owner did or knows, clauses.
        stories: what the partner lived through, clauses.
        worries: what may come of it, clauses. hopes: infinitives. whens: time phrases for the end of a sentence.
    """

    matter: str
    category: str
    theme: str
    thing: str
    slips: tuple[str, ...]
    troubles: tuple[Trouble, ...]
    fixes: tuple[Fix, ...]
    people: tuple[Person, ...]
    facts: tuple[str, ...]
    stories: tuple[str, ...]
    worries: tuple[str, ...]
    hopes: tuple[str, ...]
    whens: tuple[str, ...]

    def __post_init__(self) -> None:
        least: tuple[tuple[str, Sequence[object], int], ...] = (
            ("fixes", self.fixes, 3),
            ("people", self.people, 2),
            ("facts", self.facts, 5),
            ("worries", self.worries, 2),
            ("hopes", self.hopes, 2),
            *(("signs", t.signs, 2) for t in self.troubles),
            *(("pros", f.pros, 2) for f in self.fixes),
            *(("cons", f.cons, 2) for f in self.fixes),
        )
        for what, phrases, needed in least:
            if len(phrases) < needed or len(set(phrases)) < len(phrases):
                raise InvalidInput(what, f"at least {needed}, all different", phrases)

    @property
    def phrases(self) -> tuple[str, ...]:
        """Everything that can be said of it."""
        own = (self.thing, *self.slips, *self.facts, *self.stories, *self.worries, *self.hopes, *self.whens)
        of_troubles = (p for t in self.troubles for p in (t.trouble, *t.since, *t.signs))
        of_fixes = (p for f in self.fixes for p in (f.do, f.doing, *f.pros, *f.cons))
        of_people = (p for person in self.people for p in (person.who, *person.says))
        return (*own, *of_troubles, *of_fixes, *of_people)
