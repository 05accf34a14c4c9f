"""SOFA files, written by sofar, unpacked: places seen from the listener, channels, delays, and on into a lake."""

import csv

import numpy as np
import pytest
import sofar
from typer.testing import CliRunner

from sonolake import Lake, running
from sonolake.audio.decode import decode
from sonolake.audio.foa import encode, from_ambix
from sonolake.cli.app import app
from sonolake.errors import InvalidInput
from sonolake.sources.folder import read_folder
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake
from sonolake.sources.sofa import SofaLayout, unpack_sofa

RATE = 24_000


def wave(azimuth, elevation, seed, convention="n3d", taps=2400):
    """A direct sound in frame 100 and a quiet tail, ``(4, taps)``."""
    x = np.random.default_rng(seed).standard_normal((taps, 4)) * 0.002
    x *= (10 ** (-3 * np.arange(taps) / RATE / 0.2))[:, None]
    x[:101] = 0
    x[100] = encode(np.array([0.02]), azimuth, elevation)
    return from_ambix(x, convention).T


def sofa(path, data, **fields):
    """A SingleRoomSRIR file."""
    made = sofar.Sofa("SingleRoomSRIR")
    count, receivers = data.shape[:2]
    values = {
        "Data_IR": data,
        "Data_SamplingRate": RATE,
        "Data_Delay": np.zeros((1, receivers)),
        "ReceiverPosition": np.zeros((receivers, 3)),
        "ReceiverView": np.tile([1.0, 0, 0], (receivers, 1)),
        "ReceiverUp": np.tile([0.0, 0, 1], (receivers, 1)),
        "SourcePosition": np.tile([1.0, 0, 0], (count, 1)),
        "ListenerPosition": np.zeros((1, 3)),
        "ListenerView": np.array([[1.0, 0, 0]]),
        "ListenerUp": np.array([[0.0, 0, 1]]),
        "GLOBAL_RoomShortName": "hall",
        "GLOBAL_License": "CC-BY-4.0",
        "GLOBAL_Title": "Measured hall",
        "GLOBAL_AuthorContact": "A. Nobody",
        **fields,
    }
    made.protected = False
    for name in ("ReceiverDescriptions", "EmitterDescriptions"):
        made.delete(name)
    for name, value in values.items():
        each = name.startswith("Listener") and isinstance(value, np.ndarray)
        setattr(made, name, np.tile(value, (count, 1)) if each else value)
    made.MeasurementDate = np.zeros(count)
    sofar.write_sofa(str(path), made)
    return path


