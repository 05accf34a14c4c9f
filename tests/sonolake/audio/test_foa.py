import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.foa import (
    direction,
    encode,
    from_ambix,
    gains,
    normalisation_hint,
    rotate_z,
    to_ambix,
    wrap_azimuth,
)
from sonolake.errors import InvalidInput

AZIMUTH, ELEVATION = st.floats(-180, 179.99), st.floats(-85, 85)


@pytest.mark.parametrize(
    ("azimuth", "elevation", "wyzx"),
    [
        (0, 0, (1, 0, 0, 1)),
        (90, 0, (1, 1, 0, 0)),
        (-90, 0, (1, -1, 0, 0)),
        (180, 0, (1, 0, 0, -1)),
        (0, 90, (1, 0, 1, 0)),
        (45, 45, (1, 0.5, np.sqrt(0.5), 0.5)),
    ],
)
def test_plane_waves_by_hand(azimuth, elevation, wyzx):
    assert gains(azimuth, elevation) == pytest.approx(wyzx, abs=1e-12)


def test_fuma_and_n3d_of_one_wave():
    """Front left at 30 degrees: FuMa has order W X Y Z with W at -3 dB, N3D has sqrt(3) on the dipoles."""
    scene = encode(np.ones(1), 30, 0)
    assert from_ambix(scene, "fuma")[0] == pytest.approx([np.sqrt(0.5), np.sqrt(0.75), 0.5, 0])
    assert from_ambix(scene, "n3d")[0] == pytest.approx([1, np.sqrt(3) / 2, 0, 1.5])


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["ambix", "n3d", "fuma"]))
def test_conventions_round_trip(seed, convention):
    x = np.random.default_rng(seed).standard_normal((64, 4))
    assert to_ambix(from_ambix(x, convention), convention) == pytest.approx(x)
    assert from_ambix(to_ambix(x, convention), convention) == pytest.approx(x)


@settings(deadline=None, max_examples=80)
@given(AZIMUTH, ELEVATION)
def test_the_direction_of_a_wave_is_found(azimuth, elevation):
    x = encode(np.random.default_rng(1).standard_normal(256), azimuth, elevation)
    az, el = direction(x)
    assert abs(wrap_azimuth(az - azimuth)) < 1e-6 and abs(el - elevation) < 1e-6
    assert -180 <= az < 180


@settings(deadline=None, max_examples=50)
@given(AZIMUTH, ELEVATION, st.floats(-720, 720))
def test_turning_a_scene_moves_azimuths_and_nothing_else(azimuth, elevation, turn):
    az, el = direction(rotate_z(encode(np.array([1.0, -0.5]), azimuth, elevation), turn))
    assert abs(wrap_azimuth(az - azimuth - turn)) < 1e-6 and abs(el - elevation) < 1e-6


@pytest.mark.parametrize(("convention", "ratio"), [("ambix", 1), ("n3d", 3), ("fuma", 2)])
def test_the_energy_ratio_hints_at_the_normalisation(convention, ratio):
    scene = sum(encode(np.random.default_rng(i).standard_normal(4000), 37 * i, 10 * i - 40) for i in range(8))
    assert normalisation_hint(from_ambix(scene, convention)) == pytest.approx(ratio, rel=0.1)


def test_shared_recordings_read_as_their_notes_say(shared):
    from sonolake.audio.decode import decode

    fuma = decode((shared / "foa/JSAmbisonics/IRs/room_1_bf.wav").read_bytes()).samples
    assert normalisation_hint(fuma) == pytest.approx(2.02, abs=0.05)
    omnitone = shared / "foa/omnitone/examples/resources/3oa_example_ch0-ch7.wav"
    assert normalisation_hint(decode(omnitone.read_bytes()).samples[:, :4]) == pytest.approx(1.0, abs=0.05)


def test_what_is_no_scene_is_refused():
    with pytest.raises(InvalidInput, match="one of"):
        to_ambix(np.zeros((3, 4)), "furse")
    with pytest.raises(InvalidInput, match=r"\(frames, 4\)"):
        to_ambix(np.zeros((3, 2)), "ambix")
    with pytest.raises(InvalidInput, match="silence"):
        direction(np.zeros((10, 4)))
    with pytest.raises(InvalidInput, match="elevation"):
        encode(np.ones(3), 0, 91)
    with pytest.raises(InvalidInput, match="one channel"):
        encode(np.ones((3, 2)), 0, 0)
