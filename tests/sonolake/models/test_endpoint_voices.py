import io

import numpy as np
import pytest
import soundfile

from sonolake.audio.encode import flac_bytes, mp3_bytes, wav_bytes
from sonolake.errors import InvalidInput, ItemRefused, Refused, Unreachable
from sonolake.models.base import Voice
from sonolake.models.endpoints import InMemory, voice

TEXT = "I told you the dog was barking."


def tone(rate, seconds=1.0):
    return np.rint(8000 * np.sin(2 * np.pi * 220 * np.arange(round(seconds * rate)) / rate)).astype(np.int16)


def as_streamed(wav):
    """A WAV file whose lengths nobody knew when its header was sent."""
    at = wav.index(b"data")
    return wav[:4] + b"\xff" * 4 + wav[8 : at + 4] + b"\xff" * 4 + wav[at + 8 :]


@pytest.fixture
def open_voice(speech_provider):
    made = []

    def make(spec, kept=None):
        made.append(voice(spec.replace("URL", speech_provider.url), kept, pause=lambda s: None))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def openai_speech(speech_provider):
    """An endpoint with a voice of tones; formats that it lacks are refused as OpenAI does."""
    files = {
        "wav": as_streamed(wav_bytes(tone(24_000), 24_000)),
        "flac": flac_bytes(tone(22_050), 22_050),
        "mp3": mp3_bytes(tone(44_100), 44_100),
    }

    def speech(path, query, body):
        form = body["response_format"]
        if form not in files:
            said = f'{{"error": {{"message": "Invalid value \'{form}\' for \'response_format\'"}}}}'
            return 400, "application/json", said.encode()
        return 200, f"audio/{form}", files[form]

    speech_provider.speech = speech
    return files


@pytest.fixture
def elevenlabs_speech(speech_provider):
    """An account whose subscription has these forms."""
    forms = {"pcm_44100", "mp3_44100_128"}

    def speech(path, query, body):
        form = query.partition("output_format=")[2]
        if form not in forms:
            said = (
                b'{"detail": {"status": "output_format_not_allowed", "message": "output_format needs Pro"}}'
            )
            return 403, "application/json", said
        data = tone(44_100).tobytes() if form.startswith("pcm") else mp3_bytes(tone(44_100), 44_100)
        return 200, "audio/mpeg", data

    speech_provider.speech = speech
    return forms


def pitch(x, rate):
    spectrum = np.abs(np.fft.rfft(x * np.hanning(len(x))))
    return float(np.argmax(spectrum) * rate / len(x))


@pytest.mark.parametrize("lacking", [(), ("wav",), ("wav", "flac")])
def test_an_openai_compatible_endpoint_speaks_in_the_best_format_it_has(
    open_voice, openai_speech, speech_provider, lacking
):
    for form in lacking:
        del openai_speech[form]
    speaker = open_voice("openai:tts-1/alloy@URL=f")
    x = speaker.speak(TEXT, 2)
    assert isinstance(speaker, Voice) and (speaker.gender, speaker.sample_rate) == ("f", 24_000)
    assert x.dtype == np.float64 and len(x) == pytest.approx(24_000, abs=2400)
    assert pitch(x, 24_000) == pytest.approx(220, abs=3)
    path, body = speech_provider.requests[0]
    assert path == "/v1/audio/speech"
    assert body == {
        "model": "tts-1",
        "voice": "alloy",
        "input": TEXT,
        "speed": 1.0,
        "response_format": "wav",
    }
    speaker.speak("Something else.", 2)
    assert len(speech_provider.requests) == len(lacking) + 2


def test_a_voice_that_may_not_ask_says_what_was_kept_and_no_more(
    open_voice, openai_speech, speech_provider, monkeypatch
):
    kept = InMemory()
    first = open_voice("openai:tts-1/alloy@URL=f", kept).speak(TEXT, 2)
    monkeypatch.delenv("OPENAI_API_KEY")
    silent = voice(f"openai:tts-1/alloy@{speech_provider.url}=f", kept, asks=False)
    assert np.array_equal(silent.speak(TEXT, 2), first)
    with pytest.raises(ItemRefused, match="not asked again"):
        silent.speak("Something else.", 2)
    assert len(speech_provider.requests) == 1
    silent.close()


