"""Scenes for judges and raters: by hand, and of the embedded writer."""

import pytest

from sonolake.cares.validation import MarkedSound, RatedScene, Transcript, of_timeline
from sonolake.cares.writer import write


def talk(*lines, name="scene", template="template", topic="", writer="", voiced=(), **asked):
    """``A: words`` is an utterance, ``*general/zip zip fastener`` a sound; ``asked`` by the sound's last name."""
    said, sounds = [], []
    for line in lines:
        if line.startswith("*"):
            event, _, called = line[1:].partition(" ")
            sounds.append(MarkedSound(event, called, len(said)))
        else:
            said.append((line[0], line[3:]))
    reactions = {s.event: asked[s.event.rpartition("/")[2]] for s in sounds}
    transcript = Transcript(tuple(said), tuple(sounds))
    return RatedScene(name, template, writer, topic, transcript, reactions, frozenset(voiced))


@pytest.fixture(scope="session")
def by_hand():
    return talk


@pytest.fixture(scope="session")
def rated(scenarios, template_of, banks):
    """A hundred dialogues of the embedded writer."""
    chosen = scenarios[::10]
    return [
        of_timeline(s, write(s, template_of[s.template_id], banks, "short"), banks, "embedded-grammar")
        for s in chosen
    ]
