"""Models of speech behind endpoints: recognisers; asked as chat models are, with the same transport."""

from sonolake.models.endpoints.specs import recogniser

__all__ = ["recogniser"]
