"""The scorer of WESR as a program of its own: what ``sonolake score wesr --resamples 0 --json`` prints.

Readings of Chinese characters stand in the file; edits between words are counted by a plain table.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from sonolake.errors import InvalidInput
from sonolake.wesr.reading import Reading
from sonolake.wesr.scorefiles import score_files
from sonolake.wesr.scoretables import as_json
from sonolake.wesr.scoretext import Options
from sonolake.wesr.tagged import words_of
from sonolake.wesr.worderrors import WordErrors

USAGE = (
    "python score_wesr.py REFERENCE HYPOTHESIS [--reading paper|compat] [--exact-characters] [--split-words] "
    "[--fold-names]"
)
READINGS = ""
"""A line a reading: the reading, a blank, the characters read so. Filled in where the file is written."""


@cache
def readings() -> Mapping[str, str]:
    """The reading of each character."""
    lines = (line.partition(" ") for line in READINGS.splitlines())
    return {character: reading for reading, _, characters in lines for character in characters}


def reading_of(character: str) -> str:
    """The character's one reading in pinyin without tone; itself where there is none."""
    return readings().get(character, character)


class NoIntervals:
    """Stands where the bootstrap is in the library."""

    def __init__(self, resamples: int) -> None:
        raise InvalidInput("resamples", "0: intervals are worked out by sonolake score wesr", resamples)


def word_errors(reference: str, hypothesis: str) -> WordErrors:
    """As :func:`sonolake.wesr.worderrors.word_errors`; of equally short ways the same one is taken."""
    said, heard = words_in(reference), words_in(hypothesis)
    table = distances(said, heard)
    i, j, wrong, left_out, too_many = len(said), len(heard), 0, 0, 0
    while i and j:
        if table[i][j] == table[i - 1][j] + 1:
            i, left_out = i - 1, left_out + 1
        elif j > 1 and table[i][j - 1] == table[i - 1][j - 1] - 1:
            j, too_many = j - 1, too_many + 1
        else:
            i, j, wrong = i - 1, j - 1, wrong + (said[i - 1] != heard[j - 1])
    return WordErrors(len(said), wrong, left_out + i, too_many + j)


def distances(said: Sequence[str], heard: Sequence[str]) -> list[list[int]]:
    """Fewest edits between the first i words of one and the first j of the other."""
    table = [list(range(len(heard) + 1))]
    for i, word in enumerate(said, 1):
        row = [i]
        for j, other in enumerate(heard, 1):
            row.append(min(table[-1][j] + 1, row[-1] + 1, table[-1][j - 1] + (word != other)))
        table.append(row)
    return table


def words_in(text: str) -> list[str]:
    """Words in lower case and plain width."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    return [word.lower() for word in words_of(plain)]


def main(arguments: Sequence[str]) -> int:
    """Score a file or folder; 1 when lines of it could not be read, 2 when it was called wrongly."""
    left = list(arguments)
    name: Literal["paper", "compat"] = "paper"
    if "--reading" in left:
        place = left.index("--reading")
        name = "compat" if left[place + 1 : place + 2] == ["compat"] else "paper"
        del left[place : place + 2]
    flags = {"--exact-characters", "--split-words", "--fold-names"} & set(left)
    paths = [Path(one) for one in left if one not in flags]
    if len(paths) != 2:
        sys.stderr.write(f"usage: {USAGE}\n")
        return 2
    options = Options("--exact-characters" in flags, "--split-words" in flags, "--fold-names" in flags)
    found = score_files(paths[0], paths[1], Reading(name, options))
    for one in found.unreadable:
        sys.stderr.write(f"{one.where}: not read: {one.why}\n")
    made: dict[str, Any] = as_json(found.scores)
    sys.stdout.write(json.dumps(made, ensure_ascii=False, indent=2) + "\n")
    return int(bool(found.unreadable_count))
