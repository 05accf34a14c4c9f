"""Training on a release, going on after a kill, choosing the best, and answers that the scorer reads."""

import dataclasses
import json

import pytest
from typer.testing import CliRunner

import sonolake
from sonolake.cli.app import app
from sonolake.errors import InvalidInput, NotFound
from sonolake.spatial.model import PluginShape, TrainSettings

SETTINGS = TrainSettings(epochs=2, batch=4, learning_rate=5e-3, tokens=6, seed=3, save_every=2)


class Killed(Exception):
    """Stands for the end of a process."""


@pytest.fixture
def begin(backbone_folder, clips, small):
    """Trains in a folder, and dies before a step when asked to."""

    def run(folder, settings=SETTINGS, die_before=None):
        from sonolake.spatial.model import training
        from sonolake.spatial.model.run import RunFolder, RunSettings
        from sonolake.spatial.model.system import SpatialModel
        from sonolake.spatial.model.transformers_backbone import TransformersBackbone

        records, validation = (sonolake.load(clips, split, "rms-aqa") for split in ("train", "validation"))
        place = RunFolder(folder)
        place.settle(RunSettings(str(backbone_folder), records.fingerprint, small, settings))
        model = SpatialModel(
            TransformersBackbone(str(backbone_folder)), small, settings.spatial, settings.seed
        )
        if die_before is not None:
            heard, steps = model.loss, []

            def loss(batch):
                steps.append(1)
                if len(steps) == die_before:
                    raise Killed
                return heard(batch)

            model.loss = loss
        return training.train(model, records, validation, settings, place), place

    return run


def test_a_killed_run_goes_on_to_the_weights_of_one_that_was_not(begin, tmp_path, unlike):
    _, whole = begin(tmp_path / "whole")
    with pytest.raises(Killed):
        begin(tmp_path / "killed", die_before=8)
    best, killed = begin(tmp_path / "killed")
    there, here = whole.load("last"), killed.load("last")
    assert there["step"] == here["step"] == 10, "19 clips in steps of 4, twice"
    assert max(unlike(there["model"][name], here["model"][name]) for name in there["model"]) == 0
    assert killed.lines() == whole.lines()
    losses = [line["loss"] for line in whole.lines() if "loss" in line]
    assert len(losses) == 10
    assert losses[-1] < losses[0]
    left = [line for line in whole.lines() if "left_out" in line]
    assert {line["left_out"] for line in left} == {"train-0007"}
    scores = [line["grounded"] for line in whole.lines() if "grounded" in line]
    assert best == max(scores) and len(scores) == 2
    assert whole.load("best")["grounded"] == max(scores)


def test_a_folder_is_of_one_run(begin, tmp_path):
    begin(tmp_path, dataclasses.replace(SETTINGS, epochs=1))
    with pytest.raises(InvalidInput, match="another run's folder"):
        begin(tmp_path, dataclasses.replace(SETTINGS, epochs=1, seed=4))


def test_from_the_command_line_to_a_score(torch, backbone_folder, clips, tmp_path):
    settings = tmp_path / "small.toml"
    settings.write_text(
        "[plugin]\nwidths = [4, 4, 8, 8]\nblocks = 1\nconformers = 1\nconformer_width = 16\nheads = 2\nkernel = 5\n"
        "token_width = 16\nlora_rank = 4\n[train]\nepochs = 1\nbatch = 10\ntokens = 6\n"
    )
    run, answers = tmp_path / "run", tmp_path / "answers.jsonl"

    def call(*arguments):
        return CliRunner().invoke(app, list(map(str, arguments)))

    trained = call(
        "rms-aqa", "train", clips, "--backbone", backbone_folder, "--run", run, "--settings", settings
    )
    assert trained.exit_code == 0, trained.output
    first = call(
        "rms-aqa", "predict", clips, "--run", run, "-p", answers, "--context", "predicted", "--context", "no"
    )
    assert "12 answered, 0 there before, 0 without an answer" in first.output
    again = call(
        "rms-aqa", "predict", clips, "--run", run, "-p", answers, "--context", "predicted", "--context", "no"
    )
    assert "0 answered, 12 there before" in again.output
    scored = call("score", "rms-aqa", "--benchmark", clips, "-p", answers, "--json", "--resamples", 0)
    assert scored.exit_code == 0, scored.output
    card = json.loads(scored.stdout)
    assert (card["n"], card["missing"]) == (4, 0)
    assert set(card["contexts"]) == {"no", "predicted"}


def test_without_an_epoch_there_is_nothing_to_answer_with(backbone, tmp_path, small):
    from sonolake.spatial.model.predicting import trained
    from sonolake.spatial.model.run import RunFolder, RunSettings

    with pytest.raises(NotFound, match="no run"):
        RunFolder(tmp_path).settings()
    RunFolder(tmp_path).settle(RunSettings("x", "y", small, TrainSettings()))
    with pytest.raises(NotFound, match="no epoch"):
        trained(RunFolder(tmp_path), backbone)


def test_weights_of_other_sizes_are_refused(backbone, backbone_folder, small):
    from sonolake.spatial.model.system import SpatialModel
    from sonolake.spatial.model.transformers_backbone import TransformersBackbone

    other = SpatialModel(
        TransformersBackbone(str(backbone_folder)), dataclasses.replace(small, token_width=8)
    ).state_dict()
    with pytest.raises(InvalidInput, match="checkpoint"):
        SpatialModel(backbone, small).load_state_dict(other)


def test_a_place_without_a_model_is_said(torch, tmp_path):
    pytest.importorskip("transformers")
    from sonolake.spatial.model.transformers_backbone import TransformersBackbone

    with pytest.raises(NotFound, match="no model of transformers here"):
        TransformersBackbone(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[train]\nepoch = 3\n", "epoch"),
        ("[trian]\n", "trian"),
        ("[train", "TOML"),
        ("[train]\nbatch = 0\n", "batch"),
    ],
)
def test_settings_that_cannot_be_are_said(tmp_path, text, said):
    from sonolake.cli.rms_aqa import settings_in

    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=said):
        settings_in(path)
    assert settings_in(None) == (PluginShape(), TrainSettings())
    assert not settings_in(None, mono=True)[1].spatial


@pytest.mark.parametrize(
    "arguments", [["train", "x", "--backbone", "y", "--run", "z"], ["predict", "x", "--run", "z", "-p", "a"]]
)
def test_without_pytorch_the_command_says_what_to_install(monkeypatch, arguments):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    called = CliRunner().invoke(app, ["rms-aqa", *arguments])
    assert called.exit_code == 1
    assert "needs the package 'torch', which is not installed: pip install 'sonolake[train]'" in called.stderr
