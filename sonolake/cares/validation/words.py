"""Word error rate of what a recogniser hears in the mixes against what was to be said, with an interval."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sonolake.cares.spoken import spoken_text
from sonolake.cares.validation.numerals import in_words
from sonolake.errors import InvalidInput
from sonolake.scoring.bootstrap import Score, intervals, ratio
from sonolake.textfiles import numbered_lines
from sonolake.wesr.worderrors import WordErrors, word_errors

RESAMPLES = 2000
Hearing = Callable[[NDArray[Any], int], str]
"""From samples ``(frames,)`` and their rate in Hz to what is said in them."""


@dataclass(frozen=True)
class HeardWords:
    """Scenes, their words, errors, and the rate with its 95 % interval (scenes drawn with replacement)."""

    scenes: int
    words: int
    substitutions: int
    deletions: int
    insertions: int
    rate: Score


def heard_words(
    scripts: Mapping[str, str], heard: Mapping[str, str], resamples: int = RESAMPLES
) -> HeardWords:
    """The rate over all scenes that were heard.

    Args:
        scripts: by scene id, what is said; tags and ellipses are left out.
        heard: by scene id, what the recogniser wrote down; numbers in figures are read as words.
        resamples: of the interval; 0 for none.
    """
    found = _errors(scripts, heard, sorted(set(scripts) & set(heard)))
    counts = np.array([[e.words, e.errors] for e in found], dtype=float).reshape(len(found), 2)
    (rate,) = intervals(counts, [ratio(1, 0)], resamples)
    return HeardWords(
        len(found),
        sum(e.words for e in found),
        sum(e.substitutions for e in found),
        sum(e.deletions for e in found),
        sum(e.insertions for e in found),
        rate,
    )


def against_voices(
    scripts: Mapping[str, str],
    mixes: Mapping[str, str],
    voices: Mapping[str, str],
    resamples: int = RESAMPLES,
) -> Score | None:
    """How many times the word error rate of the bare voices that of the mixes is (CARES, section 4: 3.3 % to 2.7 %).

    Args:
        scripts: by scene id, what is said.
        mixes, voices: by scene id, what the recogniser wrote down of each; scenes in both count.
        resamples: of the interval, a scene's mix and voice drawn together; 0 for none.

    Returns:
        None when no word of the bare voices was misheard.
    """
    ids = sorted(set(scripts) & set(mixes) & set(voices))
    pairs = zip(_errors(scripts, mixes, ids), _errors(scripts, voices, ids), strict=True)
    counts = np.array([[mix.errors, voice.errors] for mix, voice in pairs], dtype=float).reshape(len(ids), 2)
    if not counts[:, 1].sum():
        return None
    (found,) = intervals(counts, [ratio(0, 1)], resamples)
    return found


def _errors(scripts: Mapping[str, str], heard: Mapping[str, str], ids: Sequence[str]) -> list[WordErrors]:
    return [word_errors(in_words(spoken_text(scripts[one])), in_words(heard[one])) for one in ids]


def hear_all(
    sounds: Iterable[tuple[str, Callable[[], tuple[NDArray[Any], int]]]],
    hearing: Hearing,
    kept: Path | None = None,
) -> dict[str, str]:
    """What is heard in each scene, by its id.

    Args:
        sounds: scene id, and a function that gives samples and rate.
        hearing: the recogniser; it hears what ``kept`` does not hold.
        kept: JSON lines as of :func:`read_transcripts`; made when it is not there.

    Raises:
        InvalidInput: when ``kept`` holds something else.
    """
    there = read_transcripts(kept) if kept and kept.exists() else {}
    found = {}
    for scene_id, sound in sounds:
        found[scene_id] = there[scene_id] if scene_id in there else hearing(*sound())
        if kept and scene_id not in there:
            with kept.open("a", encoding="utf-8", newline="\n") as lines:
                row = {"scene_id": scene_id, "text": found[scene_id]}
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    return found


def read_transcripts(path: Path) -> dict[str, str]:
    """What a recogniser wrote, by scene id, from JSON lines with ``scene_id`` and ``text``.

    Raises:
        InvalidInput: for a line that is something else.
    """
    found: dict[str, str] = {}
    for where, line in numbered_lines(path.name, path.read_bytes()):
        try:
            row = json.loads(line)
            found[str(row["scene_id"])] = str(row["text"])
        except (ValueError, LookupError, TypeError):
            raise InvalidInput(where, "an object with scene_id and text", line[:80]) from None
    return found
