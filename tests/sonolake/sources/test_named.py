"""Names of files that say where a response was measured, through a declared mapping."""

import csv
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from sonolake.cli.app import app
from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.folder import read_folder
from sonolake.sources.named import named_rows, read_layout, write_named_manifest

GRID = r"""
pattern = '(?P<room>[^/]+)/(?P<x>\d)(?P<y>\d)(?P<z>\d)\.wav'
[axes]
x = { scale = 0.5, offset = -1.5 }
y = { scale = 0.5, offset = -1.5 }
z = { scale = 0.3, offset = -0.6 }
[always]
convention = "ambix"
licence = "CC-BY-4.0"
"""
POLAR = r"""
pattern = '(?P<room>\w+)_az(?P<azimuth_deg>-?\d+)_el(?P<elevation_deg>-?\d+)_(?P<distance_m>\d+)cm(?P<door>_.*)?\.flac'
clockwise = true
distance_unit = "cm"
"""


@pytest.fixture
def layout(tmp_path):
    def made(text):
        (tmp_path / "layout.toml").write_text(text)
        return read_layout(tmp_path / "layout.toml")

    return made


def test_a_grid_around_the_microphone(layout):
    """Seven by seven by five places, the microphone at 3, 3, 2: 0.5 m apart, 0.3 m in height."""
    rows, others = named_rows(
        ["hall/532.wav", "hall/352.wav", "hall/334.wav", "hall/notes.txt"], layout(GRID)
    )
    assert others == ("hall/notes.txt",)
    ahead, left, above = rows
    assert ahead == {
        "convention": "ambix",
        "licence": "CC-BY-4.0",
        "room": "hall",
        "azimuth_deg": "0.000",
        "elevation_deg": "0.000",
        "distance_m": "1.0000",
        "path": "hall/532.wav",
    }
    assert (left["azimuth_deg"], left["distance_m"]) == ("90.000", "1.0000")
    assert (above["elevation_deg"], above["distance_m"]) == ("90.000", "0.6000")


def test_polar_names(layout):
    rows, _ = named_rows(["lab_az30_el-10_250cm_open.flac", "lab_az-90_el0_100cm.flac"], layout(POLAR))
    assert rows[0]["azimuth_deg"] == "-30"
    assert (rows[0]["elevation_deg"], rows[0]["distance_m"], rows[0]["door"]) == ("-10", "2.5", "_open")
    assert (rows[1]["azimuth_deg"], rows[1]["distance_m"]) == ("90", "1")
    assert "door" not in rows[1]


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_places_are_those_of_their_coordinates(tmp_path_factory, i, j, k):
    folder = tmp_path_factory.mktemp("layout")
    (folder / "l.toml").write_text(GRID)
    ((row,), _) = named_rows([f"a/{i}{j}{k}.wav"], read_layout(folder / "l.toml"))
    azimuth, elevation = math.radians(float(row["azimuth_deg"])), math.radians(float(row["elevation_deg"]))
    distance = float(row["distance_m"])
    flat = distance * math.cos(elevation)
    found = (flat * math.cos(azimuth), flat * math.sin(azimuth), distance * math.sin(elevation))
    assert found == pytest.approx(((i - 3) * 0.5, (j - 3) * 0.5, (k - 2) * 0.3), abs=1e-3)


def test_a_folder_gets_its_manifest_and_is_a_source(layout, tmp_path):
    (tmp_path / "set/hall").mkdir(parents=True)
    for name in ("hall/532.wav", "hall/352.wav", "read me.txt", ".hidden"):
        (tmp_path / "set" / name).write_bytes(b"x")
    assert write_named_manifest(tmp_path / "set", layout(GRID)) == (2, ("read me.txt",))
    with (tmp_path / "set/manifest.csv").open() as file:
        assert [row["path"] for row in csv.DictReader(file)] == ["hall/352.wav", "hall/532.wav"]
    found = {item.item: item.fields for item in read_folder(tmp_path / "set").items}
    assert found["hall/352.wav"]["azimuth_deg"] == "90.000"
    assert write_named_manifest(tmp_path / "set", layout(GRID))[0] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pattern = '('", "pattern"),
        ("", "pattern"),
        ("pattern = 'a'\nunit = 'm'", "keys"),
        ("pattern = 'a'\ndistance_unit = 'ft'", "distance_unit"),
        ("pattern = 'a'\n[axes]\nw = { scale = 1 }", "axes"),
        ("pattern = 'a'\n[axes]\nx = { scale = 'much' }", "axes"),
        ("pattern = ", "TOML"),
    ],
)
def test_a_broken_layout_is_named(layout, text, said):
    with pytest.raises(InvalidInput, match=said):
        layout(text)


def test_what_is_not_there_and_what_is_no_number(layout, tmp_path):
    with pytest.raises(NotFound, match="no layout"):
        read_layout(tmp_path / "none.toml")
    with pytest.raises(NotFound, match="no folder"):
        write_named_manifest(tmp_path / "none", layout(GRID))
    with pytest.raises(InvalidInput, match=r"a\.wav: x"):
        named_rows(["a.wav"], layout(r"pattern = '(?P<x>\w)\.wav'"))


def test_the_command_says_which_files_have_no_row(tmp_path):
    (tmp_path / "set/hall").mkdir(parents=True)
    (tmp_path / "layout.toml").write_text(GRID)
    for name in ("hall/532.wav", "read me.txt"):
        (tmp_path / "set" / name).write_bytes(b"x")
    said = CliRunner().invoke(app, ["unpack", "names", str(tmp_path / "set"), str(tmp_path / "layout.toml")])
    assert said.exit_code == 0, said.output
    assert "manifest.csv: 1 files" in said.output
    assert "no row: read me.txt" in said.output
