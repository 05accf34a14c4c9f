"""A sign for each kind of sound beside its colour, for eyes that do not tell the colours apart."""

from __future__ import annotations

MARKS = {"pivot": "◆", "verbal": "●", "behavioral": "▲", "ambient": "≈", "tag": "✳"}
"""By kind of track; speech, ambience and plain events have none."""
