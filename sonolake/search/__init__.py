"""Finding assets by words, by a sound, or both, with SQL filters that are applied first.

Every kind of query ranks the assets by their nearest window; the ranked lists are fused by reciprocal rank. At
this size the search is exact. Encoders are given, or the packaged ones are taken.
"""

from sonolake.search.embedding import sentence_of, sound_rows, text_rows
from sonolake.search.encoders import Encoder, Encoders, Sound, packaged, sound_of
from sonolake.search.filters import Searchable
from sonolake.search.fusion import RRF_K
from sonolake.search.search import SCHEMA, search

__all__ = [
    "RRF_K",
    "SCHEMA",
    "Encoder",
    "Encoders",
    "Searchable",
    "Sound",
    "packaged",
    "search",
    "sentence_of",
    "sound_of",
    "sound_rows",
    "text_rows",
]