def test_what_was_spoken_once_is_not_asked_for_again(open_voice, openai_speech, speech_provider):
    kept = InMemory()
    first = open_voice("openai:tts-1/alloy@URL=f", kept).speak(TEXT, 2)
    again = open_voice("openai:tts-1/alloy@URL=f", kept)
    assert np.array_equal(again.speak(TEXT, 2), first)
    assert len(speech_provider.requests) == 1 and len(kept.kept) == 1
    again.speak(TEXT, 3)
    open_voice("openai:tts-1/nova@URL=f", kept).speak(TEXT, 2)
    assert len(speech_provider.requests) == 3
    assert speech_provider.requests[1][1]["speed"] == 1.01


def test_elevenlabs_is_given_the_tags_and_the_seed(open_voice, elevenlabs_speech, speech_provider):
    speaker = open_voice("elevenlabs:JBFqnCBsd6RMkjVDRZzb@URL=m")
    x = speaker.speak("Well [laughs] then.", 2**32 + 7)
    assert (speaker.gender, speaker.sample_rate, speaker.tags) == ("m", 44_100, {"*"})
    assert len(x) == 44_100 and pitch(x, 44_100) == pytest.approx(220, abs=2)
    ((path, body),) = speech_provider.requests
    assert path == "/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb?output_format=pcm_44100"
    assert body == {"text": "Well [laughs] then.", "model_id": "eleven_v3", "seed": 7}
    assert open_voice("elevenlabs:x/eleven_multilingual_v2@URL=m").tags == frozenset()


def test_a_subscription_without_a_form_is_asked_for_the_next(open_voice, elevenlabs_speech, speech_provider):
    elevenlabs_speech.discard("pcm_44100")
    speaker = open_voice("elevenlabs:abc@URL=m")
    assert len(speaker.speak(TEXT, 1)) == pytest.approx(44_100, abs=4410)
    speaker.speak("Something else.", 1)
    forms = [path.partition("=")[2] for path, _ in speech_provider.requests]
    assert forms == ["pcm_44100", "mp3_44100_192", "mp3_44100_128", "mp3_44100_128"]
    elevenlabs_speech.clear()
    with pytest.raises(ItemRefused, match="none of the forms"):
        open_voice("elevenlabs:abc@URL=m").speak(TEXT, 1)


def test_faults_are_asked_again_or_said_and_nothing_broken_is_kept(
    open_voice, openai_speech, speech_provider, speech_server, monkeypatch
):
    kept = InMemory()
    speaker = open_voice("openai:tts-1/alloy@URL=f", kept)
    speech_provider.script = [429, (503, {"Retry-After": "2"}), "hang up"]
    assert len(speaker.speak(TEXT, 1)) == 24_000
    kept.kept.clear()
    silence = io.BytesIO()
    soundfile.write(silence, np.zeros(24_000), 24_000, format="WAV")
    for fault in (b"", b"<html>busy</html>", silence.getvalue()):
        speech_provider.script = [fault]
        with pytest.raises(ItemRefused, match="no_answer"):
            speaker.speak(TEXT, 1)
    speech_provider.script = [500] * 5
    with pytest.raises(Unreachable, match="500"):
        speaker.speak(TEXT, 1)
    speech_provider.script = [422]
    with pytest.raises(ItemRefused, match="422"):
        speaker.speak(TEXT, 1)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-1")
    with pytest.raises(Refused, match=r"401.*\(key\)") as caught:
        open_voice("openai:tts-1/alloy@URL=f", kept).speak(TEXT, 1)
    assert "sk-wrong-1" not in str(caught.value) and kept.kept == {}
    assert speech_server.KEY not in repr(speaker) + speaker.spec


@pytest.mark.parametrize(
    "spec",
    [
        "openai:tts-1/alloy",
        "openai:tts-1=f",
        "openai:tts-1/alloy=x",
        "elevenlabs:abc",
        "elevenlabs:=f",
        "yamnet",
        "festival:kal",
    ],
)
def test_other_names_and_voices_without_a_gender_are_refused(spec, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("ELEVENLABS_API_KEY", "k")
    with pytest.raises(InvalidInput):
        voice(spec)


def test_the_providers_own_endpoints_need_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ELEVENLABS_API_KEY", raising=False)
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
        voice("openai:tts-1/alloy=f")
    with pytest.raises(InvalidInput, match="ELEVENLABS_API_KEY"):
        voice("elevenlabs:abc=f")
