"""Scores of files: references and hypotheses are read as they come, in memory that does not grow with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import InvalidInput
from sonolake.wesr.predictions import Unreadable, read
from sonolake.wesr.reading import PAPER, Reading
from sonolake.wesr.scoring import Scores, Watch, score
from sonolake.wesr.texts import Texts

KEPT = 20
"""Unreadable lines that are remembered; the others are counted."""


@dataclass(frozen=True)
class FileScores:
    """Scores, and what was odd about the hypotheses' files.

    Attributes:
        scores: the figures.
        unreadable: the first lines that could not be read; their utterances count as missing.
        unreadable_count: how many there were.
        repeated: utterances with more than one hypothesis; the last one counts.
        unknown: hypotheses of utterances that no reference has.
    """

    scores: Scores
    unreadable: tuple[Unreadable, ...]
    unreadable_count: int
    repeated: int
    unknown: int


def score_files(
    reference: Path,
    hypothesis: Path,
    reading: Reading = PAPER,
    resamples: int = 0,
    watch: Watch | None = None,
) -> FileScores:
    """Scores of one file or folder against another.

    Args:
        reference, hypothesis: see :mod:`~sonolake.wesr.predictions`.
        reading, resamples, watch: as in :func:`~sonolake.wesr.scoring.score`.

    Raises:
        NotFound: when there is nothing at a path.
        InvalidInput: for references that cannot be read, two texts of one reference, no reference, or hypotheses none
            of which belongs to a reference.
    """
    with Texts() as texts:
        unreadable, bad, repeated = [], 0, 0
        for entry in read(hypothesis):
            if isinstance(entry, Unreadable):
                bad += 1
                unreadable += [entry] if bad <= KEPT else []
            else:
                repeated += texts.add(entry.utterance_id, entry.text) is not None
        made = score(_references(reference), texts, reading, resamples, watch)
        matched = made.n - made.missing if reading.counts_missing else made.n
        if len(texts) and not matched:
            example = next(iter(texts))
            raise InvalidInput(
                str(hypothesis), "names of the reference's utterances", example, "other file names or ids"
            )
        return FileScores(made, tuple(unreadable), bad, repeated, len(texts) - matched)


def _references(path: Path) -> Iterator[tuple[str, str]]:
    """Each reference once."""
    empty = True
    with Texts() as seen:
        for entry in read(path):
            if isinstance(entry, Unreadable):
                raise InvalidInput(f"reference {entry.where}", "a tagged text of an utterance", entry.why)
            before = seen.add(entry.utterance_id, entry.text)
            if before is None:
                empty = False
                yield entry.utterance_id, entry.text
            elif before != entry.text:
                cause = "files of one name in several folders, which the audio's name alone cannot tell apart"
                raise InvalidInput("references", "one text an utterance", entry.utterance_id, cause)
    if empty:
        raise InvalidInput(str(path), "at least one reference", "none")
