"""What a file's header promises about the samples behind it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """What a header says.

    Attributes:
        container: our name of the container, such as ``wav``.
        demuxer: libav's name of it, empty when libav does not read it.
        soundfile: libsndfile is tried first.
        frames: length declared, None when the header does not say.
        exact: the container counts frames, so one frame less is an early end.
        slack: frames by which a decoder may stop short of the promise without being doubted.
        cut: the bytes end inside a structure that announced more.
        broken: why the header cannot be believed; empty when it can.
    """

    container: str
    demuxer: str = ""
    soundfile: bool = True
    frames: int | None = None
    exact: bool = False
    slack: int = 0
    cut: bool = False
    broken: str = ""
