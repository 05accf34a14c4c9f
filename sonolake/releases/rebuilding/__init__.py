"""Releases made again: every sound from its record and the lake's sources, held against what was published."""

from sonolake.releases.rebuilding.comparing import Difference, differences
from sonolake.releases.rebuilding.makers import Maker, Remade, makers_of
from sonolake.releases.rebuilding.one import RebuiltItem, rebuild_item
from sonolake.releases.rebuilding.whole import Rebuilt, rebuild

__all__ = [
    "Difference",
    "Maker",
    "Rebuilt",
    "RebuiltItem",
    "Remade",
    "differences",
    "makers_of",
    "rebuild",
    "rebuild_item",
]
