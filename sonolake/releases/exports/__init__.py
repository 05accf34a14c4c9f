"""A release in the formats of others: :func:`export` writes items, :data:`FORMATS` says how."""

from sonolake.releases.exports.formats import FORMATS, format_of
from sonolake.releases.exports.running import Exported, export

__all__ = ["FORMATS", "Exported", "export", "format_of"]
