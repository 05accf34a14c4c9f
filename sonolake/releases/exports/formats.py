"""All formats by name."""

from __future__ import annotations

from sonolake.errors import InvalidInput
from sonolake.releases.exports.lhotse import Manifests, Shar
from sonolake.releases.exports.webdataset import WebDataset
from sonolake.releases.exports.writer import Format

_ALL = (
    Format("webdataset", "WebDataset", True, WebDataset),
    Format("lhotse", "lhotse", True, Manifests),
    Format("lhotse-shar", "lhotse Shar", True, Shar),
)
FORMATS = {one.name: one for one in _ALL}


def format_of(name: str) -> Format:
    """The format of that name.

    Raises:
        InvalidInput: when there is none.
    """
    if name not in FORMATS:
        raise InvalidInput("format", f"one of {', '.join(FORMATS)}", name)
    return FORMATS[name]
