"""AudioSet classes that are vocal events of the taxonomy, or near enough that speech should not be cut there."""

from __future__ import annotations

VOCAL_CLASSES = (
    "Laughter",
    "Baby laughter",
    "Giggle",
    "Snicker",
    "Belly laugh",
    "Chuckle, chortle",
    "Crying, sobbing",
    "Whimper",
    "Wail, moan",
    "Sigh",
    "Groan",
    "Grunt",
    "Breathing",
    "Gasp",
    "Pant",
    "Snort",
    "Cough",
    "Throat clearing",
    "Screaming",
    "Shout",
    "Yell",
    "Bellow",
    "Whoop",
)
"""Display names in the spelling of AudioSet's class list."""
