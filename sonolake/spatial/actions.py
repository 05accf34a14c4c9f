"""What a careful household robot does next after each kind of sound: a table of our own (``actions.json``)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Action:
    """A next step and the words of event names that call for it."""

    action_id: str
    step: str
    words: frozenset[str]


@cache
def actions() -> tuple[Action, ...]:
    """The table; an earlier row wins when an event's name has words of several."""
    rows = json.loads(files(__package__).joinpath("actions.json").read_text(encoding="utf-8"))
    return tuple(Action(row["id"], row["step"], frozenset(row["words"])) for row in rows)


@cache
def action_for(event: str) -> Action | None:
    """The step that an event's name calls for, or None when no word of it is in the table."""
    words = set(re.findall(r"[^\W_]+", event.lower()))
    words |= {word.removesuffix("s") for word in words}
    return next((action for action in actions() if words & action.words), None)
