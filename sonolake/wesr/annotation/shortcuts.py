"""Keys of the annotation page: a letter a discrete tag, shift and a letter a continuous one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "laughs": "l",
        "chuckle": "k",
        "giggle": "g",
        "crowd_laughter": "w",
        "cry": "y",
        "sobbing": "b",
        "cough": "c",
        "clear_throat": "t",
        "scream": "m",
        "roar": "r",
        "shout": "h",
        "breathing": "e",
        "inhale": "i",
        "exhale": "x",
        "sigh": "s",
        "laughing": "L",
        "crying": "C",
        "shouting": "H",
        "panting": "P",
        "whispering": "W",
        "singing": "S",
    }
)
"""The key of each tag."""
