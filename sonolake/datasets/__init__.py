"""A data set of one's own: recipes, the steps that make its items, its splits and its release.

A :class:`DataSet` declares what items are made from (``draw``), how they sound (``render``) and what is told of each
(``columns``); the rest is here: :func:`take_in` sounds, :func:`split_assets`, :func:`plan_items`, :func:`make_items`,
:func:`release`. Every step commits once a batch, accounts for every item, and does only what is missing when run again.
"""

from sonolake.datasets.contents import content_of, release
from sonolake.datasets.dataset import DataSet, Rendered, Shown
from sonolake.datasets.intake import take_in
from sonolake.datasets.items import make_items
from sonolake.datasets.ledgers import split_assets, split_rooms, split_sources, split_speakers
from sonolake.datasets.planning import Planned, plan_items
from sonolake.datasets.recipe import Recipe, Slot
from sonolake.datasets.settings import read_settings
from sonolake.datasets.shelves import Shelf
from sonolake.datasets.sounds import Sounds

__all__ = [
    "DataSet",
    "Planned",
    "Recipe",
    "Rendered",
    "Shelf",
    "Shown",
    "Slot",
    "Sounds",
    "content_of",
    "make_items",
    "plan_items",
    "read_settings",
    "release",
    "split_assets",
    "split_rooms",
    "split_sources",
    "split_speakers",
    "take_in",
]
