"""What the bank of lines must hold for the embedded writer: every act, and no slot that nothing fills."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sonolake.cares.agenda import ANSWERS
from sonolake.cares.banks.model import Banks
from sonolake.cares.banks.source import Entry
from sonolake.cares.phrases import slots_of
from sonolake.errors import InvalidInput

PIVOT_STAGES = ("open", "reply", "1x", "1y", "2x", "2y", "wrap")
"""Lines of a pivot's register: two voices in turn, each line an answer to any of the stage before."""
_ABOUT_THE_MATTER = (
    "thing trouble since sign fact story who says other_who other_says worry other_worry hope other_hope when why here "
    "do doing pro con said_pro said_con other_do other_doing first_do first_doing second_do second_doing third_do "
    "third_doing third_pro third_con said_hope said_sign said_fact"
)
_IN_A_BREAK = "half rest start start_lower whole whole_lower topic thing wrong tag"
_MATTER = frozenset(_ABOUT_THE_MATTER.split())
_SOUND = frozenset({"heard", "bare", "other", "guess"})
_BREAK = frozenset(_IN_A_BREAK.split())
_SLOTS = (
    ("pivot.more", _SOUND | {"thing", "who"}),
    ("pivot.", _SOUND),
    ("verbal.", _SOUND),
    ("behavioral.", _BREAK),
    ("resume", frozenset[str]()),
    ("return", frozenset({"thing"})),
    ("", _MATTER),
)
_UNEVEN = re.compile(r"<[^<>]*<|>[^<>]*>|^[^<]*>|<[^>]*$|[{][^}]*$|^[^{]*[}]")


def check_lines(banks: Banks, entries: Mapping[str, Entry]) -> None:
    """Refuse a bank of lines that could leave the writer without words.

    Raises:
        InvalidInput: for an act without lines, or with the line that holds an unknown slot or an open bracket.
    """
    if missing := sorted(set(_needed(banks)) - set(banks.lines)):
        raise InvalidInput("lines.json", "lines for every act and register", f"none for {missing}")
    for act, lines in banks.lines.items():
        known = next(slots for prefix, slots in _SLOTS if act.startswith(prefix))
        for line in lines:
            if strange := sorted(set(slots_of(line)) - known):
                raise InvalidInput(entries[act].where(act), f"slots out of {sorted(known)}", strange)
            if _UNEVEN.search(line):
                raise InvalidInput(entries[act].where(act), "brackets that open and close", line)


def _needed(banks: Banks) -> Iterable[str]:
    yield from ANSWERS
    yield from ANSWERS.values()
    for role in ("owner", "partner"):
        yield from (f"{role}.{act}" for act in ("open", "state", "more", "close"))
    yield from ("partner.early", "partner.nudge", "pivot.more", "resume", "return")
    for reaction, bank in banks.reactions.items():
        for register in bank.registers:
            name = f"{reaction}.{register.register}"
            yield from (f"{name}.{stage}" for stage in PIVOT_STAGES) if reaction == "pivot" else (name,)
