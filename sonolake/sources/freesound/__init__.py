"""Freesound: searches by its API (version 2), and items with their previews or originals that an intake can take.

A client of our own: no client of it on the registries is both current and careful with the key, its limits and broken
answers. Nothing here writes to a lake.
"""

from __future__ import annotations

from sonolake.sources.freesound.catalogue import Catalogue
from sonolake.sources.freesound.listing import Listing
from sonolake.sources.freesound.query import PREFIX, Query, read_ids, words_of
from sonolake.sources.freesound.search import Search, require_fitting
from sonolake.sources.freesound.sounds import Sound, item_of

__all__ = [
    "PREFIX",
    "Catalogue",
    "Listing",
    "Query",
    "Search",
    "Sound",
    "item_of",
    "read_ids",
    "require_fitting",
    "words_of",
]
