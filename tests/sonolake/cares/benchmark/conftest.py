"""The benchmark of the thousand scenarios, and constructed systems that answer it."""

import json

import pytest

from sonolake.cares.benchmark import HeardSound, SceneFacts, build_items
from sonolake.cares.benchmark.predictions import Predictions, keys_of


@pytest.fixture(scope="session")
def facts(scenarios, banks):
    """The scenarios as scenes, a sound every 20.04 s."""
    return [
        SceneFacts(
            f"scene-{n}",
            s.location,
            tuple(
                HeardSound(e.event_id, banks.sounds[e.event_id].name, e.reaction, 20.04 * (i + 1))
                for i, e in enumerate(s.events)
            ),
        )
        for n, s in enumerate(scenarios)
    ]


@pytest.fixture(scope="session")
def items(facts, banks):
    return build_items(facts, banks)


@pytest.fixture(scope="session")
def answering():
    """From a function of an item and a budget to predictions."""

    def answer(items, system):
        return Predictions({(i, b): system(item, b) for item in items for i, b in keys_of(item)})

    return answer


@pytest.fixture(scope="session")
def oracle():
    """Knows everything."""

    def system(item, budget):
        if item.task == "summary":
            return " ".join(f"There is {sound.name}." for sound in item.sounds)
        return item.answer

    return system


@pytest.fixture
def write_predictions(tmp_path):
    """Predictions as a file of JSON lines."""

    def write(predictions, name="system.jsonl"):
        lines = [
            json.dumps({"item_id": i, "summary": text, "budget": b} if b else {"item_id": i, "answer": text})
            for (i, b), text in predictions.answers.items()
        ]
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write
