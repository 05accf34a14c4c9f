"""``sonolake rms-aqa``: the spatial plug-in, trained on a release, and its answers."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli.score_rms_aqa import AudioOption, Context, ContextsOption, Split
from sonolake.errors import InvalidInput

if TYPE_CHECKING:
    from sonolake.spatial.model import PluginShape, TrainSettings

app = typer.Typer(
    no_args_is_help=True,
    help="Train the spatial plug-in of RMS-AQA, and let it answer.",
    rich_markup_mode=None,
)
RunOption = Annotated[Path, typer.Option("--run", metavar="FOLDER", help="Of the training.")]
DtypeOption = Annotated[
    str | None,
    typer.Option("--dtype", help="Of the backbone's weights, such as bfloat16; else as its files have them."),
]


@app.command("train")
def train(
    release: Annotated[str, typer.Argument(help="NAME@VERSION, a release's folder or its address.")],
    backbone: Annotated[
        str,
        typer.Option(
            "--backbone",
            metavar="MODEL",
            help="An audio-language model of transformers: a folder, or a cached name.",
        ),
    ],
    run: RunOption,
    settings: Annotated[
        Path | None,
        typer.Option(
            "--settings", metavar="FILE", help="TOML with tables plugin and train; else the paper's."
        ),
    ] = None,
    mono: Annotated[
        bool, typer.Option("--mono", help="Without the plug-in: the control that hears W alone.")
    ] = False,
    dtype: DtypeOption = None,
) -> None:
    """Train on the splits train and validation, or go on with a training that ended."""
    _require_pytorch()
    from sonolake import load
    from sonolake.spatial.model.run import RunFolder, RunSettings
    from sonolake.spatial.model.system import SpatialModel
    from sonolake.spatial.model.training import train as run_training
    from sonolake.spatial.model.transformers_backbone import TransformersBackbone

    shape, how = settings_in(settings, mono)
    records, validation = (load(release, split, "rms-aqa") for split in ("train", "validation"))
    folder = RunFolder(run)
    folder.settle(RunSettings(backbone, records.fingerprint, shape, how))
    model = SpatialModel(TransformersBackbone(backbone, dtype), shape, how.spatial, how.seed)
    best = run_training(model, records, validation, how, folder)
    typer.echo(f"best grounded stage-2 accuracy on validation: {100 * best:.1f} %, in {run / 'best.pt'}")


@app.command("predict")
def predict(
    benchmark: Annotated[
        Path, typer.Argument(help="A release's folder, or questions in the published layout.")
    ],
    run: RunOption,
    predictions: Annotated[
        Path, typer.Option("--predictions", "-p", metavar="PATH", help="JSON lines to be filled.")
    ],
    split: Annotated[Split, typer.Option("--split", help="Of the release.")] = Split.TEST,
    contexts: ContextsOption = None,
    audio: AudioOption = None,
    dtype: DtypeOption = None,
) -> None:
    """Answer a benchmark with the best model of a training, in lines that score rms-aqa reads."""
    _require_pytorch()
    from sonolake.spatial.benchmark import read_records
    from sonolake.spatial.benchmark.audio import hearing
    from sonolake.spatial.model.predicting import predict as answer
    from sonolake.spatial.model.predicting import trained
    from sonolake.spatial.model.run import RunFolder
    from sonolake.spatial.model.transformers_backbone import TransformersBackbone

    folder = RunFolder(run)
    made = folder.settings()
    records = read_records(benchmark, split.value)
    hear = hearing(benchmark, "four", split.value, audio)
    model = trained(folder, TransformersBackbone(made.backbone, dtype))
    asked = tuple(dict.fromkeys(context.value for context in contexts or [Context.PREDICTED]))
    name = f"{made.backbone} {'spatial' if made.train.spatial else 'mono'}"
    done = answer(model, name, records, hear, predictions, asked, made.train.tokens, made.train.batch)
    for (question_id, context), why in list(done.failures.items())[:20]:
        typer.echo(f"{question_id} {context}: no answer: {why}", err=True)
    typer.echo(f"{done.done} answered, {done.already} there before, {len(done.failures)} without an answer")
    if done.failures:
        raise typer.Exit(1)


def _require_pytorch() -> None:
    from sonolake.models.packages import require

    require("sonolake rms-aqa", "torch", "transformers", line="pip install 'sonolake[train]'")


def settings_in(path: Path | None, mono: bool = False) -> tuple[PluginShape, TrainSettings]:
    """The settings in a TOML file, the paper's where it says nothing.

    Raises:
        InvalidInput: for a name that there is not, or a value outside what is allowed.
    """
    from sonolake.spatial.model import PluginShape, TrainSettings

    try:
        given = {} if path is None else tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path}", "TOML", str(error)) from None
    tables = {"plugin": PluginShape, "train": TrainSettings}
    if unknown := set(given) - set(tables):
        raise InvalidInput(f"tables of {path}", " and ".join(tables), sorted(unknown))
    shape = _filled(PluginShape(), given.get("plugin", {}))
    how = _filled(TrainSettings(), given.get("train", {}))
    return shape, replace(how, spatial=how.spatial and not mono)


def _filled(default: Any, given: dict[str, Any]) -> Any:
    """``default`` with what is given in its place."""
    from sonolake.serial import plain, read

    return read(type(default), {**plain(default), **given})
