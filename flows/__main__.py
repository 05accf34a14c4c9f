"""``python -m flows NAME …``: any flow, here and now, with no server to set up and at most one engine started."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import flows.quiet  # noqa: F401  (Prefect reads these settings when it is imported)
from flows import keeping
from flows.commands import LakeOption, LakeThere, run_flow, run_on_what_is_there, show_counts
from flows.foreseeing import plan
from flows.mining import wesr
from flows.spatial import rms_aqa
from flows.terms import MOST, Budget, PriceIn, PriceOut, Requests, TextLicence
from sonolake.errors import InvalidInput, SonolakeError

if TYPE_CHECKING:
    from sonolake.sources.freesound import Search

app = typer.Typer(
    name="python -m flows",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Source = Annotated[
    str,
    typer.Argument(
        help="A folder, a manifest (CSV, TSV, JSON lines), a search: freesound:WORDS, or addresses: web:LIST."
    ),
]
Manifest = Annotated[
    Path | None, typer.Option(help="Manifest of the folder; manifest.csv inside it by default.")
]
Convention = Annotated[str, typer.Option(help="Ambisonics convention: ambix, n3d or fuma.")]
Licence = Annotated[str, typer.Option(help="Licence (SPDX) of items whose manifest row says none.")]
Mapping = Annotated[
    list[str] | None, typer.Option("--map", help="their=ours, for a foreign manifest header.")
]
Of = partial(typer.Option, rich_help_panel="With freesound:WORDS as the source")
OfWeb = partial(typer.Option, rich_help_panel="With web:LIST as the source, beside --most and --anew")

INGESTS = {
    "takes": "take",
    "ambiences": "ambience",
    "responses": "response",
    "foa": "foa",
    "speech": "speech",
    "vocals": "vocal",
}
"""What the commands ``ingest-…`` take, and what each kind is called in the lake."""


def _headers(mapping: list[str] | None) -> dict[str, str]:
    pairs = [entry.partition("=") for entry in mapping or ()]
    for theirs, equals, ours in pairs:
        if not (theirs and equals and ours):
            raise InvalidInput("--map", "their=ours", f"{theirs}{equals}{ours}")
    return {theirs: ours for theirs, _, ours in pairs}


def _check(source: Path, lake: str, manifest: Path | None, headers: dict[str, str]) -> None:
    """Say a mistake before an engine is started, which takes a dozen seconds."""
    from sonolake.sources.folder import manifest_of
    from sonolake.sources.manifest import read_manifest
    from sonolake.sources.walking import require_apart

    read_manifest(manifest_of(source, manifest), headers)
    require_apart(source, lake)


def _check_search(source: str, search: Search) -> None:
    """The same for a search: whether it can be, and whether there is a key."""
    from sonolake.sources.freesound import PREFIX, Catalogue

    search.require_sound(source.removeprefix(PREFIX).strip())
    with Catalogue.here() as catalogue:
        if search.originals:
            catalogue.require_log_in()


def _ingest(kind: str, attribute: str) -> Callable[..., None]:
    def command(
        source: Source,
        lake: LakeOption,
        manifest: Manifest = None,
        convention: Convention = "",
        licence: Licence = "",
        map_: Mapping = None,
        filter_: Annotated[str, Of("--filter", help="Such as 'duration:[1 TO 5]'.")] = "",
        sort: Annotated[str, Of(help="Which come first, such as rating_desc.")] = "score",
        most: Annotated[int, Of(min=0, help="How many at most; 0 for all.")] = 0,
        ids: Annotated[Path | None, Of(help="A file of numbers, in place of a search.")] = None,
        similar_to: Annotated[str, Of(help="Number of a sound, or a file, to be similar to.")] = "",
        model: Annotated[str, Of(help="Encoder of that file.")] = "clap:laion/clap-htsat-fused",
        originals: Annotated[bool, Of("--originals", help="Uploaded files, not previews.")] = False,
        anew: Annotated[bool, Of("--anew", help="Ask for lists again, and for what was gone.")] = False,
        event: Annotated[str, Of(help="Event of all that is found, such as shared/dog_bark.")] = "",
        location: Annotated[str, Of(help="Location of all that is found.")] = "",
        pause: Annotated[float, OfWeb(help="Least seconds between two requests to a host.")] = 1.0,
        part_minutes: Annotated[
            float,
            typer.Option(
                help="Longest part: of speech of the web, and of speech and ambiences too long for one item."
            ),
        ] = 10.0,
    ) -> None:
        from sonolake.sources.freesound import PREFIX, Search, require_fitting
        from sonolake.sources.intake import Intake
        from sonolake.sources.web import PREFIX as WEB
        from sonolake.sources.web import WebSettings, read_list, require_web

        if not source.strip():
            raise InvalidInput("source", "a folder, a manifest, or freesound:WORDS", source)
        Intake(kind, convention, licence)
        headers = _headers(map_)
        web = WebSettings(pause, part_minutes, most, anew)
        if source.startswith(WEB):
            require_web(source, str(manifest or ""))
            read_list(source.removeprefix(WEB).strip(), headers)
            given_web = (source, lake, "", convention, licence, headers, None, web)
            show_counts(run_flow("ingesting", attribute, lake, *given_web), lake)
            return
        said = (filter_, sort, most, str(ids or ""), similar_to, model, originals, anew, event, location)
        search = Search(*said)
        require_fitting(source, str(manifest or ""), headers, search)
        if source.startswith(PREFIX):
            _check_search(source, search)
        else:
            _check(Path(source), lake, manifest, headers)
        given = (source, lake, str(manifest or ""), convention, licence, headers, search, None, part_minutes)
        show_counts(run_flow("ingesting", attribute, lake, *given), lake)

    return command


app.command("plan")(plan)
for _name, _kind in INGESTS.items():
    app.command(f"ingest-{_name}", help=f"Take {_name} of a folder or manifest into the lake.")(
        _ingest(_kind, f"ingest_{_name}")
    )


@app.command("embed", help="Make the vectors that searches and mining compare.")
def embed(
    lake: LakeThere,
    model: Annotated[
        str, typer.Option(metavar="SPEC", help="An encoder to go over to; see docs/models.md.")
    ] = "",
) -> None:
    """Run the flow ``embed``."""
    show_counts(run_on_what_is_there("vectors", "embed", lake, lake, model), lake)


@app.command("split", help="Give everything in the lake that has no split one; nobody moves.")
def split(lake: LakeThere) -> None:
    """Run the flow ``split``."""
    show_counts(run_on_what_is_there("splitting", "split", lake, lake), lake)


@app.command("cares", help="Make CARES scenes: templates, scenarios, dialogues, speech, mixes.")
def cares(
    lake: LakeOption,
    templates: Annotated[int, typer.Option(min=1, max=MOST, help="How many in all.")] = 100,
    scenes: Annotated[int, typer.Option(min=1, max=MOST, help="How many in all.")] = 1000,
    short: Annotated[bool, typer.Option(help="Dialogues of 6 to 8 turns instead of 8 to 13.")] = False,
    writer: Annotated[
        str, typer.Option(help="embedded, a chat model (openai:MODEL@URL, anthropic:MODEL) or a JSONL file.")
    ] = "embedded",
    preview: Annotated[
        bool, typer.Option("--preview", help="Only five dialogues, and what all may cost.")
    ] = False,
    budget: Budget = None,
    price_in: PriceIn = 0.0,
    price_out: PriceOut = 0.0,
    requests: Requests = 0,
    provider_batches: Annotated[
        bool, typer.Option("--provider-batches", help="Through the provider's batches: cheaper, slower.")
    ] = False,
    voices: Annotated[
        str, typer.Option(help="Who speaks: hibari:heart,kokoro:jm_kumo,… ; else those that are installed.")
    ] = "",
    confidence: Annotated[
        float, typer.Option(min=0, max=1, help="Least of a turn's alignment; below it is refused.")
    ] = 0.5,
    situations: Annotated[
        str, typer.Option(metavar="SOURCE", help="Templates: embedded, model (the writer's) or a JSONL file.")
    ] = "embedded",
    text_licence: TextLicence = "",
) -> None:
    """Run the flow ``cares``, or look at five dialogues before."""
    from tasks.dialogues import Writing
    from tasks.situations import require_situations

    size = (templates, scenes, short, writer)
    named = tuple(one.strip() for one in voices.split(",") if one.strip())
    _check_voices(named)
    require_situations(situations, Writing(writer, licence=text_licence))
    if preview:
        from flows.plans import show_plan

        prices = (price_in, price_out)
        asked = (*size, *prices, named, situations, text_licence)
        show_plan(run_flow("cares_scenes", "preview", lake, lake, *asked))
        return
    money = (budget, price_in, price_out, requests, provider_batches)
    asked = (*size, *money, named, confidence, situations, text_licence)
    show_counts(run_flow("cares_scenes", "cares", lake, lake, *asked), lake)


def _check_voices(specs: tuple[str, ...]) -> None:
    """Say which voice cannot be had, or may not be used, before an engine is started."""
    from sonolake.models.endpoints import EndpointVoice, voice
    from tasks.speech import require_licence

    for spec in specs:
        found = voice(spec)
        if isinstance(found, EndpointVoice):
            found.close()
        require_licence(found)


app.command("rms-aqa", help="Make RMS-AQA clips and their questions.")(rms_aqa)


app.command("wesr", help="Cut speech into utterances and mine it for vocal events.")(wesr)


@app.command("annotate-wesr", help="Write vocal events into the transcripts of what was mined, by a model.")
def annotate_wesr(
    lake: LakeThere,
    model: Annotated[
        str,
        typer.Option(metavar="SPEC", help="embedded, or a chat model: openai:MODEL@URL, anthropic:MODEL."),
    ] = "embedded",
    described: Annotated[
        bool, typer.Option("--described", help="A chat model that reads words and events, and hears nothing.")
    ] = False,
    where: Annotated[
        str, typer.Option(metavar="SQL", help="Which utterances; else mined and gold ones.")
    ] = "",
    budget: Budget = None,
    price_in: PriceIn = 0.0,
    price_out: PriceOut = 0.0,
    requests: Requests = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the scores against gold texts as JSON.")
    ] = False,
) -> None:
    """Run the flow ``annotate-wesr``, and print how good it is where there are gold texts."""
    from flows.wesr_scored import show
    from tasks.wesr_annotating import Annotating

    how = Annotating(
        model,
        described or model.startswith("anthropic:"),
        requests=requests,
        budget=budget,
        price_in=price_in,
        price_out=price_out,
    )
    counts, scores = run_on_what_is_there("wesr_annotating", "annotate", lake, lake, how, where)
    if not as_json:
        show_counts(counts, lake)
    show(scores, as_json)


@app.command("import-wesr", help="Take a published corpus with vocal events in.")
def import_wesr(
    corpus: Annotated[str, typer.Argument(help="Its name, such as nonverbaltts or mnv-17.")],
    source: Annotated[Path, typer.Argument(help="Its folder, or one of its files.")],
    lake: LakeOption,
    map_: Annotated[
        list[str] | None, typer.Option("--map", help="their=ours: text, audio, id, speaker, language.")
    ] = None,
    interjections: Annotated[
        bool, typer.Option("--interjections-as-words", help="Take interjections as words; else left out.")
    ] = False,
    gasp: Annotated[bool, typer.Option("--gasp-as-inhale", help="Take a gasp as [inhale].")] = False,
) -> None:
    """Run the flow ``import-wesr``."""
    from sonolake.wesr.corpora.reading import read
    from sonolake.wesr.corpora.tables import corpus_of

    columns = {ours: theirs for theirs, ours in _headers(map_).items()}
    next(read(corpus_of(corpus), source, columns), None)
    given = (corpus, str(source), lake, columns, interjections, gasp)
    show_counts(run_flow("corpora", "import_wesr", lake, *given), lake)


@app.command("wesr-sets", help="Divide annotated speech into training and benchmark sets.")
def wesr_sets(
    lake: LakeThere,
    report: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write tables and figures of the sets there.")
    ] = None,
) -> None:
    """Run the flow ``wesr-sets``."""
    show_counts(run_on_what_is_there("wesr_sets", "wesr_sets", lake, str(lake), str(report or "")), lake)


app.command("release", help="Publish a release of all that the lake has made.")(keeping.release)
app.command(
    "recheck-sources", help="Ask sources what was deleted or relicensed; list the releases it touches."
)(keeping.recheck_sources)
app.command("maintain", help="Join small files, index large vector spaces, clean old versions away.")(
    keeping.maintain
)


@app.command("demo", help="A small lake from nothing to a verified release.")
def demo(
    lake: LakeOption = "demo-lake",
    pulled: Annotated[Path, typer.Option(help="Folder to pull the release into.")] = Path("demo-pull"),
) -> None:
    """Run the flow ``demo``."""
    run_flow("demonstration", "demo", lake, lake, str(pulled))


def main() -> None:
    """Run a command; an error that is not ours to trace is one line and exit status 1."""
    try:
        app()
    except (SonolakeError, OSError) as error:
        sys.stderr.write(f"error: {' '.join(str(error).split())}\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
