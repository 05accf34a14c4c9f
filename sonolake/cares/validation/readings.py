"""Readings of many scenes, kept in a file as they come: a run that ends goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sonolake.cares.validation.judges import Judge, Reading
from sonolake.cares.validation.rated import RatedScene
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.textfiles import numbered_lines

_FORM = "an object with scene_id, judge, topic and reactions"


def read_all(
    scenes: Sequence[RatedScene], judge: Judge, kept: Path | None = None, workers: int = 4
) -> dict[str, Reading | ItemRefused]:
    """A judge's reading of each scene, or why there is none.

    Args:
        scenes: to be read.
        judge: reads what ``kept`` does not hold.
        kept: JSON lines; made when it is not there.
        workers: scenes read at the same time.

    Raises:
        InvalidInput: when ``kept`` holds something else, or another judge's readings.
        LimitReached, Refused, Unreachable: as the judge says; what is read by then is kept.
    """
    found: dict[str, Reading | ItemRefused] = {**_there(kept, judge.name)} if kept and kept.exists() else {}
    todo = [scene for scene in scenes if scene.scene_id not in found]
    with ThreadPoolExecutor(workers) as pool:
        for first in range(0, len(todo), 4 * workers):
            some = todo[first : first + 4 * workers]
            new = dict(
                zip((scene.scene_id for scene in some), pool.map(lambda s: _one(s, judge), some), strict=True)
            )
            found.update(new)
            if kept:
                _append(kept, judge.name, new)
    return {scene.scene_id: found[scene.scene_id] for scene in scenes}


def _one(scene: RatedScene, judge: Judge) -> Reading | ItemRefused:
    try:
        return judge.read(scene.transcript)
    except ItemRefused as refused:
        return refused


def _append(path: Path, judge: str, new: Mapping[str, Reading | ItemRefused]) -> None:
    with path.open("a", encoding="utf-8", newline="\n") as lines:
        for scene_id, reading in new.items():
            if isinstance(reading, Reading):
                row = {"scene_id": scene_id, "judge": judge, **vars(reading)}
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def _there(path: Path, judge: str) -> dict[str, Reading]:
    """What a file holds; a last line that was cut off is taken out of it."""
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        path.write_bytes(whole)
    found: dict[str, Reading] = {}
    for where, line in numbered_lines(path.name, whole):
        try:
            row = json.loads(line)
            by, reading = row["judge"], Reading(str(row["topic"]), dict(row["reactions"]))
            found[str(row["scene_id"])] = reading
        except (ValueError, LookupError, TypeError):
            raise InvalidInput(where, _FORM, line[:80]) from None
        if by != judge:
            raise InvalidInput(where, f"readings of {judge}", by, "the file is another judge's")
    return found
