"""Each benchmark's scorer as one Python file that needs nothing but Python: our own functions, put together."""

from sonolake.releases.exports.scorers.assembling import assemble
from sonolake.releases.exports.scorers.writing import SCORERS, scorer

__all__ = ["SCORERS", "assemble", "scorer"]
