"""What undeclared four-channel files look like, by their header and by their energies; the latter decide nothing."""

from __future__ import annotations

import math

import numpy as np

from sonolake.audio.foa import Convention, normalisation_hint
from sonolake.audio.signals import Signal

RATIOS: dict[Convention, float] = {"ambix": 1.0, "fuma": 2.0, "n3d": 3.0}
"""Energy of the other three channels over the first one's, of plane waves and of diffuse fields alike."""
B_FORMAT = bytes.fromhex("2107d3118644c8c1ca000000")
"""The end of the sub-format of ``.amb`` files: B-format in the order and weights of Furse and Malham."""
_LIKELY = (0.5, 6.0)


def is_amb(data: bytes) -> bool:
    """Whether a file is a WAVE file that says in its header that it holds B-format (``.amb``, Dobson 2000)."""
    if data[:4] not in (b"RIFF", b"RF64") or data[8:12] != b"WAVE":
        return False
    at = data.find(b"fmt ", 12, 4096)
    return at >= 0 and data[at + 8 : at + 10] == b"\xfe\xff" and data[at + 36 : at + 48] == B_FORMAT


def convention_hint(x: Signal) -> str:
    """A sentence for a person about which convention four channels may have.

    The ratio of energies tells normalisations apart. Sounds are near the horizon as a rule, so the weakest of the three
    is often Z, which is the third channel of ACN and the fourth of FuMa.

    Args:
        x: ``(frames, 4)``.

    Raises:
        InvalidInput: for other than four channels.
    """
    ratio = normalisation_hint(x)
    said = f"channels 2 to 4 hold {ratio:.2g} times the energy of channel 1"
    if not _LIKELY[0] <= ratio <= _LIKELY[1]:
        return f"{said}, unlike any convention: perhaps no Ambisonics"
    nearest = min(RATIOS, key=lambda name: abs(math.log(ratio / RATIOS[name])))
    weakest = 2 + int(np.argmin(np.sum(x[:, 1:] ** 2, axis=0)))
    order = {
        3: ", and the third is the weakest, as Z in ambix and n3d",
        4: ", and the fourth is the weakest, as Z in fuma",
    }
    return f"{said}, as in {nearest} ({_all()}){order.get(weakest, '')}"


def _all() -> str:
    return ", ".join(f"{name} {ratio:.0f}" for name, ratio in RATIOS.items())
