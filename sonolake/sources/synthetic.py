"""Source folders of procedural sounds: takes, vocal events and the ambiences of locations.

An ambience and its diffuse form have one source id: they are one recording, and never come in two splits.

Every folder has a ``manifest.csv`` with the contract's headers, ``synthetic`` (true) and ``recipe``. The bytes depend
on the recipe alone, and what is there already is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from sonolake.audio.encode import flac_bytes, quantise
from sonolake.audio.foa import encode
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput
from sonolake.ids import make_id
from sonolake.sources.making import MadeFolder, Product, write_products
from sonolake.sources.procedural.catalog import LOCATIONS, TAKES, VOCALS, SoundKind
from sonolake.sources.procedural.parts import RATE
from sonolake.sources.procedural.recipe import SoundRecipe, kinds

FOA_RATE = 24_000
"""Sample rate of Ambisonics, Hz, as in DCASE."""
_CUBE = tuple((azimuth, elevation) for elevation in (35.2644, -35.2644) for azimuth in (45, 135, -135, -45))
"""Directions of a cube's corners: plane waves from them make a field that is isotropic to first order."""


def write_takes(dest: Path, names: Sequence[str] | None = None, variants: int = 3) -> MadeFolder:
    """Write takes of isolated events, mono FLAC at 44.1 kHz.

    Args:
        dest: the folder.
        names: names of the catalogue (``doorbell``) or event ids (``home_indoor/doorbell``); all takes by default.
        variants: how many clearly different ones of each.

    Raises:
        InvalidInput: for a name that no take has.
    """
    return write_products(dest, _sounds(_chosen(TAKES, names), variants), "event")


def write_vocals(dest: Path, names: Sequence[str] | None = None, variants: int = 3) -> MadeFolder:
    """Write wordless human sounds, mono FLAC at 44.1 kHz; the arguments are those of :func:`write_takes`.

    Raises:
        InvalidInput: for a name that no vocal sound has.
    """
    return write_products(dest, _sounds(_chosen(VOCALS, names), variants), "event")


def write_ambiences(dest: Path, locations: Sequence[str] | None = None, variants: int = 3) -> MadeFolder:
    """Write ambiences of locations, mono FLAC at 44.1 kHz, 16 s each.

    Args:
        dest: the folder.
        locations: CARES locations; all 13 by default.
        variants: how many of each.

    Raises:
        InvalidInput: for an unknown location.
    """
    return write_products(dest, _beds(locations, variants, diffuse=False), "location")


def write_foa_ambiences(dest: Path, locations: Sequence[str] | None = None, variants: int = 1) -> MadeFolder:
    """Write diffuse ambiences, four-channel AmbiX FLAC at 24 kHz; the arguments are those of :func:`write_ambiences`.

    Raises:
        InvalidInput: for an unknown location.
    """
    return write_products(dest, _beds(locations, variants, diffuse=True), "location")


def diffuse(bed: Signal) -> Signal:
    """A diffuse AmbiX field ``(frames, 4)`` from a mono bed: eight parts of it, each from a corner of a cube.

    The bed is closed to a circle by a cross-fade of half a second, so that each part starts elsewhere in it without
    a click; parts so far apart in time are not correlated, and W keeps the bed's energy.
    """
    overlap = round(0.5 * RATE)
    ramp = np.sin(np.pi / 2 * (np.arange(overlap) + 0.5) / overlap)
    circle = bed[: len(bed) - overlap].copy()
    circle[:overlap] = circle[:overlap] * ramp + bed[len(bed) - overlap :] * ramp[::-1]
    parts = [np.roll(circle, i * len(circle) // len(_CUBE)) for i in range(len(_CUBE))]
    field = [encode(part, *direction) for part, direction in zip(parts, _CUBE, strict=True)]
    return np.asarray(np.sum(field, axis=0) / np.sqrt(len(_CUBE)))


def _chosen(pool: tuple[SoundKind, ...], names: Sequence[str] | None) -> list[SoundKind]:
    known = {key: kind for kind in pool for key in (kind.name, kind.event_id)}
    for name in names or ():
        if name not in known:
            raise InvalidInput("name", f"one of {', '.join(kind.name for kind in pool)}", name)
    return list(dict.fromkeys(known[name] for name in names)) if names is not None else list(pool)


def _sounds(chosen: Sequence[SoundKind], variants: int) -> Iterator[Product]:
    for kind in chosen:
        for variant in range(variants):
            recipe = SoundRecipe(kind.name, variant)
            path = f"procedural/{kind.event_id}-{variant + 1:02d}.flac"
            yield Product(_row(recipe, path), recipe.recipe_id, partial(_mono_flac, recipe, path))


def _beds(locations: Sequence[str] | None, variants: int, diffuse: bool) -> Iterator[Product]:
    for location in locations if locations is not None else LOCATIONS:
        if location not in LOCATIONS:
            raise InvalidInput("location", f"one of {', '.join(LOCATIONS)}", location)
        for variant in range(variants):
            recipe = SoundRecipe(f"{location}_ambience", variant)
            if diffuse:
                path = f"procedural/foa/{location}-{variant + 1:02d}.flac"
                row = {**_row(recipe, path), "location": location, "convention": "ambix"}
                whole = make_id("diffuse", {"bed": recipe.recipe_id, "rate": FOA_RATE})
                yield Product(row, whole, partial(_diffuse_flac, recipe, path))
            else:
                path = f"procedural/{location}-{variant + 1:02d}.flac"
                row = {**_row(recipe, path), "location": location}
                yield Product(row, recipe.recipe_id, partial(_mono_flac, recipe, path))


def _row(recipe: SoundRecipe, path: str) -> Mapping[str, str]:
    kind = kinds()[recipe.name]
    return {
        "path": path,
        "source_id": f"procedural:{kind.name}:{recipe.variant + 1}",
        "title": f"{kind.title}, synthetic {recipe.variant + 1}",
        **({"event": kind.event_id} if kind.kind != "ambience" else {}),
    }


def _mono_flac(recipe: SoundRecipe, path: str) -> dict[str, bytes]:
    return {path: flac_bytes(quantise(recipe.render()), RATE)}


def _diffuse_flac(recipe: SoundRecipe, path: str) -> dict[str, bytes]:
    field = diffuse(recipe.render())
    channels = [resample(field[:, channel], RATE, FOA_RATE) for channel in range(4)]
    return {path: flac_bytes(quantise(np.stack(channels, axis=1)), FOA_RATE)}
