"""Public sets of sounds as sources of takes: their layouts are read, and each sound is checked and cut out."""

from sonolake.sources.takes.unpacking import LAYOUTS, UnpackedTakes, unpack_takes

__all__ = ["LAYOUTS", "UnpackedTakes", "unpack_takes"]
