"""Dry sounds of a home: what every take passes before a clip is made of it, wherever it comes from.

One class of the list (:mod:`~sonolake.spatial.domestic`) and no other sound named with it, neither clipped nor hardly
audible, and long enough once it is trimmed (RMS-AQA, section 2.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sonolake.audio.levels import trim
from sonolake.audio.loudness import loudness
from sonolake.audio.signals import Signal
from sonolake.errors import ItemRefused
from sonolake.spatial.domestic import class_of_event
from sonolake.spatial.render import TRIM_DB as HEARD_DB

TRIM_DB = 60.0
"""A sound starts and ends where it first and last reaches this level under its peak."""
SHORTEST_S = 0.1
"""A sound of less, trimmed, is not kept."""
QUIETEST_LUFS = -60.0
"""A sound of less is hardly more than its recorder's noise."""


@dataclass(frozen=True)
class DrySound:
    """What is known of a dry sound.

    Attributes:
        event: its class of the list.
        duration_s: of what a clip would have of it, trimmed as clips are.
        loudness_lufs: of the trimmed sound.
    """

    event: str
    duration_s: float
    loudness_lufs: float


def dry_sound(event: str, heard: Iterable[str], flags: Collection[str], x: Signal, rate: int) -> DrySound:
    """A take as a dry sound.

    Args:
        event: what its source calls it.
        heard: everything else that its source says is in it.
        flags: of its file.
        x: ``(frames,)``.
        rate: Hz.

    Raises:
        ItemRefused: ``not_domestic``, ``several_sources``, ``clipped``, ``silent``, ``too_short``, ``too_quiet``.
    """
    name = class_of_event(event, heard).name
    if "clipped" in flags:
        raise clipped("the take")
    x, level = checked(x, rate)
    return DrySound(name, len(trim(x, HEARD_DB)) / rate, round(level, 2))


def clipped(what: str) -> ItemRefused:
    """Why a clipped sound is not used."""
    return ItemRefused("clipped", f"{what} has samples above full scale, or flat tops at it")


def checked(x: Signal, rate: int) -> tuple[Signal, float]:
    """A sound without the silence around it, and its loudness in LUFS.

    Args:
        x: ``(frames,)``.
        rate: Hz.

    Raises:
        ItemRefused: ``silent``, ``too_short``, ``too_quiet``.
    """
    x = trim(x, TRIM_DB)
    if len(x) < SHORTEST_S * rate:
        raise ItemRefused("too_short", f"{len(x) / rate:.3f} s of sound, less than {SHORTEST_S} s")
    if (level := loudness(x, rate)) < QUIETEST_LUFS:
        raise ItemRefused("too_quiet", f"{level:.1f} LUFS, less than {QUIETEST_LUFS}")
    return x, level
