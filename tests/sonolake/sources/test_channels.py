"""Responses in the layouts of public sets, put together from their channels: fixtures of our own, made as those are."""

import csv
import math

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from sonolake.audio.arrival import room_facts
from sonolake.cli.app import app
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.sources.channels import ChannelMap
from sonolake.sources.named import read_layout
from sonolake.sources.unpacked_names import unpack_named

RATE = 48_000
MEIR = r"""
pattern = '[^/]+/imp_d(?P<distance_m>\d+)_azi(?P<azimuth_deg>-?\d+)_ele(?P<elevation_deg>-?\d+)_pid(?P<room>\d+)\.wav'
distance_unit = "cm"
[channels]
matrix = [
    [0.5, 0.5, 0.5, 0.5],
    [0.866025, -0.866025, 0.866025, -0.866025],
    [0.866025, -0.866025, -0.866025, 0.866025],
    [0.866025, 0.866025, -0.866025, -0.866025],
]
[always]
convention = "ambix"
"""
EIGHT = r"""
pattern = '(?P<room>room_\d+)_(?P<place>\d+)-08ch\.wav'
[channels]
use = [4, 5, 6, 7]
[always]
convention = "fuma"
"""
APART = r"""
pattern = '(?P<room>hall)/az(?P<azimuth_deg>-?\d+)_(?P<channel>[WXYZ])\.wav'
[channels]
files = ["W", "Y", "Z", "X"]
[always]
convention = "ambix"
distance_m = "2"
"""
CAPSULES = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
"""Left front up, right front down, left rear down, right rear up: x to the front, y to the left, z upwards."""


def direction(azimuth, elevation):
    a, e = math.radians(azimuth), math.radians(elevation)
    return math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)


def arrival(gains):
    """One arrival with a level for each channel, and a weak noise after it."""
    x = np.random.default_rng(1).standard_normal((9600, len(gains))) * 1e-4
    x[:200] = 0
    x[200] += gains
    return x * 0.01


def write(path, x):
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, x, RATE, subtype="FLOAT")


@pytest.fixture
def layout(tmp_path):
    def made(text):
        (tmp_path / "layout.toml").write_text(text)
        return read_layout(tmp_path / "layout.toml")

    return made


def manifest(folder):
    with (folder / "manifest.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_capsules_of_a_tetrahedron_by_a_matrix(layout, tmp_path):
    """As in FOA-MEIR: four capsules, cardioids each, degrees and centimetres in names."""
    for azimuth, elevation in ((100, 0), (-30, 40)):
        x, y, z = direction(azimuth, elevation)
        gains = [0.5 + 0.5 * (a * x + b * y + c * z) / math.sqrt(3) for a, b, c in CAPSULES]
        name = f"imp_d150_azi{azimuth}_ele{elevation}_pid0046.wav"
        write(tmp_path / "set/reverb-s" / name, arrival(gains))
    made = unpack_named(tmp_path / "set", layout(MEIR), tmp_path / "out")
    assert (made.responses, made.written, made.left_out, made.others) == (2, 2, (), ())
    for row in manifest(tmp_path / "out"):
        assert (row["room"], row["distance_m"], row["convention"]) == ("0046", "1.5", "ambix")
        four, rate = soundfile.read(tmp_path / "out" / row["path"])
        assert (four.shape, rate, np.abs(four).max()) == ((9600, 4), RATE, pytest.approx(0.9, abs=1e-6))
        facts = room_facts(four, rate)
        assert facts.azimuth_deg == pytest.approx(float(row["azimuth_deg"]), abs=0.5)
        assert facts.elevation_deg == pytest.approx(float(row["elevation_deg"]), abs=0.5)


def test_four_channels_of_eight(layout, tmp_path):
    """Capsules first, then FuMa: W at -3 dB, X, Y, Z."""
    x, y, z = direction(90, 0)
    write(tmp_path / "set/room_2_01-08ch.wav", arrival([9, 9, 9, 9, math.sqrt(0.5), x, y, z]))
    write(tmp_path / "set/room_2_02-08ch.wav", arrival([1, 1, 1, 1, 1]))
    made = unpack_named(tmp_path / "set", layout(EIGHT), tmp_path / "out")
    (row,) = manifest(tmp_path / "out")
    assert (row["room"], row["place"], row["convention"]) == ("room_2", "01", "fuma")
    four, _ = soundfile.read(tmp_path / "out" / row["path"])
    assert four[200] / four[200].max() == pytest.approx([math.sqrt(0.5), 0, 1, 0], abs=2e-3)
    assert float(row["gain_db"]) == pytest.approx(20 * math.log10(0.9 / 0.01), abs=0.02)
    (left,) = made.left_out
    assert (left.item, left.reason) == ("room_2_02-08ch.wav", "unknown_convention")
    assert left.detail == "5 channels, and channel 7 is named"


def test_a_file_a_channel(layout, tmp_path):
    """W, X, Y and Z apart, in the order of their names; a response that lacks one is left out and said."""
    x, y, z = direction(-90, 0)
    for name, gain in {"W": 1, "X": x, "Y": y, "Z": z}.items():
        write(tmp_path / f"set/hall/az-90_{name}.wav", arrival([gain]))
        if name != "Z":
            write(tmp_path / f"set/hall/az30_{name}.wav", arrival([gain]))
    (tmp_path / "layout.toml").write_text(APART)
    given = ["unpack", "names", str(tmp_path / "set"), str(tmp_path / "layout.toml")]
    done = CliRunner().invoke(app, [*given, "--to", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "1 of 2 responses" in done.output
    assert "left out: hall/az30_W.wav: missing: no file of channel Z" in done.output
    (row,) = manifest(tmp_path / "out")
    four, _ = soundfile.read(tmp_path / "out" / row["path"])
    assert four[200] / 0.9 == pytest.approx([1, -1, 0, 0], abs=2e-3)
    assert CliRunner().invoke(app, given).exit_code == 2, "four channels need a folder of their own"


@given(st.permutations(range(6)), st.integers(1, 6))
def test_channels_are_those_that_are_named_in_their_order(order, count):
    x = np.arange(12.0).reshape(2, 6)
    chosen = ChannelMap(tuple(order[:count]))
    if count == 4:
        assert chosen.four(x).tolist() == [[row[n] for n in order[:4]] for row in x.tolist()]
    else:
        with pytest.raises(ItemRefused, match="Ambisonics has 4"):
            chosen.four(x)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("channels = 4", "a table"),
        ("[channels]", "a table"),
        ("[channels]\nuse = [0, 1, 2]", "4 channels"),
        ("[channels]\nuse = [0, 1, 2, 2]", "different numbers"),
        ("[channels]\nuse = [0, 1, 2, -1]", "from 0"),
        ("[channels]\nmatrix = [[1, 0], [0, 1]]", "4 rows"),
        ("[channels]\nmatrix = [[1], [1, 2], [1], [1]]", "of one length"),
        ("[channels]\nfiles = ['a', 'b', 'c', 'd']", "a group called channel"),
    ],
)
def test_a_broken_declaration_is_named(layout, text, said):
    with pytest.raises(InvalidInput, match=said):
        layout(f"pattern = 'a'\n{text}")
