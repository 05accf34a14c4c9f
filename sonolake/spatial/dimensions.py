"""The six reasoning dimensions of stage 2, their kinds of question, and how a category is read.

Two public numberings disagree (RMS-AQA's text and its scorer), so a category is read by its name;
an id alone is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from sonolake.errors import InvalidInput

STAGE_1 = "S1"
"""The dimension column of stage-1 questions."""

DIMENSIONS: Mapping[str, str] = MappingProxyType(
    {
        "SC": "Sound Counting",
        "SL": "Source Localization",
        "TD": "Temporal Detection",
        "SR": "Spatial Relations",
        "TR": "Temporal Relations",
        "AP": "Action Prediction",
    }
)
"""Abbreviation to name, in the order of the published scorer's ids 1 to 6."""

KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        STAGE_1: ("audible",),
        "SC": ("count_events", "count_classes", "count_repeats", "count_simultaneous"),
        "SL": ("sector_of", "event_at"),
        "TD": ("onset", "offset", "duration"),
        "SR": ("nearer", "farther"),
        "TR": ("relation", "first", "last"),
        "AP": ("step_first", "step_last"),
    }
)
"""Question kinds of each dimension."""

_SPELLINGS = {
    "soundcounting": "SC",
    "sourcelocalization": "SL",
    "sourcelocalisation": "SL",
    "sourcelocation": "SL",
    "spatiallocation": "SL",
    "spatiallocalization": "SL",
    "temporaldetection": "TD",
    "spatialrelation": "SR",
    "temporalrelation": "TR",
    "actionprediction": "AP",
}


def dimension_of(name: str) -> str:
    """The abbreviation of a category's name in any published spelling (``Temporal relation(s)``, ``TR`` ...).

    Raises:
        InvalidInput: for a name that is none of them, a bare number included.
    """
    if name.strip().upper() in DIMENSIONS:
        return name.strip().upper()
    folded = re.sub(r"[^a-z]", "", name.lower())
    found = _SPELLINGS.get(folded) or _SPELLINGS.get(folded.removesuffix("s"))
    if found is None:
        allowed = ", ".join(DIMENSIONS.values())
        cause = "ids differ between publications: give the name" if name.strip().isdigit() else ""
        raise InvalidInput("category name", f"one of {allowed}", name, cause)
    return found
