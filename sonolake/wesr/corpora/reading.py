"""Reading corpora in their published layouts, clip by clip, without their sound.

Where a detail of a layout is not public or another version has it otherwise, ``columns`` says where our fields are.
"""

from __future__ import annotations

import json
import tarfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

from sonolake.errors import InvalidInput, NotFound
from sonolake.wesr.corpora.clips import Clip, Sound, Unusable
from sonolake.wesr.corpora.tables import Corpus, Layout

SOUNDS = frozenset({".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a"})
FIELDS = ("text", "audio", "id", "speaker", "language")
"""What ``columns`` may name."""

Found = Iterator[Clip | Unusable]


def read(corpus: Corpus, source: Path, columns: Mapping[str, str] | None = None) -> Found:
    """The clips of a corpus, in order; of clips with one name the second is called ``name#2``.

    Args:
        corpus: which one.
        source: its folder, or one of its files.
        columns: our field to theirs, where they differ from the corpus's table.

    Raises:
        NotFound: when there is no file of the corpus's layout.
        InvalidInput: for a field that is not ours, or a column that is not there.
    """
    given = dict(columns or {})
    if not set(given) <= set(FIELDS):
        raise InvalidInput("columns", f"fields of {', '.join(FIELDS)}", sorted(set(given) - set(FIELDS)))
    seen: Counter[str] = Counter()
    for found in _READERS[corpus.layout](corpus, source, {**corpus.columns, **given}):
        seen[found.item] += 1
        again = seen[found.item]
        yield found if again == 1 else replace(found, item=f"{found.item}#{again}")


def _files(source: Path, suffix: str) -> list[Path]:
    found = [source] if source.is_file() else sorted(p for p in source.rglob(f"*{suffix}") if p.is_file())
    if not found:
        raise NotFound(f"no {suffix} files in {source}")
    return found


def _sounds(source: Path) -> dict[str, Path]:
    """Sound files by name, of those with one name the first by path."""
    folder = source if source.is_dir() else source.parent
    return {p.name: p for p in sorted(folder.rglob("*"), reverse=True) if p.suffix.lower() in SOUNDS}


