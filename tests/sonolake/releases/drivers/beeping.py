"""A data set of beeps, for tests of rebuilding: a take played some times over an ambience."""

from dataclasses import dataclass

import numpy as np

from sonolake import Column
from sonolake.datasets import DataSet, Recipe, Rendered

RATE = 8_000


@dataclass(frozen=True)
class Beeps(Recipe):
    """A take played a number of times over an ambience."""

    take: str = ""
    ambience: str = ""
    times: int = 1
    gain: float = 0.3

    def layers(self):
        """What is heard."""
        return {self.take: "take", self.ambience: "ambience"}


def draw(slot, shelf):
    """One to three times, a take of the split."""
    takes = shelf.of("take")
    take = takes[int(slot.rng("take").integers(len(takes)))]["asset_id"]
    gain = round(float(slot.rng("gain").uniform(0.1, 0.4)), 6)
    return Beeps(
        slot.split, slot.number, take, shelf.of("ambience")[0]["asset_id"], 1 + slot.number % 3, gain
    )


def render(recipe, sounds):
    """The beeps, each second anew."""
    one = recipe.gain * sounds.mono(recipe.take, RATE) + 0.01 * sounds.mono(recipe.ambience, RATE)[:RATE]
    return Rendered(np.tile(one, recipe.times), RATE, {"times": recipe.times}, f"{recipe.times} beeps")


DATA_SET = DataSet(
    name="beeps",
    title="Counted beeps",
    description="One sound, one to three times.",
    recipe=Beeps,
    kinds=("take", "ambience"),
    draw=draw,
    render=render,
    columns=(Column("times", "BIGINT", "how often it sounds"),),
)
