"""Stems as 16-bit files that still add up."""

from __future__ import annotations

from collections.abc import Mapping

from sonolake.audio.encode import Pcm16, quantise
from sonolake.audio.signals import Signal


def pcm_stems(stems: Mapping[str, Signal]) -> dict[str, Pcm16]:
    """Each stem as PCM of 16 bits, each one's rounding error carried into the next.

    Added as integers they are within one step of the quantised sum of the stems, however many there are; a stem is at
    most one step from its own value.

    Args:
        stems: by name, equal lengths, each within ±1.0 with its carried error.

    Raises:
        InvalidInput: for a stem over full scale.
    """
    pcm: dict[str, Pcm16] = {}
    carried: Signal | float = 0.0
    for name, x in stems.items():
        wanted = x + carried
        pcm[name] = quantise(wanted)
        carried = wanted - pcm[name] / 32768.0
    return pcm
