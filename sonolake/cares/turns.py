"""One utterance after the other: an act's line, what else goes with it, and the reaction that is due."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sonolake.cares.agenda import OF_THE_LOSER, OF_THE_WINNER, Turn
from sonolake.cares.banks import Banks
from sonolake.cares.persons import second_person
from sonolake.cares.phrases import sentences
from sonolake.cares.pivoting import pivot_turn
from sonolake.cares.reacting import SHORTEST_BROKEN, Reactor, SoundWords
from sonolake.cares.records import EventSpec
from sonolake.cares.talk import Talk

REACTION_WORDS = 12
"""Words left to the reaction in an utterance after an event."""
MOST_MORE = 4
"""Sentences that may be added to a turn."""
HALF_A_SENTENCE = 6
"""How near to its share of words a turn may end."""
MOST_WORDS = 46
"""Words after which nothing more is added: the checker allows 60."""
SPREAD = (0.75, 1.2)
"""How a turn's share of what is left to say varies."""
ASKING = frozenset(
    {"partner.ask_since", "partner.ask_tried", "partner.ask_who", "partner.ask_worry", "partner.ask_hope"}
    | {"partner.compare", "partner.plan"}
)
"""Acts that end a turn: what else is said comes before the question."""
UNADORNED = frozenset({"partner.open", "owner.close", "partner.close"})
"""Acts that stand alone."""


@dataclass
class Budget:
    """Words that are left to say in the turns that are left.

    ``after_sound`` is how many a turn gets at least after a sound whose reaction adds none, so that the length of turns
    does not tell the reaction.
    """

    words: float
    turns: int
    after_sound: int = 0

    def share(self, rng: np.random.Generator) -> float:
        """What the next turn may take."""
        return min(MOST_WORDS, self.words / max(1, self.turns) * rng.uniform(*SPREAD))

    def spend(self, text: str) -> None:
        """Take a turn off."""
        self.words, self.turns = self.words - len(text.split()), self.turns - 1


class Turns:
    """Writes one utterance after the other, with the reactions that are due."""

    def __init__(
        self, talk: Talk, banks: Banks, budget: Budget, pivot: range, rng: np.random.Generator
    ) -> None:
        self._talk, self._banks, self._budget, self._rng = talk, banks, budget, rng
        self._reactor = Reactor(talk, banks, rng)
        self._span, self._pivot = pivot, ("", SoundWords(next(iter(banks.sounds.values())), rng))

    def write(self, turn: Turn, event: EventSpec | None) -> str:
        """The words of a turn; ``event`` is the sound just before it."""
        if event is not None and event.reaction == "pivot":
            self._pivot = (str(event.register), SoundWords(self._banks.sounds[event.event_id], self._rng))
        content = self._content(turn, event)
        if event is not None and event.reaction == "verbal":
            content = self._reactor.verbal(str(event.register), self._banks.sounds[event.event_id], content)
        if event is not None and event.reaction == "behavioral":
            content = self._reactor.behavioral(str(event.register), content, turn.owner, bool(turn.act))
        self._set_topic(turn)
        self._budget.spend(content)
        return content

    def _content(self, turn: Turn, event: EventSpec | None) -> str:
        on_matter = bool(turn.act)
        reacts = turn.returns or (event is not None and event.reaction in ("verbal", "behavioral"))
        target = self._budget.share(self._rng) - (REACTION_WORDS if reacts else 0)
        main, end = (self._matter(turn), "") if on_matter else self._about_pivot(turn)
        if event is not None and event.reaction in ("pivot", "ambient"):
            target = max(target, self._budget.after_sound)
        text = f"{self._filled(main, turn, target - len(end.split()))} {end}".strip()
        if event is not None and event.reaction == "behavioral":
            for _ in range(MOST_MORE):
                if len(sentences(text)[0].split()) >= SHORTEST_BROKEN:
                    break
                text = f"{self._more(turn)} {text}".strip()
        return f"{self._talk.must('return', self._thing(turn))} {text}" if turn.returns else text

    def _matter(self, turn: Turn) -> str:
        talk = self._talk
        if turn.act in OF_THE_WINNER:
            talk.option = talk.supply.winner
        elif turn.act in OF_THE_LOSER:
            talk.option = talk.supply.loser
        if turn.act == "partner.ask_who" and talk.supply.people:
            talk.person = talk.supply.people[0]
        talk.begin_turn()
        said = talk.must(turn.act)
        if turn.act == "owner.who":
            talk.person = None
        return said

    def _about_pivot(self, turn: Turn) -> tuple[str, str]:
        register, sound = self._pivot
        return pivot_turn(self._talk, register, sound, turn.index - self._span.start, len(self._span))

    def _filled(self, main: str, turn: Turn, target: float) -> str:
        """``main`` with more around it: before a question, after everything else."""
        text, asks = main, turn.act in ASKING
        for _ in range(MOST_MORE):
            if len(text.split()) >= target - HALF_A_SENTENCE:
                break
            more = self._more(turn)
            if not more:
                break
            text = f"{more} {text}" if asks else f"{text} {more}".strip()
        return text

    def _more(self, turn: Turn) -> str:
        """Another sentence that goes with a turn; nothing where none is left, and at an end."""
        if not turn.act:
            return self._talk.must("pivot.more", self._besides(turn))
        if turn.act in UNADORNED:
            return ""
        act = "owner.more" if turn.owner else "partner.more"
        if not turn.owner and self._talk.option is None:
            act = "partner.early"
        return self._talk.say(act) or ""

    def _thing(self, turn: Turn) -> Callable[[str], str]:
        thing = self._talk.supply.thing
        return {"thing": thing if turn.owner else second_person(thing)}.__getitem__

    def _besides(self, turn: Turn) -> Callable[[str], str]:
        """Slots of what is said beside a pivot: its sound, the matter that it put off, somebody who is not there."""
        sound, supply = self._pivot[1], self._talk.supply
        who = supply.people[0].who if supply.people else "somebody cleverer"
        own = {"thing": supply.thing, "who": who}
        voiced = own if turn.owner else {name: second_person(value) for name, value in own.items()}
        return lambda name: voiced[name] if name in voiced else sound(name)

    def _set_topic(self, turn: Turn) -> None:
        """What a turn was about, for someone who asks to have it repeated."""
        talk = self._talk
        if turn.act in OF_THE_LOSER | OF_THE_WINNER and talk.option is not None:
            talk.topic = talk.option.fix.doing
        elif turn.act == "partner.ask_who" and talk.person is not None:
            talk.topic = talk.person.who
        else:
            talk.topic = talk.supply.thing
