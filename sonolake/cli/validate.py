"""``sonolake validate``: whether the reactions of CARES scenes are there, and whether only the words tell them."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli import validate_clips, validate_text_only
from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import show_json, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sonolake.cli.validate_source import Scenes, Sound

app = typer.Typer(
    help="Scenes of CARES: are the reactions there that were asked for, and do only the words tell them?"
    " Clips of RMS-AQA: do people hear what the key says?",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("rms-aqa-kit")(validate_clips.kit)
app.command("rms-aqa-text-only")(validate_text_only.text_only)
app.command("rms-aqa-ratings")(validate_clips.ratings)


class Part(StrEnum):
    """Parts of the validation."""

    DIALOGUES = "dialogues"
    SHORTCUTS = "shortcuts"
    WORDS = "words"


SplitOption = Annotated[
    str | None, typer.Option("--split", metavar="SPLIT", help="Only of train, validation or test.")
]
ManyOption = Annotated[
    int | None, typer.Option("-n", "--scenes", min=1, metavar="N", help="How many; all without it.")
]


@app.command("cares")
def cares(
    ctx: typer.Context,
    parts: Annotated[
        list[Part] | None, typer.Argument(metavar="[PART]…", help="dialogues, shortcuts or words.")
    ] = None,
    release: Annotated[
        str | None,
        typer.Option("--release", metavar="WHICH", help="A release: folder, NAME@VERSION or address."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="MODEL", help="A chat model reads; else the rules embedded here."),
    ] = None,
    readings: Annotated[
        Path | None, typer.Option("--readings", metavar="FILE", help="Keep what is read; go on from there.")
    ] = None,
    encoder: Annotated[
        str, typer.Option("--encoder", metavar="MODEL", help="Sentence vectors that topics are compared by.")
    ] = "minilm",
    recogniser: Annotated[
        str, typer.Option("--recogniser", metavar="MODEL", help="Writes down what is heard.")
    ] = "whisper:base",
    heard: Annotated[
        Path | None,
        typer.Option("--heard", metavar="FILE", help="Keep what is heard; go on from there."),
    ] = None,
    bare: Annotated[
        bool, typer.Option("--bare", help="Also hear the bare voices, made again from the scenes' records.")
    ] = False,
    split: SplitOption = None,
    many: ManyOption = None,
    as_json: JsonOption = False,
    lake: LakeOption = None,
) -> None:
    """Validate scenes: a judge recovers topics and reactions, shortcuts are looked for, words are counted.

    Without a part: dialogues and shortcuts, which take little time; words are heard when asked for. Status 1
    when gap and level alone lead to the reaction, or not all dialogues could be read.
    """
    from sonolake.cli import validate_parts
    from sonolake.cli.validate_show import SHOW

    if bare and release is not None:
        raise typer.BadParameter("a lake can make its voices again, a release cannot", param_hint="--bare")
    asked = parts or [Part.DIALOGUES, Part.SHORTCUTS]
    found: dict[str, Any] = {}
    with ExitStack() as stack:
        scenes, sounds, voices = _source(ctx, stack, lake, release, split, many)
        make: dict[Part, Callable[[], Any]] = {
            Part.DIALOGUES: lambda: validate_parts.dialogues(scenes, judge, encoder, readings),
            Part.SHORTCUTS: lambda: validate_parts.shortcuts(scenes),
            Part.WORDS: lambda: validate_parts.words(
                scenes, sounds, recogniser, heard, voices if bare else None
            ),
        }
        for part in asked:
            found[part.value] = make[part]()
            if not as_json:
                SHOW[part.value](found[part.value])
    if as_json:
        show_json(found)
    led = any(one["must"] and one["tells"] for one in found.get("shortcuts", ()))
    if led or found.get("dialogues", {}).get("unread"):
        raise typer.Exit(1)


def _source(
    ctx: typer.Context,
    stack: ExitStack,
    lake: str | None,
    release: str | None,
    split: str | None,
    many: int | None,
) -> tuple[Scenes, Iterator[tuple[str, Sound]], Iterator[tuple[str, Sound]]]:
    """The scenes, their sound, and their voices alone, which a release does not have."""
    from sonolake.cli import validate_source
    from sonolake.cli.scene_voices import bare_voices

    if release is not None:
        scenes = validate_source.of_release(release, split, many)
        return scenes, validate_source.sounds_in_release(release, scenes), iter(())
    opened = stack.enter_context(open_lake(ctx, lake))
    scenes = validate_source.of_lake(opened, split, many)
    return scenes, validate_source.sounds_in_lake(opened, scenes), bare_voices(opened, scenes)


@app.command("kit")
def kit(
    ctx: typer.Context,
    page: Annotated[Path, typer.Argument(metavar="PAGE", help="The HTML file to be written.")],
    release: Annotated[
        str | None, typer.Option("--release", metavar="WHICH", help="Of a release instead of a lake.")
    ] = None,
    split: SplitOption = None,
    many: ManyOption = 50,
    lake: LakeOption = None,
) -> None:
    """Write a page on which people rate reactions: one file, no server; it saves the ratings as JSON."""
    from sonolake.cares.validation import kit_page

    with ExitStack() as stack:
        scenes = _source(ctx, stack, lake, release, split, many)[0].rated()
    write_whole(page, kit_page(scenes))
    sounds = [len(scene.asked) for scene in scenes if scene.asked]
    typer.echo(f"{page}: {sum(sounds)} sounds in {len(sounds)} scenes")


@app.command("ratings")
def ratings(
    ctx: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="What the page saved, one a rater.")],
    release: Annotated[
        str | None, typer.Option("--release", metavar="WHICH", help="Of a release instead of a lake.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Also append them to the lake's judgements.")] = False,
    as_json: JsonOption = False,
    lake: LakeOption = None,
) -> None:
    """What raters agree on, with each other and with what was asked for: Cohen's and Fleiss' kappa."""
    from sonolake.cares.validation import agreement, read_ratings
    from sonolake.cli import validate_source
    from sonolake.cli.validate_show import agreement_json, show_agreement

    if keep and release is not None:
        raise typer.BadParameter("a lake keeps judgements, a release does not", param_hint="--keep")
    given = [read_ratings(path) for path in files]
    ids = sorted({scene_id for one in given for scene_id in one.scenes})
    if release is not None:
        found = agreement(given, validate_source.of_release(release).rated())
    else:
        with open_lake(ctx, lake, write=keep) as opened:
            found = agreement(given, validate_source.of_lake(opened, ids=ids).rated())
            if keep:
                new, there = validate_source.keep(opened, given)
                typer.echo(f"{new} new judgements, {there} there already", err=True)
    if as_json:
        show_json(agreement_json(found))
    else:
        show_agreement(found)
