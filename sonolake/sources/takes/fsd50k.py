"""FSD50K (Fonseca et al. 2022): clips of Freesound by number, labels, ratings, and a licence for each clip.

The labels are those of ``collection/``, which are as people gave them; without that folder those of the ground truth,
which also carry all broader names. A clip in whose label nobody found its sound predominant (``pp_pnp_ratings``, 1 for
present and predominant) is in doubt.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.sources.takes.excerpts import Excerpt, table_rows

_PREDOMINANT = 1.0
_COLUMNS = ("fname", "labels", "mids")


def excerpts(folder: Path) -> Iterator[Excerpt]:
    """The clips of the development and the evaluation set, those of a set whose audio is not there left out.

    Raises:
        NotFound, InvalidInput: for a table that is not there, or is of another form.
    """
    ratings = _json(folder / "FSD50K.metadata/pp_pnp_ratings_FSD50K.json")
    for part in ("dev", "eval"):
        audio = folder / f"FSD50K.{part}_audio"
        if not audio.is_dir():
            continue
        info = _json(folder / f"FSD50K.metadata/{part}_clips_info_FSD50K.json")
        for _, row in table_rows(_table(folder, part), _COLUMNS):
            yield _excerpt(audio, row, info.get(row["fname"], {}), ratings.get(row["fname"], {}))


def _table(folder: Path, part: str) -> Path:
    collected = folder / f"FSD50K.metadata/collection/collection_{part}.csv"
    return collected if collected.is_file() else folder / f"FSD50K.ground_truth/{part}.csv"


def _excerpt(
    audio: Path, row: Mapping[str, str], info: Mapping[str, Any], rated: Mapping[str, Any]
) -> Excerpt:
    name = row["fname"]
    heard = [rated[mid] for mid in row["mids"].split(",") if rated.get(mid)]
    faint = bool(heard) and not any(_PREDOMINANT in each for each in heard)
    return Excerpt(
        f"fsd50k-{name}",
        audio / f"{name}.wav",
        tuple(filter(None, row["labels"].split(","))),
        doubt=("several_sources", "nobody who rated it found its sound predominant") if faint else None,
        facts={
            "source_id": f"freesound:{name}",
            "title": str(info.get("title", f"FSD50K {name}")),
            "author": str(info.get("uploader", "")),
            "licence": str(info.get("license", "")),
            "tags": ", ".join(map(str, info.get("tags", ()))),
        },
    )


def _json(path: Path) -> dict[str, Any]:
    """A JSON object, empty where there is no such file."""
    if not path.is_file():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InvalidInput(path.name, "JSON", str(error)) from None
    if not isinstance(data, dict):
        raise InvalidInput(path.name, "a JSON object by clip", type(data).__name__)
    return data
