"""What two people say about a situation, sentence by sentence, without any sound in it.

One of them owns the matter, the other advises. Each act of the bank (``owner.open``, ``adviser.suggest``, ...) is a
deck of lines; a line is used once in a dialogue, and so is each phrase of the situation while others are left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from sonolake.cares.banks import Banks, Situation
from sonolake.cares.phrases import fill
from sonolake.cares.records import Template
from sonolake.errors import InvalidInput

_PAIRS = (
    ("adviser.claim_ask", "owner.claim"),
    ("adviser.hope_ask", "owner.hope"),
    ("adviser.compare", "owner.lean"),
    ("adviser.plan", "owner.plan"),
)
_FIRST_PERSON = re.compile(r"\b(I am|I'm|I|me|my|myself)\b")
_SECOND_PERSON = {
    "I am": "you are",
    "I'm": "you're",
    "I": "you",
    "me": "you",
    "my": "your",
    "myself": "yourself",
}


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


class Talk:
    """The state of one dialogue about one situation.

    Args:
        template: with the details of an embedded template.
        banks: lines and situations.
        rng: draws everything.

    Raises:
        InvalidInput: for a template without details or of an unknown theme.
    """

    def __init__(self, template: Template, banks: Banks, rng: np.random.Generator) -> None:
        self._lines, self._rng = banks.lines, rng
        self.details = dict(template.details)
        known = {s.theme: s for s in banks.situations}
        if template.theme not in known or not {"thing", "trouble", "fix1", "fix2"} <= set(self.details):
            raise InvalidInput(
                "template",
                "one of the embedded writer",
                template.title,
                "an imported template needs a chat model",
            )
        situation = known[template.theme]
        self._phrases = {name: Deck(cards, rng) for name, cards in _cards(situation, self.details).items()}
        self._decks: dict[str, Deck] = {}

    def line(self, act: str, slot: Callable[[str], str] | None = None) -> str:
        """The next line of ``act`` with its slots filled; ``slot`` gives those that are not the situation's."""
        if act not in self._decks:
            self._decks[act] = Deck(self._lines[act], self._rng)
        adviser = act.startswith("adviser.")
        drawn: dict[str, str] = {}

        def value(name: str) -> str:
            if name not in drawn:
                own = slot is None or name in self._phrases or name in self.details
                phrase = self.phrase(name) if own or slot is None else slot(name)
                drawn[name] = second_person(phrase) if adviser else phrase
            return drawn[name]

        return fill(self._decks[act].draw(), value, self._rng)

    def phrase(self, name: str) -> str:
        """The template's own detail of that name, or the next phrase of the situation."""
        return self.details[name] if name in self.details else self._phrases[name].draw()

    def acts(self, utterances: int) -> list[str]:
        """The act of each utterance, owner and adviser in turn: opening, pairs of question and answer, closing."""
        pairs = [("adviser.suggest", "owner.snag"), *(_PAIRS[i] for i in self._rng.permutation(len(_PAIRS)))]
        middle = [act for pair in pairs for act in pair]
        acts = ["owner.open", "adviser.ask", "owner.fact", *middle][: utterances - 1]
        return [*acts, "owner.close" if utterances % 2 else "adviser.close"]


def second_person(phrase: str) -> str:
    """The owner's words in the adviser's mouth: "my brother" becomes "your brother"."""
    return _FIRST_PERSON.sub(lambda match: _SECOND_PERSON[match.group(1)], phrase)


def _cards(situation: Situation, details: dict[str, str]) -> dict[str, tuple[str, ...]]:
    fixes = tuple(f for f in situation.fixes if f not in (details["fix1"], details["fix2"]))
    wrong = tuple(thing for thing, _ in situation.things if thing != details["thing"])
    return {
        "fix3": fixes,
        "wrong": wrong or situation.people,
        "snag": situation.snags,
        "claim": situation.claims,
        "person": situation.people,
        "fact": situation.facts,
        "hope": situation.hopes,
        "when": situation.whens,
    }
