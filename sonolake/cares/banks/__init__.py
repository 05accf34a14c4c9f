"""The banks: what scenes are made of, as validated data files.

Locations, role pairs, sounds, reactions with their registers, inline tags, forbidden pairs, matters and the
lines of the embedded writer. A team replaces any of them, or adds to it, by a file of the same name in a folder of
its own (:func:`load_banks`); :data:`sonolake.cares.banks.fields.SCHEMA` says what the rows of each hold.
"""

from sonolake.cares.banks.load import default_banks, load_banks
from sonolake.cares.banks.matter import Fix, Matter, Person, Trouble
from sonolake.cares.banks.model import Banks, Location, Reaction, Register, Relation, Sound, Tag

__all__ = [
    "Banks",
    "Fix",
    "Location",
    "Matter",
    "Person",
    "Reaction",
    "Register",
    "Relation",
    "Sound",
    "Tag",
    "Trouble",
    "default_banks",
    "load_banks",
]
