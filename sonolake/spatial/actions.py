"""What a careful household robot does next after each kind of sound: a table of our own (``actions.json``)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise


@dataclass(frozen=True)
class Action:
    """A next step, and the words or pairs of words of event names that call for it."""

    action_id: str
    step: str
    words: frozenset[str]


@cache
def actions() -> tuple[Action, ...]:
    """The table."""
    rows = json.loads(files(__package__).joinpath("actions.json").read_text(encoding="utf-8"))
    return tuple(Action(row["id"], row["step"], frozenset(row["words"])) for row in rows)


@cache
def action_for(event: str) -> Action | None:
    """The step that an event's name (without namespace) calls for, or None when the table does not know it.

    Two words together (``alarm clock``) count before single words, earlier rows before later ones.
    """
    words = re.findall(r"[^\W_]+", event.lower().rpartition("/")[2])
    pairs = {" ".join(pair) for pair in pairwise(words)}
    singles = {*words, *(word.removesuffix("s") for word in words)}
    found = (action for names in (pairs, singles) for action in actions() if names & action.words)
    return next(found, None)
