"""Talk about a pivot: it opens, is answered, goes back and forth once or twice, and is wrapped up."""

from __future__ import annotations

import numpy as np

from sonolake.cares.placing import AFTER_PIVOT
from sonolake.cares.reacting import SoundWords
from sonolake.cares.talk import Talk

STAGES = ("open", "reply", "1x", "1y", "2x", "2y")
"""Lines of a register in the order in which they answer one another."""
TURNS = (4, 5, 6)
"""Utterances that a pivot may take before the talk comes back to its matter."""


def span(at: int, count: int, rng: np.random.Generator) -> range:
    """The turns about a pivot that comes before utterance ``at`` of ``count``: to the end, or to two before it."""
    left = count - at
    lengths = [n for n in TURNS if n == left or left - n >= 2] or [max(left, AFTER_PIVOT)]
    return range(at, at + lengths[int(rng.integers(len(lengths)))])


def pivot_turn(talk: Talk, register: str, sound: SoundWords, turn: int, turns: int) -> tuple[str, str]:
    """The words of the ``turn``-th of ``turns`` utterances about a pivot, and those that end the last one."""
    sound.begin_turn()
    if turn < turns - 1:
        return talk.must(f"pivot.{register}.{_stage(turn)}", sound), ""
    first = "" if turns % 2 else talk.must(f"pivot.{register}.{_stage(turn)}", sound)
    sound.begin_turn()
    return first, talk.must(f"pivot.{register}.wrap", sound)


def _stage(turn: int) -> str:
    return STAGES[turn] if turn < len(STAGES) else "2y" if turn % 2 else "2x"
