import numpy as np
import pytest

from sonolake.errors import InvalidInput, ItemRefused, MissingPackage, Refused, Unreachable
from sonolake.models import get, packages
from sonolake.models.base import Recogniser
from sonolake.models.endpoints import recogniser
from sonolake.wesr.worderrors import word_errors

BASE_SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
"""As ``cat model.bin.part1 model.bin.part2 | sha256sum`` prints it."""
SENTENCES = ["I told you the dog was barking.", "Can you hear that noise outside?", "Let's go home then."]
GAP_S = 0.75


@pytest.fixture(scope="module")
def base():
    try:
        return get("whisper:base")
    except MissingPackage as error:
        pytest.skip(str(error))


@pytest.fixture
def endpoint(speech_provider):
    made = []

    def make(**more):
        made.append(recogniser(f"openai:whisper-1@{speech_provider.url}", pause=lambda s: None, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture(scope="module")
def said(joe):
    """Three sentences, each after silence of three quarters of a second; and where each one starts and ends."""
    silence, parts, spans, at = np.zeros(round(GAP_S * joe.sample_rate)), [], [], 0
    for sentence in SENTENCES:
        x = joe.speak(sentence, 3)
        loud = np.flatnonzero(np.abs(x) > 0.02 * np.abs(x).max())
        x = x[loud[0] : loud[-1] + 1]
        spans.append(((at + len(silence)) / joe.sample_rate, (at + len(silence) + len(x)) / joe.sample_rate))
        parts += [silence, x]
        at += len(silence) + len(x)
    return np.concatenate([*parts, silence]), joe.sample_rate, spans


@pytest.fixture(scope="module")
def heard(base, said):
    return base.transcribe(said[0], said[1])


def test_words_of_a_voice_are_recognised_where_they_are_said(base, heard, said):
    """Whisper's own word times are off by a tenth of a second; four tenths would be another word."""
    x, rate, spans = said
    assert isinstance(base, Recogniser) and heard.language == "en"
    assert word_errors(" ".join(SENTENCES), heard.text).errors <= 1
    assert " ".join(word.text for word in heard.words) == heard.text
    edges = [edge for word in heard.words for edge in (word.start_s, word.end_s)]
    assert edges == sorted(edges) and edges[0] >= 0.0 and edges[-1] <= len(x) / rate
    assert heard.words[-1].end_s == pytest.approx(spans[-1][1], abs=0.4)
    assert heard.words[len(SENTENCES[0].split()) - 1].end_s == pytest.approx(spans[0][1], abs=0.4)


def test_a_folder_of_ones_own_hears_the_same(base, heard, said, tmp_path):
    """The packaged network laid out as CTranslate2's converter does, loaded anew: equal sound gives equal words."""
    (tmp_path / "model.bin").write_bytes(b"".join(path.read_bytes() for path in base._weights))
    for path in base._beside:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    own = get(f"whisper:{tmp_path}")
    assert own.weights_sha256 == base.weights_sha256 == BASE_SHA256
    assert (base.spec, base.licence, own.licence) == ("whisper:base", "MIT", "LicenseRef-unstated")
    assert own.transcribe(said[0], said[1]) == heard


def test_a_folder_without_a_network_is_refused(base, tmp_path):
    with pytest.raises(
        InvalidInput, match=r"whisper model: expected base, tiny\.en, or a folder with model\.bin"
    ):
        get(f"whisper:{tmp_path}")
    with pytest.raises(InvalidInput, match="language of whisper:base"):
        base.transcribe(np.zeros(16_000), 16_000, "klingon")


def test_without_the_library_its_line_is_said(monkeypatch):
    from sonolake.models.whisper import Whisper

    found = packages.importlib.util.find_spec
    hidden = lambda name: None if name == "faster_whisper" else found(name)  # noqa: E731
    monkeypatch.setattr(packages.importlib.util, "find_spec", hidden)
    with pytest.raises(MissingPackage, match=r"faster_whisper.*pip install 'sonolake\[recognition\]'"):
        Whisper("base")


def test_an_endpoint_is_asked_for_words_with_their_times(endpoint, speech_provider):
    heard = endpoint().transcribe(np.full(24_000, 0.1), 24_000, "en")
    assert heard.text == "Hello there." and heard.language == "english"
    assert [(w.text, w.start_s, w.end_s) for w in heard.words] == [("Hello", 0.1, 0.5), ("there", 0.5, 0.9)]
    ((path, fields),) = speech_provider.requests
    assert path == "/v1/audio/transcriptions" and fields.pop("file")[:4] == b"RIFF"
    assert fields == {
        "model": "whisper-1",
        "temperature": "0",
        "response_format": "verbose_json",
        "timestamp_granularities[]": "word",
        "language": "en",
    }


def test_a_model_without_times_is_asked_in_the_plain_form(endpoint, speech_provider):
    speech_provider.plain = True
    asked = endpoint()
    for _ in range(2):
        heard = asked.transcribe(np.full(16_000, 2.0), 16_000, "en")
        assert (heard.text, heard.words, heard.language) == ("Hello there.", (), "en")
    forms = [fields["response_format"] for _, fields in speech_provider.requests]
    assert forms == ["verbose_json", "json", "json"]


def test_busy_endpoints_are_asked_again_and_refusals_are_said_without_the_key(
    endpoint, speech_provider, speech_server, monkeypatch
):
    speech_provider.script = [429, (503, {"Retry-After": "1"}), "hang up", b"<html>"]
    assert endpoint().transcribe(np.full(16_000, 0.1), 16_000).text == "Hello there."
    speech_provider.script = [500] * 5
    with pytest.raises(Unreachable, match="500"):
        endpoint().transcribe(np.full(16_000, 0.1), 16_000)
    speech_provider.script = [413]
    with pytest.raises(ItemRefused, match="413"):
        endpoint().transcribe(np.full(16_000, 0.1), 16_000)
    speech_provider.script = [b'{"words": []}'] * 5
    with pytest.raises(ItemRefused, match="not a transcription"):
        endpoint().transcribe(np.full(16_000, 0.1), 16_000)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-1")
    with pytest.raises(Refused, match=r"401.*\(key\)") as caught:
        endpoint().transcribe(np.full(16_000, 0.1), 16_000)
    assert "sk-wrong-1" not in str(caught.value)


@pytest.mark.parametrize("spec", ["openai:", "openai:a b", "yamnet", "whisper", "vosk:small"])
def test_other_names_are_refused(spec):
    with pytest.raises((InvalidInput, MissingPackage)):
        recogniser(spec)


def test_the_providers_own_endpoint_needs_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
        recogniser("openai:whisper-1")