def _clip(
    corpus: Corpus, item: str, row: Mapping[str, Any], columns: Mapping[str, str], sound: Sound | None
) -> Clip | Unusable:
    """A clip of a row under their column names."""
    name = f"{corpus.name}/{unicodedata.normalize('NFC', item)}"
    text = row.get(columns["text"])
    if not isinstance(text, str) or not text.strip():
        return Unusable(name, "malformed_row", f"no text under {columns['text']!r}")
    if sound is None:
        return Unusable(name, "missing", "its sound is not there")
    ours = {ours: row.get(theirs) for ours, theirs in columns.items() if ours in ("speaker", "language")}
    known = set(columns.values())
    tags = {key: value for key, value in row.items() if key not in known}
    return Clip(name, text, sound, _texts({"language": corpus.language, **_texts(ours)}), _texts(tags))


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Values that are short and plain, as text."""
    plain = {key: str(value) for key, value in values.items() if isinstance(value, str | int | float)}
    return {key: value for key, value in plain.items() if value.strip() and len(value) < 1000}


def _parquet(corpus: Corpus, source: Path, columns: Mapping[str, str]) -> Found:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for path in _files(source, ".parquet"):
        with pq.ParquetFile(path) as file:
            schema = file.schema_arrow
            _require(path, schema.names, [columns["text"], columns["audio"]])
            audio = columns["audio"]
            if not pa.types.is_struct(schema.field(audio).type):
                raise InvalidInput(
                    f"{path.name}, {audio}", "a struct of bytes and path", str(schema.field(audio).type)
                )
            wanted = [f"{audio}.path"] + [
                field.name for field in schema if not pa.types.is_nested(field.type)
            ]
            row = 0
            for batch in file.iter_batches(1000, columns=wanted):
                for values in batch.to_pylist():
                    inside = values.pop(audio) or {}
                    item = inside.get("path") or values.get(columns.get("id", ""))
                    item = str(item) if item is not None else f"{path.stem}-{row}"
                    yield _clip(corpus, _base(item), values, columns, Sound(path, audio, row))
                    row += 1


def _webdataset(corpus: Corpus, source: Path, columns: Mapping[str, str]) -> Found:
    for path in _files(source, ".tar"):
        try:
            with tarfile.open(path, "r:") as tar:
                for key, members in groupby((m for m in tar if m.isfile()), key=lambda m: _key(m.name)):
                    yield _sample(corpus, path, key, tar, list(members), columns)
        except (tarfile.TarError, EOFError, OSError) as error:
            yield Unusable(f"{corpus.name}/{path.name}", "truncated", f"the tar ends early: {error}")


def _key(name: str) -> str:
    return name[: len(name) - len(PurePosixPath(name).name)] + PurePosixPath(name).name.partition(".")[0]


def _sample(
    corpus: Corpus,
    path: Path,
    key: str,
    tar: tarfile.TarFile,
    members: list[tarfile.TarInfo],
    columns: Mapping[str, str],
) -> Clip | Unusable:
    row: dict[str, Any] = {}
    sound = None
    for member in members:
        suffix = PurePosixPath(member.name).suffix.lower()
        if suffix in SOUNDS:
            sound = Sound(path, offset=member.offset_data, size=member.size)
        elif suffix == ".json" and (file := tar.extractfile(member)):
            row |= _object(file.read())
        elif suffix in (".txt", ".lab") and (file := tar.extractfile(member)):
            row[columns["text"]] = file.read().decode("utf-8-sig", "replace").strip()
    return _clip(corpus, key, row, columns, sound)


def _jsonl(corpus: Corpus, source: Path, columns: Mapping[str, str]) -> Found:
    sounds = _sounds(source)
    for path in _files(source, ".jsonl"):
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            if not line.strip():
                continue
            row = _object(line)
            name = row.get(columns.get("id", "")) or row.get(columns.get("audio", ""))
            item = _base(str(name)) if name else f"{path.stem}-{number}"
            found = sounds.get(_base(str(row.get(columns.get("audio", "")) or "")))
            yield _clip(corpus, item, row, columns, Sound(found) if found else None)


def _lines(corpus: Corpus, source: Path, columns: Mapping[str, str]) -> Found:
    """Lines of fields parted by tabs or bars, the sound beside the file or anywhere below the source."""
    sounds = _sounds(source)
    for path in _files(source, ".txt"):
        around = dict(zip(corpus.folders, path.parts[:-1][-len(corpus.folders) :], strict=False))
        for number, line in enumerate(path.read_text("utf-8-sig", "replace").splitlines(), 1):
            if line.strip():
                parts = [part.strip() for part in line.split("\t" if "\t" in line else "|")]
                row = {str(place): part for place, part in enumerate(parts, 1)}
                item = _base(row.get(columns.get("id", ""), "")) or f"{path.stem}-{number}"
                found = next((sounds[n] for n in (item, f"{item}.wav", f"{item}.flac") if n in sounds), None)
                clip = _clip(corpus, item, row, columns, Sound(found) if found else None)
                yield _placed(clip, around)


def _placed(clip: Clip | Unusable, around: Mapping[str, str]) -> Clip | Unusable:
    if isinstance(clip, Unusable) or not around:
        return clip
    fields = {**{k: v for k, v in around.items() if k == "speaker"}, **clip.fields}
    tags = {**clip.tags, **{k: v for k, v in around.items() if k != "speaker"}}
    return Clip(clip.item, clip.text, clip.sound, fields, tags)


def _object(data: bytes) -> dict[str, Any]:
    """A JSON object, or nothing where there is none."""
    try:
        row = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _base(name: str) -> str:
    return name.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _require(path: Path, there: list[str], wanted: list[str]) -> None:
    missing = [name for name in wanted if name not in there]
    if missing:
        raise InvalidInput(
            path.name, f"columns {', '.join(wanted)}", there, "another version: say where with --map"
        )


_READERS: Mapping[Layout, Callable[[Corpus, Path, Mapping[str, str]], Found]] = {
    "parquet": _parquet,
    "webdataset": _webdataset,
    "jsonl": _jsonl,
    "lines": _lines,
}
