"""The bare voices of scenes, made again from their records."""

import json
from dataclasses import replace

import numpy as np
import pyebur128
import pytest

from sonolake import Lake
from sonolake.cli.scene_voices import bare_voices
from sonolake.cli.validate_source import of_lake
from sonolake.errors import InvalidInput


@pytest.fixture
def scene(plain_lake):
    """A lake and one scene of it."""
    with Lake.open(plain_lake, read_only=True) as lake:
        yield lake, of_lake(lake, first=1)


def lufs(x, rate):
    state = pyebur128.R128State(1, rate, pyebur128.MeasurementMode.MODE_I)
    state.add_frames(np.ascontiguousarray(x), len(x))
    return pyebur128.get_loudness_global(state)


def test_the_voice_of_a_scene_is_where_its_turns_are_and_nowhere_else(scene):
    """CARES, section 4: the voice is at -20 LUFS; 0.1 dB for what is rounded of each speaker's gain."""
    lake, scenes = scene
    ((scene_id, sound),) = bare_voices(lake, scenes)
    (row,) = scenes.rows
    x, rate = sound()
    assert scene_id == row["item_id"]
    assert len(x) / rate == pytest.approx(row["duration_s"], abs=1 / rate)
    spoken = np.zeros(len(x), dtype=bool)
    for turn in row["turns"]:
        spoken[round((turn["start_s"] - 0.02) * rate) : round((turn["end_s"] + 0.02) * rate)] = True
        assert np.any(x[round(turn["start_s"] * rate) : round(turn["end_s"] * rate)])
    assert not np.any(x[~spoken])
    assert lufs(x[spoken], rate) == pytest.approx(-20.0, abs=0.5)


def test_a_scene_of_another_mix_or_another_voice_is_not_made_again(scene):
    lake, scenes = scene
    record = json.loads(scenes.rows[0]["record"])
    older = {**record, "code_version": "cares-mix:1"}
    with pytest.raises(InvalidInput, match="another version"):
        next(bare_voices(lake, replace(scenes, rows=({**scenes.rows[0], "record": json.dumps(older)},))))[1]()
