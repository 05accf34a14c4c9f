"""Decisions about takes, and where they are kept: ``judgements``, a row an action, each the whole decision."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.lake.lake import Lake
from sonolake.pages.refusals import Conflict
from sonolake.serial import to_json

QUESTION = "audition:"
"""Begins the question of a judgement; the identifier follows."""
VERDICTS = ("", "accept", "reject")
SHORTEST_S = 0.1
"""A trim keeps at least this much."""
_ROWS = (
    "SELECT item, question, answer, rater, decided_at FROM judgements"
    f" WHERE starts_with(question, '{QUESTION}') ORDER BY decided_at"
)


@dataclass(frozen=True)
class Decision:
    """What was decided about a take for an identifier.

    Attributes:
        verdict: ``accept``, ``reject``, or empty.
        single_source: whether it holds this one sound and no other; None when nobody has said.
        trim_s: start and end of what is used, in seconds of the recording; None for all of it.

    Raises:
        InvalidInput: for another verdict, or a trim that is no span of at least 0.1 s.
    """

    verdict: str = ""
    single_source: bool | None = None
    trim_s: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise InvalidInput("verdict", f"one of {VERDICTS}", self.verdict)
        if self.trim_s and not 0.0 <= self.trim_s[0] <= self.trim_s[1] - SHORTEST_S:
            raise InvalidInput("trim_s", f"start and end, at least {SHORTEST_S} s apart", self.trim_s)


@dataclass(frozen=True)
class Kept:
    """The last decision about a take; ``seq`` is the number of decisions so far, 0 for none."""

    decision: Decision = Decision()
    seq: int = 0
    rater: str = ""
    decided_at: datetime | None = None


def decision_of(data: Any) -> Decision:
    """A decision from its JSON object.

    Raises:
        InvalidInput: when it is none.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("verdict", ""), str):
        raise InvalidInput("decision", "an object with verdict, single_source and trim_s", data)
    single, trim = data.get("single_source"), data.get("trim_s")
    if single is not None and not isinstance(single, bool):
        raise InvalidInput("single_source", "true, false or null", single)
    if trim is None:
        return Decision(data.get("verdict", ""), single)
    if not isinstance(trim, list) or len(trim) != 2 or not all(isinstance(s, int | float) for s in trim):
        raise InvalidInput("trim_s", "[start, end] in seconds, or null", trim)
    return Decision(data.get("verdict", ""), single, (round(float(trim[0]), 3), round(float(trim[1]), 3)))


def decisions_of(lake: Lake) -> dict[str, dict[str, Kept]]:
    """The last decision about each take, by identifier and asset id."""
    return _last(lake.rows(_ROWS))


def _last(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Kept]]:
    found: dict[str, dict[str, Kept]] = defaultdict(dict)
    for row in rows:
        takes = found[row["question"].removeprefix(QUESTION)]
        seq = takes[row["item"]].seq + 1 if row["item"] in takes else 1
        decision = decision_of(json.loads(row["answer"]))
        takes[row["item"]] = Kept(decision, seq, row["rater"], row["decided_at"])
    return found


def decide(lake: Lake, event: str, asset_id: str, decision: Decision, rater: str, base: int) -> Kept:
    """Append a decision; it is in the lake when this returns.

    Args:
        lake: opened for writing.
        event: the identifier.
        asset_id: the take.
        decision: all that holds now.
        rater: who decides.
        base: ``seq`` of the decision that it changes.

    Raises:
        Conflict: when ``base`` is not the last one, unless that came to the same.
    """
    with lake.transaction(f"audition of {event}", author=rater) as tx:
        last = _last(tx.sql(_ROWS).to_pylist()).get(event, {}).get(asset_id, Kept())
        if last.seq != base and last.decision == decision:
            return last
        if last.seq != base:
            raise Conflict(f"{asset_id}: decided elsewhere since (decision {last.seq}, not {base})")
        at = datetime.now(UTC)
        if last.decided_at:
            at = max(at, last.decided_at + timedelta(microseconds=1))
        row = {
            "item": asset_id,
            "question": f"{QUESTION}{event}",
            "answer": to_json(decision),
            "rater": rater,
            "decided_at": at,
        }
        tx.append("judgements", [row])
    return Kept(decision, base + 1, rater, at)
