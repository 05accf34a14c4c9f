"""Recipes of synthetic sounds: a name of the catalogue and a variant, rendered by a pure function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput
from sonolake.ids import make_id
from sonolake.sources.procedural.catalog import CATALOG, SoundKind
from sonolake.sources.procedural.voicing import Voicing

Generator = Callable[[Voicing], Signal]
AUTHOR = "sonolake procedural"
LICENCE = "CC0-1.0"


@cache
def kinds() -> dict[str, SoundKind]:
    """The catalogue by name."""
    return {kind.name: kind for kind in CATALOG}


@dataclass(frozen=True)
class SoundRecipe:
    """One variant of one sound.

    Args:
        name: a name of the catalogue.
        variant: which one, from 0.

    Raises:
        InvalidInput: for a name that is not in the catalogue, or a negative variant.
    """

    name: str
    variant: int

    def __post_init__(self) -> None:
        if self.name not in kinds():
            raise InvalidInput("sound", f"a name among {', '.join(sorted(kinds()))}", self.name)
        if self.variant < 0:
            raise InvalidInput("variant", "0 or more", self.variant)

    @property
    def kind(self) -> SoundKind:
        """The recipe's entry of the catalogue."""
        return kinds()[self.name]

    @property
    def recipe_id(self) -> str:
        """The recipe's own name, a hash of its two values; it seeds all that is random in it."""
        return make_id("sound", {"name": self.name, "variant": self.variant})

    def render(self) -> Signal:
        """The sound: mono ``(frames,)``, 44.1 kHz, peak at most 1.0; the same every time."""
        return _generators()[self.name](Voicing(self.name, self.variant, self.recipe_id))


@cache
def _generators() -> dict[str, Generator]:
    from sonolake.sources.procedural import (
        ambiences,
        animals,
        bells,
        handling,
        impacts,
        machines,
        nature,
        signals,
        traffic,
        vocals,
    )

    rooms = (ambiences, animals, bells, handling, impacts, machines, nature, signals, traffic, vocals)
    return {name: generator for room in rooms for name, generator in room.SOUNDS.items()}
