"""Records in the published layout: JSON files of ``{"records": [{"segment_id", "qa_pairs": [...]}]}``.

A record has exactly one pair of each stage. A pair has ``stage`` (``layer`` in older files), ``question``, ``options``
(an object by letter) and ``answer`` (``correct_option``), and in stage 2 ``category_name``. Public texts and the public
scorer number the categories differently: the name alone is read, ``category_id`` is written as the scorer numbers them.
A record may have an ``audio_path``, from the folder of the files or the one above it.
``metadata.json``, which the published loader skips, carries what the layout has no place for.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from sonolake.errors import InvalidInput, NotFound
from sonolake.spatial.benchmark.records import Query, Record
from sonolake.spatial.dimensions import DIMENSIONS, dimension_of

METADATA = "metadata.json"
_IDS = {name: number for number, name in enumerate(DIMENSIONS, 1)}


def read_published(path: Path) -> tuple[Record, ...]:
    """The records of a file or of a folder's files, in the order of file names.

    A segment's second record is called ``SEGMENT~2``, and so on. What ``metadata.json`` says of a segment (``origin``,
    ``concurrent``, ``farthest_m``) is taken over.

    Raises:
        NotFound: when there is no file.
        InvalidInput: for a record that is not as above, naming file and record.
    """
    known = _metadata(path)
    found = []
    for name, segment, record_id, row in rows(path):
        try:
            found.append(_record(segment, record_id, row, known))
        except (InvalidInput, LookupError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"{name}, {record_id}", "a record with a pair of each stage", error) from None
    return tuple(found)


def rows(path: Path) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    """File name, segment, record id and raw record of everything under a path.

    Raises:
        NotFound: when there is no file.
        InvalidInput: for a file that is not in the layout.
    """
    files = [path] if path.is_file() else sorted(p for p in path.glob("**/*.json") if p.name != METADATA)
    if not files:
        raise NotFound(f"no questions here: {path} is neither a JSON file nor a folder with one")
    times: Counter[str] = Counter()
    for file in files:
        try:
            records = json.loads(file.read_text(encoding="utf-8"))["records"]
            segments = [str(row["segment_id"]).removesuffix(".json") for row in records]
        except (ValueError, LookupError, TypeError) as error:
            allowed = "an object with records, each with a segment_id"
            raise InvalidInput(str(file), allowed, type(error).__name__, str(error)[:100]) from None
        for segment, row in zip(segments, records, strict=True):
            times[segment] += 1
            nth = times[segment]
            yield file.name, segment, segment if nth == 1 else f"{segment}~{nth}", row


def pairs(row: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    """The pairs of a raw record by stage.

    Raises:
        InvalidInput: for other than one pair of stage 1 and one of stage 2.
    """
    stages = [(int(pair.get("stage", pair.get("layer", 0))), pair) for pair in row["qa_pairs"]]
    if sorted(stage for stage, _ in stages) != [1, 2]:
        raise InvalidInput("qa_pairs", "one of stage 1 and one of stage 2", [stage for stage, _ in stages])
    return dict(stages)


def question_id(record_id: str, stage: int) -> str:
    """How a question of the published layout, which names none, is called: ``RECORD/STAGE``."""
    return f"{record_id}/{stage}"


def _record(segment: str, record_id: str, row: Mapping[str, Any], known: Mapping[str, Any]) -> Record:
    by_stage = pairs(row)
    facts = known.get(segment, {})
    return Record(
        record_id,
        segment,
        dimension_of(str(by_stage[2]["category_name"])),
        _query(record_id, 1, by_stage[1]),
        _query(record_id, 2, by_stage[2]),
        str(facts.get("origin", "")),
        facts.get("concurrent"),
        facts.get("farthest_m"),
        _inside(row.get("audio_path", "")),
    )


def _inside(audio_path: Any) -> str:
    """A path that leads nowhere but into the folder it is seen from."""
    path = PurePosixPath(audio_path)
    if path.is_absolute() or ".." in path.parts or "\\" in audio_path:
        raise InvalidInput("audio_path", "a path inside the folder, with /", audio_path)
    return str(audio_path)


def _query(record_id: str, stage: int, pair: Mapping[str, Any]) -> Query:
    options = {str(key): str(text) for key, text in pair["options"].items()}
    answer = pair["correct_option"] if "correct_option" in pair else pair["answer"]
    return Query(
        str(pair.get("question_id") or question_id(record_id, stage)), str(pair["question"]), options, answer
    )


def _metadata(path: Path) -> Mapping[str, Any]:
    file = (path if path.is_dir() else path.parent) / METADATA
    if not file.is_file():
        return {}
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InvalidInput(str(file), "a JSON object", str(error)) from None
    segments = found.get("segments") if isinstance(found, dict) else None
    return segments if isinstance(segments, dict) else {}


def published_files(records: Iterable[Record], audio_folder: str = "audio") -> dict[str, bytes]:
    """The files of records by name: one a record, and ``metadata.json``. Equal records give equal bytes.

    Args:
        records: of a benchmark.
        audio_folder: where recordings lie of which nothing says it, ``FOLDER/CLIP.wav``.
    """
    files: dict[str, bytes] = {}
    known: dict[str, dict[str, object]] = {}
    for record in sorted(records, key=lambda r: r.record_id):
        row = {
            "segment_id": f"{record.clip_id}.json",
            "audio_path": audio_path(record, audio_folder),
            "qa_pairs": [_pair(record, 1), _pair(record, 2)],
        }
        files[f"{record.record_id}.json"] = _json({"records": [row]})
        known[record.clip_id] = {
            "origin": record.origin,
            "concurrent": record.concurrent,
            "farthest_m": record.farthest_m,
        }
    return files | {METADATA: _json({"segments": known})}


def audio_path(record: Record, audio_folder: str = "audio") -> str:
    """Where a record's recording lies, from the folder of its file."""
    return record.audio or f"{audio_folder}/{record.clip_id}.wav"


def _pair(record: Record, stage: int) -> dict[str, object]:
    query = record.stage_1 if stage == 1 else record.stage_2
    pair: dict[str, object] = {
        "stage": stage,
        "question_id": query.question_id,
        "question": query.question,
        "options": dict(query.options),
        "answer": query.answer,
    }
    if stage == 2:
        pair |= {"category_id": _IDS[record.dimension], "category_name": DIMENSIONS[record.dimension]}
    return pair


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
