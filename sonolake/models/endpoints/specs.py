"""Models of speech by name: one of the registry, or one behind an endpoint."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable

from sonolake.errors import InvalidInput
from sonolake.models.base import Recogniser, Voice
from sonolake.models.chat import openai
from sonolake.models.chat.specs import KEYS
from sonolake.models.endpoints import elevenlabs
from sonolake.models.endpoints.elevenlabs import ElevenLabs
from sonolake.models.endpoints.openai_speech import OpenAiSpeech
from sonolake.models.endpoints.speaking import EndpointVoice, Spoken
from sonolake.models.endpoints.transcription import EndpointRecogniser
from sonolake.models.registry import get
from sonolake.transport import Transport

_OPENAI = re.compile(r"openai:([^@\s]+)(?:@(\S+))?")
_OPENAI_VOICE = re.compile(r"openai:([^@\s]+)/([^@/\s]+)(?:@(\S+?))?")
_ELEVENLABS = re.compile(r"elevenlabs:(\w+)(?:/([\w.-]+))?(?:@(\S+?))?")
VOICES = "hibari:heart, kokoro:NAME, openai:MODEL/VOICE@URL=f:LICENCE or elevenlabs:VOICE=m:LICENCE"


def recogniser(
    spec: str = "whisper:base",
    key_from: str = "",
    timeout_s: float = 300.0,
    pause: Callable[[float], object] = time.sleep,
) -> Recogniser:
    """The recogniser that a spec names.

    Args:
        spec: ``whisper:base``, ``whisper:tiny.en``, ``whisper:FOLDER``, ``openai:MODEL`` or ``openai:MODEL@URL``.
        key_from: the environment variable with the key; ``OPENAI_API_KEY`` when empty.
        timeout_s: for one answer.
        pause: waits so many seconds.

    Raises:
        InvalidInput: for another spec, or no key where the provider's own endpoint needs one.
        MissingPackage: when what runs it is not installed.
    """
    if not spec.startswith("openai:"):
        found: Recogniser = get(spec)
        if not isinstance(found, Recogniser):
            raise InvalidInput("recogniser", "whisper:base, whisper:FOLDER or openai:MODEL@URL", spec)
        return found
    match = _OPENAI.fullmatch(spec)
    if match is None:
        raise InvalidInput("recogniser", "openai:MODEL or openai:MODEL@URL", spec)
    model, url = match.groups()
    return EndpointRecogniser(model, openai_transport(url, key_from, timeout_s, pause))


def openai_transport(
    url: str | None, key_from: str, timeout_s: float, pause: Callable[[float], object], asks: bool = True
) -> Transport:
    """The way to an OpenAI-compatible endpoint, the provider's own without ``url``.

    Raises:
        InvalidInput: without a key for the provider's own, where it is asked.
    """
    variable = key_from or KEYS["openai"]
    key = os.environ.get(variable, "")
    if asks and not key and url is None:
        raise InvalidInput("key of openai", f"one in the environment variable {variable}", "none")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return Transport(url or openai.URL, headers, key, timeout_s, pause=pause)


def voice(
    spec: str,
    kept: Spoken | None = None,
    timeout_s: float = 300.0,
    pause: Callable[[float], object] = time.sleep,
    asks: bool = True,
) -> Voice:
    """The voice that a spec names; the key is in ``OPENAI_API_KEY`` or ``ELEVENLABS_API_KEY``.

    Args:
        spec: one of the registry (``hibari:heart``, ``kokoro:af_heart``), or one behind an endpoint with its gender, as
            ``openai:MODEL/VOICE=f``, ``openai:MODEL/VOICE@URL=f`` or ``elevenlabs:VOICE=m``. The licence of what it
            speaks, which is between the user and the provider, may follow: ``elevenlabs:VOICE=m:CC-BY-4.0``.
        kept: where the answers of endpoints are kept.
        timeout_s: for one answer.
        pause: waits so many seconds.
        asks: whether endpoints are asked for what is not kept.

    Raises:
        InvalidInput: for another spec, no gender, or no key where the provider's own endpoint needs one.
        MissingPackage: when what runs it is not installed.
    """
    name, _, said = spec.rpartition("=")
    gender, _, licence = said.partition(":")
    if spec.startswith("elevenlabs:") and (match := _ELEVENLABS.fullmatch(name)):
        identity, model, url = match.groups()
        speaker = ElevenLabs(identity, _elevenlabs(url, timeout_s, pause, asks), model or elevenlabs.MODEL)
        return EndpointVoice(speaker, gender, kept, licence, asks)
    if spec.startswith("openai:") and (match := _OPENAI_VOICE.fullmatch(name)):
        model, identity, url = match.groups()
        transport = openai_transport(url, "", timeout_s, pause, asks)
        return EndpointVoice(OpenAiSpeech(model, identity, transport), gender, kept, licence, asks)
    if spec.startswith(("elevenlabs:", "openai:")):
        raise InvalidInput("voice", VOICES, spec, "the gender after = is missing, or the voice")
    found: Voice = get(spec)
    if not isinstance(found, Voice):
        raise InvalidInput("voice", VOICES, spec)
    return found


def _elevenlabs(url: str | None, timeout_s: float, pause: Callable[[float], object], asks: bool) -> Transport:
    key = os.environ.get(elevenlabs.KEY, "")
    if asks and not key and url is None:
        raise InvalidInput("key of ElevenLabs", f"one in the environment variable {elevenlabs.KEY}", "none")
    headers = {"xi-api-key": key} if key else {}
    return Transport(url or elevenlabs.URL, headers, key, timeout_s, pause=pause)
