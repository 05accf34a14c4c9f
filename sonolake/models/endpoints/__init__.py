"""Models of speech behind endpoints: recognisers and voices; asked as chat models are, with the same transport."""

from sonolake.models.endpoints.speaking import EndpointVoice, InMemory, Spoken
from sonolake.models.endpoints.specs import recogniser, voice

__all__ = ["EndpointVoice", "InMemory", "Spoken", "recogniser", "voice"]
