"""A proof, and what it answered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sonolake.errors import Damaged
from sonolake.releases.answers import Answer, parse_answer
from sonolake.releases.layout import PROOFS

SHOWN = 5
"""Rows of an answer that are kept to be shown."""


@dataclass(frozen=True)
class Proof:
    """One proof: id, policy, one sentence of meaning, rows expected, the tables it reads, its SQL.

    ``answer`` is what it states, where it states figures: then the rows must be these.
    """

    id: str
    policy: Literal["must", "report"]
    meaning: str
    expected: int
    reads: tuple[str, ...]
    sql: str
    answer: Answer | None = None


@dataclass(frozen=True)
class ProofResult:
    """A proof and its answer; ``rows`` is None when it was not run, and ``why`` says why.

    ``shown`` are the first rows, or what differs from what is stated; ``answer`` is there where figures are stated.
    """

    proof: Proof
    rows: int | None
    shown: tuple[str, ...]
    why: str = ""
    answer: Answer | None = None

    @property
    def outcome(self) -> Literal["holds", "fails", "not run"]:
        """Is the answer the expected one?"""
        if self.rows is None:
            return "not run"
        right = self.rows == self.proof.expected and self.answer == self.proof.answer
        return "holds" if right else "fails"


def parse_proof(text: str, name: str) -> Proof:
    """A proof from its SQL and the ``-- key: value`` lines at its head.

    Raises:
        Damaged: when a line is missing or says what it cannot.
    """
    lines = re.findall(r"^-- ([a-z]+): (.+)$", text, re.MULTILINE)
    said = dict(lines)
    expected = re.fullmatch(r"(\d+) rows?(, as follows)?", said.get("expected", ""))
    policy = said.get("policy")
    if expected is None or policy not in ("must", "report") or not {"id", "meaning"} <= set(said):
        raise Damaged(
            f"{PROOFS}/{name}: needs id, policy (must, report), meaning and expected (N rows), has {said}"
        )
    answer = parse_answer(lines, said, f"{PROOFS}/{name}") if expected[2] else None
    reads = tuple(said["reads"].split(", ")) if "reads" in said else ()
    return Proof(said["id"], policy, said["meaning"], int(expected[1]), reads, text, answer)
