"""What was refused is tried again when what decides about it changes: the options, or its row of the manifest."""

import numpy as np
import pytest
import soundfile

from sonolake.lake import Lake
from sonolake.lake.run import running
from sonolake.sources.folder import read_folder
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake


@pytest.fixture
def folder(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    rng = np.random.default_rng(5)
    soundfile.write(source / "field.wav", 0.1 * rng.standard_normal((24_000, 4)), 24_000)
    return source


def take(lake, source, convention=""):
    with running(lake, "test") as run:
        return Ingest(run, Intake("foa", convention)).take(read_folder(source).items)


def test_an_undeclared_convention_is_tried_again_when_the_option_declares_it(tmp_path, folder):
    with Lake.create(tmp_path / "lake") as lake:
        assert take(lake, folder).quarantined == 1
        assert take(lake, folder).already == 1
        assert take(lake, folder, "fuma").done == 1
        assert lake.rows("SELECT reason FROM quarantine") == []


def test_an_undeclared_convention_is_tried_again_when_the_manifest_declares_it(tmp_path, folder):
    with Lake.create(tmp_path / "lake") as lake:
        assert take(lake, folder).quarantined == 1
        (folder / "manifest.csv").write_text("path,convention\nfield.wav,ambix\n")
        assert take(lake, folder).done == 1
        assert lake.rows("SELECT convention FROM assets") == [{"convention": "ambix"}]
        assert lake.rows("SELECT reason FROM quarantine") == []
