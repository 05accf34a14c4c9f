"""Writing folders of made sounds: each file is made once, and made again only when its recipe or the code changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from sonolake.ids import sha256_hex
from sonolake.sources.layout import write_manifest, write_once
from sonolake.sources.procedural.recipe import AUTHOR, LICENCE

_NOTES = ".made.json"
"""Beside the files, hidden from sources: what each was made from, and the hash of what came out."""


@dataclass(frozen=True)
class Product:
    """One made sound: its row of the manifest, the name of its recipe, and what makes its files.

    Attributes:
        row: headers and values; ``path`` is where the sound goes, author and licence are ours unless it says others.
        recipe_id: a hash of all that the sound depends on, code apart.
        make: gives the bytes of the sound, and of files beside it, by their path in the folder.
    """

    row: Mapping[str, str]
    recipe_id: str
    make: Callable[[], Mapping[str, bytes]]


@dataclass(frozen=True)
class MadeFolder:
    """A folder of made sounds.

    Attributes:
        folder: where it is; its ``manifest.csv`` says what the files are.
        counts: sounds by event, location or room, whichever the folder is about.
        made: how many were made by this call; the others were there.
    """

    folder: Path
    counts: Mapping[str, int]
    made: int


def write_products(dest: Path, products: Iterable[Product], about: str) -> MadeFolder:
    """Make what is not there yet, and write the manifest; counts are by the header ``about``.

    A file is there when its bytes have the hash that was noted when it was made from the same recipe by the same code.
    """
    notes = _read_notes(dest)
    fresh: dict[str, dict[str, str]] = {}
    rows: list[Mapping[str, str]] = []
    counts: dict[str, int] = {}
    made = 0
    for product in products:
        path = product.row["path"]
        recipe = f"{product.recipe_id}/{code_digest()}"
        files = notes.get(path, {})
        if files.get("recipe") != recipe or not _intact(dest, files):
            files = {"recipe": recipe}
            for name, data in product.make().items():
                write_once(dest / name, data)
                files[name] = sha256_hex(data)
            made += 1
        fresh[path] = files
        rows.append({"author": AUTHOR, "licence": LICENCE, **product.row, "synthetic": "true"})
        counts[product.row[about]] = counts.get(product.row[about], 0) + 1
    write_once(dest / _NOTES, json.dumps(fresh, indent=0, sort_keys=True, ensure_ascii=False).encode())
    write_manifest(dest, [{**row, "recipe": fresh[row["path"]]["recipe"].partition("/")[0]} for row in rows])
    return MadeFolder(dest, counts, made)


@cache
def code_digest() -> str:
    """A hash of the code that makes sounds: these sources and the signal code that they use."""
    digests = [
        sha256_hex(entry.read_bytes())
        for package in ("sonolake.sources", "sonolake.sources.procedural", "sonolake.audio")
        for entry in sorted(resources.files(package).iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".py")
    ]
    return sha256_hex("".join(digests).encode())[:16]


def _read_notes(dest: Path) -> dict[str, dict[str, str]]:
    try:
        notes = json.loads((dest / _NOTES).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def _intact(dest: Path, files: Mapping[str, str]) -> bool:
    return all(
        (dest / name).is_file() and sha256_hex((dest / name).read_bytes()) == digest
        for name, digest in files.items()
        if name != "recipe"
    )
