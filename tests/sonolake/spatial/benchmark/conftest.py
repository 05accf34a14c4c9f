"""A benchmark of made-up records, and constructed systems that answer it."""

import json

import numpy as np
import pytest

from sonolake.ids import rng_of
from sonolake.spatial.benchmark import Predictions, Query, Record
from sonolake.spatial.dimensions import DIMENSIONS


def query(name, answer):
    return Query(name, f"What about {name}?", {letter: f"{letter} of {name}" for letter in "ABCD"}, answer)


def made(number=600):
    """Answers uniform, dimensions in turn; two records to every fifth clip."""
    rng = rng_of("records", "test")
    letters = np.array(list("ABCD"))[rng.integers(4, size=(number, 2))]
    origins = ("simulated", "recorded", "stand-in")
    return [
        Record(
            f"r{i}",
            f"clip{i - (i % 5 == 4)}",
            list(DIMENSIONS)[i % 6],
            query(f"r{i}/1", str(letters[i, 0])),
            query(f"r{i}/2", str(letters[i, 1])),
            origins[i % 3],
            1 + i % 4,
            0.5 + i % 8,
        )
        for i in range(number)
    ]


@pytest.fixture(scope="session")
def make_query():
    return query


@pytest.fixture(scope="session")
def records():
    return made()


@pytest.fixture(scope="session")
def answering():
    """From a function of a query to predictions in a context."""

    def answer(records, system, context="predicted"):
        first = {(r.stage_1.question_id, ""): system(r.stage_1) for r in records}
        second = {(r.stage_2.question_id, context): system(r.stage_2) for r in records}
        return Predictions({key: text for key, text in (first | second).items() if text is not None})

    return answer


@pytest.fixture
def write_lines(tmp_path):
    """Rows as a file of JSON lines."""

    def write(rows, name="system.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write
