"""``sonolake cares render``: one scene again from its record, with its stems."""

import numpy as np
import pytest

from sonolake import Lake
from sonolake.audio.decode import decode


@pytest.fixture(scope="module")
def scene(plain_lake):
    """Id and bytes of one scene."""
    with Lake.open(plain_lake, read_only=True) as lake:
        row = lake.rows("SELECT scene_id, asset_id FROM scenes ORDER BY scene_id LIMIT 1")[0]
        return row["scene_id"], lake.media.read(row["asset_id"])


def steps(data):
    """Samples in steps of 16 bits."""
    return decode(data).samples[:, 0] * 32768


def test_a_scene_rendered_alone_is_the_lakes_byte_for_byte_and_its_stems_add_up(
    ask, plain_lake, scene, tmp_path
):
    """rendering.md: the stems add up to the mix before the limiter within 1 LSB."""
    scene_id, kept = scene
    out, stems = tmp_path / "a" / "scene.flac", tmp_path / "stems"
    said = ask("cares", "render", scene_id, "--out", out, "--stems", stems, lake=plain_lake)
    assert said["same"] and said["sha256"] == said["kept"]
    assert out.read_bytes() == kept
    names = ("voice", "events", "ambience")
    assert said["files"] == [str(out), *(str(stems / f"{name}.wav") for name in names)]
    parts = [steps((stems / f"{name}.wav").read_bytes()) for name in names]
    mix = steps(kept)
    assert np.any(parts[0]) and np.any(parts[2]) and {len(part) for part in parts} == {len(mix)}
    over = np.abs(sum(parts)) > 10 ** (-1 / 20) * 32768
    around = np.convolve(over, np.ones(4001), "same") > 0.5
    assert np.mean(around) < 0.2
    assert np.max(np.abs(sum(parts) - mix)[~around]) <= 1


def test_what_cannot_be_rendered_is_said(cli, plain_lake, scene, tmp_path):
    unknown = cli("cares", "render", "scene-of-nobody", lake=plain_lake)
    assert unknown.exit_code == 1 and "no scene scene-of-nobody" in unknown.stderr
    several = cli("cares", "render", "scene-", lake=plain_lake)
    assert several.exit_code == 1 and "is how 2 ids begin" in several.stderr
    named = cli("cares", "render", scene[0], "--out", tmp_path / "scene.mp3", lake=plain_lake)
    assert named.exit_code == 1 and ".flac or .wav" in named.stderr
