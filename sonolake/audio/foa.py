"""First-order Ambisonics. Everywhere inside: AmbiX, that is ACN order W, Y, Z, X and SN3D normalisation.

X points to the front, Y to the left, Z up. Azimuth is counter-clockwise in degrees, 0 in front, +90 at the left,
in [-180, 180); elevation is in [-90, 90], + up. A plane wave of amplitude 1 has W = 1, Y = sin(az) cos(el),
Z = sin(el), X = cos(az) cos(el) (Nachbar, Zotter, Deleflie, Sontacchi 2011, AmbiX, section 2). Loudness of a scene is
measured on W alone, so that it does not depend on direction.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.signals import Signal, as_mono
from sonolake.errors import InvalidInput

Convention = Literal["ambix", "n3d", "fuma"]
"""``ambix``: ACN/SN3D. ``n3d``: ACN, Y Z X times sqrt(3). ``fuma``: order W X Y Z, W times 1/sqrt(2)."""


def gains(azimuth_deg: float, elevation_deg: float) -> NDArray[np.float64]:
    """The four AmbiX gains of a plane wave from a direction, shape ``(4,)``."""
    az, el = np.radians(azimuth_deg), np.radians(elevation_deg)
    wave: NDArray[np.float64] = np.array([1.0, np.sin(az) * np.cos(el), np.sin(el), np.cos(az) * np.cos(el)])
    return wave


def encode(x: Signal, azimuth_deg: float, elevation_deg: float) -> Signal:
    """A mono signal as a plane wave: ``(frames, 4)`` AmbiX.

    Raises:
        InvalidInput: when ``x`` is not mono or the elevation is outside [-90, 90].
    """
    if not -90 <= elevation_deg <= 90:
        raise InvalidInput("elevation_deg", "degrees in [-90, 90]", elevation_deg)
    return as_mono(x)[:, None] * gains(azimuth_deg, elevation_deg)


def to_ambix(x: Signal, convention: Convention) -> Signal:
    """Four channels in ``convention`` as AmbiX.

    Raises:
        InvalidInput: for an unknown convention or other than four channels.
    """
    order, scale = _layout(convention)
    scene: Signal = _scene(x)[:, np.argsort(order)] / scale
    return scene


def from_ambix(x: Signal, convention: Convention) -> Signal:
    """The inverse of :func:`to_ambix`.

    Raises:
        InvalidInput: for an unknown convention or other than four channels.
    """
    order, scale = _layout(convention)
    return (_scene(x) * scale)[:, order]


def _layout(convention: Convention) -> tuple[list[int], Signal]:
    """Which ACN channel stands where, and the gain of each ACN channel against SN3D."""
    if convention == "ambix":
        return [0, 1, 2, 3], np.ones(4)
    if convention == "n3d":
        return [0, 1, 2, 3], np.sqrt([1.0, 3.0, 3.0, 3.0])
    if convention == "fuma":
        return [0, 3, 1, 2], np.sqrt([0.5, 1.0, 1.0, 1.0])
    raise InvalidInput("convention", f"one of {get_args(Convention)}", convention)


def direction(x: Signal) -> tuple[float, float]:
    """Azimuth and elevation in degrees of the mean active intensity of an AmbiX scene.

    Intensity is the mean of W times (X, Y, Z) (Merimaa and Pulkki 2005, equation 7); for one plane wave it
    points at it.

    Raises:
        InvalidInput: when there is no direction (silence, or intensities that cancel).
    """
    scene = _scene(x)
    iy, iz, ix = scene[:, 0] @ scene[:, 1:]
    if not np.hypot(np.hypot(ix, iy), iz) > 0:
        raise InvalidInput("x", "a scene with a net flow of energy", "none", "silence")
    return wrap_azimuth(float(np.degrees(np.arctan2(iy, ix)))), float(
        np.degrees(np.arctan2(iz, np.hypot(ix, iy)))
    )


def wrap_azimuth(azimuth_deg: float) -> float:
    """``azimuth_deg`` in [-180, 180)."""
    wrapped = float((azimuth_deg + 180.0) % 360.0 - 180.0)
    return -180.0 if wrapped >= 180.0 else wrapped


def rotate_z(x: Signal, degrees: float) -> Signal:
    """An AmbiX scene turned counter-clockwise about the vertical axis: azimuths grow by ``degrees``."""
    scene, turn = _scene(x), np.radians(degrees)
    y, front = scene[:, 1], scene[:, 3]
    out = scene.copy()
    out[:, 1], out[:, 3] = y * np.cos(turn) + front * np.sin(turn), front * np.cos(turn) - y * np.sin(turn)
    return out


def normalisation_hint(x: Signal) -> float:
    """Energy of channels 2 to 4 over that of channel 1; infinity without W.

    Plane waves and diffuse fields give 1 for SN3D, 3 for N3D and 2 for FuMa. A hint only: true-stereo responses and
    raw capsules land anywhere, so it never decides a convention.
    """
    scene = _scene(x)
    omni, rest = float(np.sum(scene[:, 0] ** 2)), float(np.sum(scene[:, 1:] ** 2))
    return rest / omni if omni else float("inf")


def _scene(x: Signal) -> Signal:
    if x.ndim != 2 or x.shape[1] != 4:
        raise InvalidInput("x", "shape (frames, 4)", x.shape, "not first-order Ambisonics")
    return x
