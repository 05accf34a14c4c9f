"""``sonolake cares``: one scene alone, rendered again from its record."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import show_json
from sonolake.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from sonolake.cares.recipe import SceneRecipe
    from sonolake.cares.scene import Scene
    from sonolake.lake import Lake

app = typer.Typer(no_args_is_help=True, help="Scenes of CARES, one at a time.", rich_markup_mode=None)


@app.callback()
def cares() -> None:
    """Scenes of CARES, one at a time."""


@app.command("render")
def render(
    ctx: typer.Context,
    scene: Annotated[str, typer.Argument(metavar="SCENE_ID", help="A scene, or how its id begins.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the scene there: .flac or .wav.")
    ] = None,
    stems: Annotated[
        Path | None,
        typer.Option(
            "--stems", metavar="DIR", help="Write voice, events and ambience there, as WAV of 32-bit floats."
        ),
    ] = None,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Render a scene again from its record; status 1 when its bytes are not the lake's."""
    from sonolake.audio.encode import flac_bytes

    _require_format(out)
    with open_lake(ctx, lake) as opened:
        kept, recipe = _found(opened, scene)
        made = _rendered(opened, recipe, stems is not None)
    sound = flac_bytes(made.samples, made.rate)
    sha256 = hashlib.sha256(sound).hexdigest()
    files = [*_written(made, sound, out), *_stems_written(made, stems)]
    if as_json:
        said = {"scene_id": made.scene_id, "sha256": sha256, "kept": kept, "same": sha256 == kept}
        show_json({**said, "files": [str(path) for path in files]})
    else:
        same = "the same bytes as in the lake" if sha256 == kept else f"other bytes than in the lake: {kept}"
        typer.echo("\n".join([f"{made.scene_id}: {same} ({sha256})", *map(str, files)]))
    if sha256 != kept:
        raise typer.Exit(1)


def _require_format(out: Path | None) -> None:
    if out is not None and out.suffix.lower() not in (".flac", ".wav"):
        raise InvalidInput("--out", "a file that ends in .flac or .wav", str(out))


def _found(lake: Lake, begins: str) -> tuple[str, SceneRecipe]:
    """The SHA-256 of a scene's sound in the lake, and its recipe."""
    from sonolake.lake.declaring import has_table
    from sonolake.rendering.scenes import recipe_of

    query = "SELECT scene_id, asset_id, record FROM scenes WHERE starts_with(scene_id, ?) ORDER BY scene_id"
    rows = lake.rows(query, [begins]) if has_table(lake.sql, "scenes") else []
    if not rows:
        raise NotFound(f"no scene {begins} in {lake.place}")
    if len(rows) > 1:
        few = [row["scene_id"] for row in rows[:3]]
        raise InvalidInput("scene", "one scene", few, f"{begins} is how {len(rows)} ids begin")
    (row,) = rows
    return row["asset_id"], recipe_of(row["scene_id"], row["record"])


def _rendered(lake: Lake, recipe: SceneRecipe, stems: bool) -> Scene:
    from sonolake.datasets.sounds import Sounds
    from sonolake.rendering.scenes import rendered_scene, speakers_of

    return rendered_scene(recipe, Sounds(lake.media), speakers_of(lake), stems=stems)


def _written(scene: Scene, flac: bytes, out: Path | None) -> list[Path]:
    from sonolake.audio.encode import wav_bytes

    if out is None:
        return []
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(flac if out.suffix.lower() == ".flac" else wav_bytes(scene.samples, scene.rate))
    return [out]


def _stems_written(scene: Scene, folder: Path | None) -> list[Path]:
    from sonolake.audio.encode import float_wav_bytes

    if folder is None:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, samples in scene.stems.items():
        files.append(folder / f"{name}.wav")
        files[-1].write_bytes(float_wav_bytes(samples, scene.rate))
    return files
