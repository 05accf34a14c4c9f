"""What a file's header promises about the samples behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Trust = Literal["exact", "near", "guess"]


@dataclass(frozen=True)
class Promise:
    """What a header says.

    Attributes:
        container: our name of the container, such as ``wav``.
        demuxer: libav's name of it, empty when libav does not read it.
        soundfile: libsndfile is tried first.
        frames: length declared, None when the header does not say.
        trust: ``exact``: one frame less is an early end; ``near``: much less means that pieces are missing; ``guess``:
            an estimate, that nothing follows from.
        cut: the bytes end inside a structure that announced more.
        broken: why the header cannot be believed; empty when it can.
    """

    container: str
    demuxer: str = ""
    soundfile: bool = True
    frames: int | None = None
    trust: Trust = "near"
    cut: bool = False
    broken: str = ""
