"""The banks: what scenes are made of, as validated data files.

Locations, role pairs, sounds, reactions with their registers, inline tags, forbidden pairs, situations and the
lines of the embedded writer. A team replaces any of them, or adds to it, by a file of the same name in a folder of
its own (:func:`load_banks`); :data:`sonolake.cares.banks.fields.SCHEMA` says what the rows of each hold.
"""

from sonolake.cares.banks.load import default_banks, load_banks
from sonolake.cares.banks.model import Banks, Location, Reaction, Register, Relation, Situation, Sound, Tag

__all__ = [
    "Banks",
    "Location",
    "Reaction",
    "Register",
    "Relation",
    "Situation",
    "Sound",
    "Tag",
    "default_banks",
    "load_banks",
]
