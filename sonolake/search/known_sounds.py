"""Sounds whose names are known, to try encoders on: synthetic ones, and real ones of packages that are installed."""

from __future__ import annotations

import csv
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

MADE = (
    "dog_bark", "cat_meow", "cow_moo", "duck_quack", "frog_croak", "horse_neigh", "owl_hoot", "pig_grunt",
    "rooster_crow", "sheep_bleat", "vocal_laughs", "vocal_cough", "vocal_cry", "glass_break", "siren_pass", "thunder",
    "door_knock", "keyboard_typing", "applause", "whistle", "church_bell", "car_horn", "water_drip", "vacuum",
    "footsteps",
)  # fmt: skip
"""Names of the catalogue of synthetic sounds."""
VARIANTS = 3
LAUGHS = 3
"""Real laughs at most, so that one kind does not make up the figures."""
LONGEST_S = 6.0
MADE_HZ = 44_100


@dataclass(frozen=True)
class KnownSound:
    """A mono sound ``(frames,)`` of full scale ±1.0, its rate in Hz, its event, and the words for it."""

    event: str
    words: str
    samples: npt.NDArray[np.float64]
    rate: int


def known_sounds() -> list[KnownSound]:
    """The sounds, the same ones every time; with those of packages, where they are installed."""
    from sonolake.sources.procedural.recipe import SoundRecipe

    recipes = [SoundRecipe(name, variant) for name in MADE for variant in range(VARIANTS)]
    made = [
        KnownSound(one.kind.event_id, one.kind.title, one.render()[: round(LONGEST_S * MADE_HZ)], MADE_HZ)
        for one in recipes
    ]
    titles = {one.event: one.words for one in made}
    return made + list(_packaged(titles))


def _packaged(titles: dict[str, str]) -> Iterator[KnownSound]:
    from sonolake.audio.decode import decode
    from sonolake.sources.packaged import write_packaged

    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="sonolake-") as folder:
        for kind in ("takes", "vocal"):
            write_packaged(Path(folder) / kind, kind)
            with (Path(folder) / kind / "manifest.csv").open(newline="", encoding="utf-8") as stream:
                rows = list(csv.DictReader(stream))
            for row in sorted(rows, key=lambda row: row["path"]):
                event = row["event"]
                seen[event] += 1
                if event not in titles or seen[event] > LAUGHS:
                    continue
                decoded = decode((Path(folder) / kind / row["path"]).read_bytes())
                most = round(LONGEST_S * decoded.sample_rate)
                yield KnownSound(
                    event, titles[event], decoded.samples.mean(axis=1)[:most], decoded.sample_rate
                )
