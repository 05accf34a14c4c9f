"""Clips rendered in simulated rooms: label and direction of the direct sound, reverberation notwithstanding."""

import numpy as np
import pytest

from sonolake.audio.rooms import RoomRecipe, simulate_foa
from sonolake.spatial.records import ClipRecipe, SourcePlacement
from sonolake.spatial.render import ClipInputs, render

RATE = 24000
PLACES = [(30.0, 10.0, 0.7), (-100.0, -15.0, 1.5), (170.0, 0.0, 3.5), (85.0, 5.0, 4.0)]


@pytest.mark.parametrize(("azimuth", "elevation", "distance"), PLACES)
def test_impulse_in_a_reverberant_room(azimuth, elevation, distance):
    room = RoomRecipe("hall", (10.0, 9.0, 3.0), 0.8)
    response = simulate_foa(room, azimuth, elevation, distance, RATE)
    source = SourcePlacement("knock", "t", "r", 2.0, 2.5, azimuth, elevation, distance)
    recipe = ClipRecipe("train", "hall", "simulated", (source,), None, 10.0, -26.0, "SL", "sector_of")
    clip = render(recipe, ClipInputs({"t": (np.array([0.7]), RATE)}, {"r": (response, RATE)}))
    onset = clip.events[0].onset_s
    assert onset == pytest.approx(2.0 + distance / 343.0, abs=1e-3)
    w, y, z, x = clip.samples[round(onset * RATE) - 6 : round(onset * RATE) + 7].astype(float).T
    flow = np.array([w @ x, w @ y, w @ z])
    a, e = np.radians(azimuth), np.radians(elevation)
    asked = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
    assert np.degrees(np.arccos(np.clip(flow @ asked / np.linalg.norm(flow), -1, 1))) < 1.0
