"""What two people say about a matter, line by line, without any sound in it.

One of them owns the matter, the other is a partner in talk. Each act of the bank (``owner.open``, ``partner.suggest``,
...) is a deck of lines; a line is used once in a dialogue, and only where all that it needs is left to be said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from sonolake.cares.persons import second_person
from sonolake.cares.phrases import Wording, slots_of
from sonolake.cares.supply import ECHOED, Option, Supply, Voice
from sonolake.errors import InvalidInput


class Talk:
    """The state of one dialogue.

    Args:
        lines: the bank's, by act.
        supply: what can be said.
        rng: draws everything.
        brief: few words rather than new ones.

    Attributes:
        option: the way out that is being discussed; None before one is.
        person: who was asked about; None when nobody was.
        topic: what the last turn was about, as a noun phrase in the owner's words.
    """

    def __init__(
        self,
        lines: Mapping[str, tuple[str, ...]],
        supply: Supply,
        rng: np.random.Generator,
        brief: bool = False,
    ) -> None:
        self._lines, self.supply, self._rng = lines, supply, rng
        self._wording = Wording(rng, *supply.way, brief)
        self._decks: dict[str, list[str]] = {}
        self._way_named = False
        self.option: Option | None = None
        self.person: Voice | None = None
        self.topic = supply.thing

    def begin_turn(self) -> None:
        """Allow the way out that is discussed to be named once more."""
        self._way_named = False

    def say(self, act: str, slot: Callable[[str], str] | None = None) -> str | None:
        """The next line of ``act`` with its slots filled; None when no line is left that can be.

        ``slot`` gives the values of an act that is not about the matter.
        """
        deck = self._deck(act)
        for index, line in enumerate(deck):
            if slot is not None or self._able(line, act):
                del deck[index]
                self._way_named = self._way_named or bool({"do", "doing"} & set(slots_of(line)))
                return self._wording.fill(line, slot or _Filling(self, act))
        return None

    def must(self, act: str, slot: Callable[[str], str] | None = None) -> str:
        """:meth:`say`, or a line of ``act.else``, or of the deck begun again.

        Raises:
            InvalidInput: for an act whose lines all need more than is left.
        """
        said = self.say(act, slot)
        for name in (f"{act}.else", act):
            if said is None and name in self._lines:
                self._decks.pop(name, None)
                said = self.say(name, slot)
        if said is None:
            allowed = "one that needs only the matter and the ways out"
            raise InvalidInput(f"lines of {act}", allowed, self._lines.get(act))
        return said

    def _deck(self, act: str) -> list[str]:
        if act not in self._decks:
            if act not in self._lines:
                raise InvalidInput("act", "one of the bank's lines", act, "a bank of lines without it")
            lines = self._lines[act]
            self._decks[act] = [lines[i] for i in self._rng.permutation(len(lines))]
        return self._decks[act]

    def _able(self, line: str, act: str) -> bool:
        """Whether everything that a line needs is there."""
        needed, supply, option = Counter(slots_of(line)), self.supply, self.option
        if act == "partner.suggest_again" and needed["other_doing"] and not supply.loser.said_pro:
            return False
        if self._way_named and (needed["do"] or needed["doing"]):
            return False
        stocks = {"fact": supply.facts, "sign": supply.signs, "since": supply.since, "story": supply.stories}
        stocks |= {"why": supply.why, "here": supply.here}
        if any(needed[name] > len(stock) for name, stock in stocks.items()):
            return False
        pairs = (("worry", supply.worries), ("hope", supply.hopes))
        if any(needed[name] + needed[f"other_{name}"] > len(stock) for name, stock in pairs):
            return False
        if any(name.startswith("third_") for name in needed) and (option is None or not supply.others):
            return False
        if any(needed[f"said_{name}"] and not supply.said[name] for name in ECHOED):
            return False
        return self._has_option(needed, option) and self._has_people(needed)

    def _has_option(self, needed: Counter[str], option: Option | None) -> bool:
        if option is None:
            return not any(needed[name] for name in ("do", "doing", "pro", "con", "said_pro", "said_con"))
        return (
            needed["pro"] <= len(option.pros)
            and needed["con"] <= len(option.cons)
            and (not needed["said_pro"] or bool(option.said_pro))
            and (not needed["said_con"] or bool(option.said_con))
        )

    def _has_people(self, needed: Counter[str]) -> bool:
        people = [self.person] if self.person else self.supply.people
        able = [p for p in people if not needed["says"] or len(p.says)]
        others = [p for p in self.supply.people if len(p.says) and p is not (able[0] if able else None)]
        return ((not needed["who"] and not needed["says"]) or bool(able)) and (
            not needed["other_says"] or bool(others)
        )


class _Filling:
    """The values of one line's slots, in the owner's or the partner's words."""

    def __init__(self, talk: Talk, act: str) -> None:
        self._talk, self._partner = talk, act.startswith("partner.")
        self._supply = talk.supply
        self._third: Option | None = None
        self._person: Voice | None = None
        self._other: Voice | None = None

    def __call__(self, name: str) -> str:
        value = self._value(name)
        return second_person(value) if self._partner and name not in ("story", "here") else value

    def _value(self, name: str) -> str:
        supply, talk = self._supply, self._talk
        plain = {"thing": supply.thing, "trouble": supply.trouble}
        if name in plain:
            return plain[name]
        if name in ("who", "says"):
            return self._opinion(name, needs=name == "says")
        if name in ("other_who", "other_says"):
            return self._second(name)
        if name.startswith("third_"):
            return self._way(name.partition("_")[2])
        if name.startswith(("first_", "second_")):
            option = supply.winner if name.startswith("first_") else supply.loser
            return _of(option, name.partition("_")[2])
        if name in ("do", "doing", "pro", "con", "said_pro", "said_con", "other_do", "other_doing"):
            return self._option(name)
        stocks = {
            "fact": supply.facts,
            "sign": supply.signs,
            "since": supply.since,
            "story": supply.stories,
            "why": supply.why,
            "here": supply.here,
            "worry": supply.worries,
            "other_worry": supply.worries,
            "hope": supply.hopes,
            "other_hope": supply.hopes,
        }
        if name in stocks:
            phrase = stocks[name].take()
            if name in supply.said:
                supply.said[name] = phrase
            return phrase
        if name.startswith("said_") and name[5:] in ECHOED:
            phrase, supply.said[name[5:]] = supply.said[name[5:]], ""
            return phrase
        if name == "when":
            return supply.whens.draw()
        raise InvalidInput("slot of a line", "a slot of the matter", name, f"talk is of {talk.topic}")

    def _option(self, name: str) -> str:
        option = self._talk.option
        if option is None:
            raise InvalidInput("slot of a line", "one that needs no way out", name)
        if name.startswith("other_"):
            other = self._supply.loser if option is self._supply.winner else self._supply.winner
            return _of(other, name.partition("_")[2])
        if name == "pro":
            option.said_pro = option.pros.take()
            return option.said_pro
        if name == "con":
            option.said_con = option.cons.take()
            return option.said_con
        return option.said_pro if name == "said_pro" else _of(option, name)

    def _opinion(self, name: str, needs: bool) -> str:
        if self._person is None:
            people = [self._talk.person] if self._talk.person else self._supply.people
            able = [p for p in people if len(p.says)] or people
            self._person = able[0]
            self._supply.people.sort(key=lambda p: p is self._person)
        return self._person.says.take() if needs else self._person.who

    def _second(self, name: str) -> str:
        if self._other is None:
            self._other = next(p for p in self._supply.people if len(p.says) and p is not self._person)
        return self._other.who if name == "other_who" else self._other.says.take()

    def _way(self, name: str) -> str:
        if self._third is None:
            self._third = self._supply.others.pop(0)
        if name in ("pro", "con"):
            return (self._third.pros if name == "pro" else self._third.cons).take()
        return _of(self._third, name)


def _of(option: Option, name: str) -> str:
    if name == "said_con":
        return option.said_con
    return option.fix.do if name == "do" else option.fix.doing