def rows(folder):
    with (folder / "manifest.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def places(folder):
    return [
        (float(r["azimuth_deg"]), float(r["elevation_deg"]), float(r["distance_m"])) for r in rows(folder)
    ]


N3D = SofaLayout("n3d")


def test_places_are_seen_from_the_listener(tmp_path):
    """A listener at (1, 1, 1) who looks along y: a source 2 m along y is in front, one along x at the right."""
    source = np.array([[1.0, 3, 1], [3, 1, 1], [1, 1, 2], [0, 1, 1], [1, 2, 2]])
    data = np.stack([wave(0, 0, i) for i in range(5)])
    path = sofa(
        tmp_path / "a.sofa",
        data,
        SourcePosition=source,
        ListenerPosition=np.array([[1.0, 1, 1]]),
        ListenerView=np.array([[0.0, 1, 0]]),
    )
    made = unpack_sofa(path, tmp_path / "out", N3D)
    assert (made.measurements, made.written, made.silent) == (5, 5, ())
    expected = [(0, 0, 2), (-90, 0, 2), (0, 90, 1), (90, 0, 1), (0, 45, np.sqrt(2))]
    for found, wanted in zip(places(tmp_path / "out"), expected, strict=True):
        if wanted[1] == 90:
            found, wanted = found[1:], wanted[1:]
        assert found == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize(("clockwise", "azimuth"), [(False, 30.0), (True, -30.0)])
def test_spherical_positions(tmp_path, clockwise, azimuth):
    path = sofa(
        tmp_path / "a.sofa",
        wave(30, 10, 0)[None],
        SourcePosition=np.array([[30.0, 10, 2.5]]),
        SourcePosition_Type="spherical",
        SourcePosition_Units="degree, degree, metre",
    )
    unpack_sofa(path, tmp_path / "out", SofaLayout("n3d", clockwise=clockwise))
    assert places(tmp_path / "out")[0] == pytest.approx((azimuth, 10, 2.5), abs=1e-3)


def test_levels_to_each_other_and_delays_are_kept(tmp_path):
    loud, quiet = wave(0, 0, 1), 0.25 * wave(90, 0, 2)
    path = sofa(tmp_path / "a.sofa", np.stack([loud, quiet]), Data_Delay=np.full((1, 4), 50.0))
    unpack_sofa(path, tmp_path / "out", N3D)
    found = [decode((tmp_path / "out" / r["path"]).read_bytes()).samples for r in rows(tmp_path / "out")]
    assert np.abs(found[0]).max() == pytest.approx(0.9, abs=1e-6)
    assert found[0][150, 0] / found[1][150, 0] == pytest.approx(4.0, rel=1e-4)
    assert float(rows(tmp_path / "out")[0]["arrival_s"]) == pytest.approx(150 / RATE, abs=1e-6)
    # the gain is written to 0.01 dB, 0.1 %
    gain = 10 ** (float(rows(tmp_path / "out")[0]["gain_db"]) / 20)
    assert np.abs(found[0][50:].T - loud * gain).max() < 2e-3 * gain * np.abs(loud).max()


def test_higher_orders_and_chosen_receivers(tmp_path):
    """Nine channels of second order in ACN: the first four are the first order. FuMa as a file of W, X, Y, Z."""
    second = np.concatenate([wave(60, 0, 3), np.zeros((5, 2400))])
    unpack_sofa(sofa(tmp_path / "hoa.sofa", second[None]), tmp_path / "hoa", N3D)
    assert decode((tmp_path / "hoa" / "hoa-00001.flac").read_bytes()).samples.shape == (2400, 4)
    with pytest.raises(InvalidInput, match="receivers from 0 to 8"):
        unpack_sofa(tmp_path / "hoa.sofa", tmp_path / "x", SofaLayout("n3d", channels=(0, 1, 2, 9)))


def test_the_folder_goes_into_a_lake_and_wrong_places_are_flagged(tmp_path):
    data = np.stack([wave(90, 0, 5), wave(90, 0, 6)])
    position = np.array([[0.0, 2, 0], [2.0, 0, 0]])
    path = sofa(tmp_path / "a.sofa", data, SourcePosition=position)
    unpack_sofa(path, tmp_path / "out", N3D)
    with Lake.create(tmp_path / "lake") as lake:
        with running(lake, "test") as run:
            assert Ingest(run, Intake("response")).take(read_folder(tmp_path / "out").items).done == 2
        first, second = lake.rows("FROM assets ORDER BY item")
    assert (first["room"], first["licence"], first["convention"]) == ("hall", "CC-BY-4.0", "n3d")
    assert first["source_id"] == second["source_id"]
    assert first["direct_azimuth_deg"] == pytest.approx(90, abs=1)
    assert "direction_differs" not in first["flags"]
    assert "direction_differs" in second["flags"]


def test_silent_measurements_are_left_out_and_said(tmp_path):
    data = np.stack([wave(0, 0, 7), np.zeros((4, 2400))])
    made = unpack_sofa(sofa(tmp_path / "a.sofa", data), tmp_path / "out", N3D)
    assert (made.measurements, made.written, made.silent) == (2, 1, (1,))
    before = (tmp_path / "out" / "a-00001.flac").stat().st_mtime_ns
    unpack_sofa(tmp_path / "a.sofa", tmp_path / "out", N3D)
    assert (tmp_path / "out" / "a-00001.flac").stat().st_mtime_ns == before


def test_what_is_no_sofa_file(tmp_path):
    (tmp_path / "a.sofa").write_text("no")
    with pytest.raises(InvalidInput, match="a SOFA file"):
        unpack_sofa(tmp_path / "a.sofa", tmp_path / "out", N3D)
    path = sofa(tmp_path / "b.sofa", wave(0, 0, 8)[None], ListenerUp=np.array([[1.0, 0, 0]]))
    with pytest.raises(InvalidInput, match="not parallel"):
        unpack_sofa(path, tmp_path / "out", N3D)


def test_the_command_unpacks_files_side_by_side(tmp_path):
    files = [str(sofa(tmp_path / f"{name}.sofa", wave(0, 0, 8)[None])) for name in ("one", "two")]
    said = CliRunner().invoke(
        app,
        [
            "unpack",
            "sofa",
            *files,
            "--to",
            str(tmp_path / "out"),
            "--convention",
            "n3d",
            "--licence",
            "CC0-1.0",
        ],
    )
    assert said.exit_code == 0, said.output
    assert said.output.count("1 of 1 measurements") == 2
    assert [rows(tmp_path / "out" / name)[0]["licence"] for name in ("one", "two")] == ["CC0-1.0", "CC0-1.0"]


@pytest.mark.parametrize("options", [["--channels", "0,one"], ["--room", "hall"]])
def test_the_command_refuses_what_it_cannot_mean(tmp_path, options):
    said = CliRunner().invoke(app, ["unpack", "sofa", "a.sofa", "b.sofa", "--to", str(tmp_path), *options])
    assert said.exit_code == 2
