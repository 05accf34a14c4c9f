"""What a careful household robot does next after each sound of a home: a table of our own (``actions.json``).

Every class of the list has a step or a reason why it asks for none. A step is true of its classes alone; steps that
could be right of them, too, are *akin* to it and never stand beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Action:
    """A next step.

    Attributes:
        action_id: short and unique.
        step: what is done, an imperative.
        akin: ids of the steps that may be right where this one is.
        classes: the classes of the list that call for it.
    """

    action_id: str
    step: str
    akin: frozenset[str]
    classes: tuple[str, ...]


@cache
def actions() -> Mapping[str, Action]:
    """The steps by id, in the order of the table."""
    rows = _table()["actions"]
    return {
        row["id"]: Action(row["id"], row["step"], frozenset(row["akin"]), tuple(row["classes"]))
        for row in rows
    }


def action_for(name: str) -> Action | None:
    """The step that a class of the list calls for; None for one that asks for nothing, and for other names."""
    return _by_class().get(name)


@cache
def without_action() -> Mapping[str, str]:
    """Why the other classes of the list ask for nothing, by class."""
    return {name: row["why"] for row in _table()["no_action"] for name in row["classes"]}


def distinct(ids: tuple[str, ...]) -> np.ndarray:
    """Which steps are false where which are true: a symmetric matrix of truths, ids by ids."""
    table = actions()
    return np.array([[a != b and b not in table[a].akin for b in ids] for a in ids], dtype=bool)


@cache
def _by_class() -> Mapping[str, Action]:
    return {name: action for action in actions().values() for name in action.classes}


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(files(__package__).joinpath("actions.json").read_text("utf-8"))
    return table
