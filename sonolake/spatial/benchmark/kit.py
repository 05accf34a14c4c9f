"""A rating kit for pairs of questions: people listen, answer and point, and what they say is held against the key.

Section 2.1 of RMS-AQA has people verify the validation pairs. The page of :mod:`sonolake.pages.rating` holds each
clip's W, Y and X: the listener turns a dial, and hears two cardioids at right angles to it, which tells front from
back.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from typing import Any

from sonolake.audio.encode import Pcm16, flac_bytes
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of
from sonolake.pages.rating import SAVED, kit_id, rating_page, read_saved
from sonolake.scoring.raters import RaterAgreement, rater_agreement
from sonolake.spatial.benchmark.records import Query, Record
from sonolake.spatial.dimensions import DIMENSIONS
from sonolake.spatial.records import LETTERS
from sonolake.spatial.sectors import wrap

Clip = Callable[[str], tuple[Pcm16, int]]
"""From a clip's id to its samples, int16 ``(frames, 4)`` AmbiX, and rate in Hz."""
_HEARD = (0, 1, 3)
"""W, Y and X: all that is heard in the horizontal plane."""


@dataclass(frozen=True)
class Pair:
    """A record to be verified; ``azimuth_deg`` of the sound whose direction stage 2 asks for, None when it does not."""

    record: Record
    azimuth_deg: float | None = None


@dataclass(frozen=True)
class Judged:
    """One rater's view of a pair: the letters given, where the dial was left, and whether it cannot be told."""

    stage_1: str | None
    stage_2: str | None
    azimuth_deg: float | None
    doubt: bool


@dataclass(frozen=True)
class Ratings:
    """One rater's views by record id, and all records of the kit."""

    rater: str
    records: tuple[str, ...]
    judged: Mapping[str, Judged]


@dataclass(frozen=True)
class Verified:
    """What raters say of the pairs.

    Attributes:
        answers: agreement on letters, with the key and with each other; an item is a record and a stage.
        off_deg: for each rater, how far the dial was from the label, in degrees, by record.
        doubted: records that a rater said cannot be told, or for which nobody gave the key's two letters.
    """

    answers: RaterAgreement
    off_deg: Mapping[str, Mapping[str, float]]
    doubted: tuple[str, ...]


def chosen(pairs: Sequence[Pair], first: int) -> list[Pair]:
    """The first pairs of each dimension by record id, as many of each as there are, ``first`` in all."""
    by_dimension = [
        sorted((p for p in pairs if p.record.dimension == name), key=lambda p: p.record.record_id)
        for name in DIMENSIONS
    ]
    return [pair for row in zip_longest(*by_dimension) for pair in row if pair is not None][:first]


def kit_page(pairs: Sequence[Pair], clip: Clip) -> str:
    """The page: pairs in an order drawn from the kit's id, without their answers.

    Raises:
        InvalidInput: when there is no pair.
    """
    if not pairs:
        raise InvalidInput("pairs", "one at least", len(pairs))
    ordered = sorted(pairs, key=lambda pair: pair.record.record_id)
    name = kit_id("records", [pair.record.record_id for pair in ordered])
    order = rng_of(name, "kit").permutation(len(ordered))
    data = {"kit_id": name, "pairs": [_shown(ordered[i], clip) for i in order]}
    fragment = files(__package__).joinpath("kit.html").read_text(encoding="utf-8")
    return rating_page("What do you hear, and where?", fragment, data)


def _shown(pair: Pair, clip: Clip) -> dict[str, Any]:
    samples, rate = clip(pair.record.clip_id)
    return {
        "record_id": pair.record.record_id,
        "stage_1": _asked(pair.record.stage_1),
        "stage_2": _asked(pair.record.stage_2),
        "direction": pair.azimuth_deg is not None,
        "flac": base64.b64encode(flac_bytes(samples[:, _HEARD], rate)).decode(),
    }


def _asked(query: Query) -> dict[str, Any]:
    return {"question": query.question, "options": dict(query.options)}


def read_ratings(path: Path) -> Ratings:
    """The ratings that the page saved.

    Raises:
        InvalidInput: for what the page does not write.
    """
    saved = read_saved(path, "records")
    try:
        judged = {str(one["record_id"]): _judged(one) for one in saved.ratings}
    except (LookupError, TypeError, ValueError):
        raise InvalidInput(path.name, SAVED, saved.ratings[:1]) from None
    if strange := set(judged) - set(saved.shown):
        raise InvalidInput(path.name, "records of the kit", min(strange))
    return Ratings(saved.rater, saved.shown, judged)


def _judged(one: Mapping[str, Any]) -> Judged:
    first, second, azimuth = one["stage_1"], one["stage_2"], one["azimuth_deg"]
    if any(letter not in (None, *LETTERS) for letter in (first, second)):
        raise ValueError
    return Judged(first, second, None if azimuth is None else float(azimuth), bool(one["doubt"]))


def verified(ratings: Sequence[Ratings], pairs: Sequence[Pair]) -> Verified:
    """What raters say of the pairs, beside the key.

    Raises:
        InvalidInput: for two raters of one name, or a record that is not among the pairs.
    """
    of = {pair.record.record_id: pair for pair in pairs}
    for one in ratings:
        if strange := set(one.judged) - set(of):
            raise InvalidInput(f"ratings of {one.rater}", "records of these clips", min(strange))
    key = {item: letter for pair in pairs for item, letter in _letters(pair).items()}
    given = [(one.rater, _given(one)) for one in ratings]
    answers = rater_agreement(given, key)
    off = {
        one.rater: {
            name: abs(wrap(judged.azimuth_deg - at))
            for name, judged in sorted(one.judged.items())
            if judged.azimuth_deg is not None and (at := of[name].azimuth_deg) is not None
        }
        for one in ratings
    }
    return Verified(answers, off, tuple(sorted(name for name in of if _doubted(of[name], ratings))))


def _letters(pair: Pair) -> dict[tuple[str, str], str]:
    record = pair.record
    return {
        (record.record_id, "stage 1"): record.stage_1.answer,
        (record.record_id, "stage 2"): record.stage_2.answer,
    }


def _given(one: Ratings) -> dict[tuple[str, str], str]:
    said = {
        (name, stage): letter
        for name, judged in one.judged.items()
        for stage, letter in (("stage 1", judged.stage_1), ("stage 2", judged.stage_2))
    }
    return {item: letter for item, letter in said.items() if letter is not None}


def _doubted(pair: Pair, ratings: Sequence[Ratings]) -> bool:
    views = [one.judged[pair.record.record_id] for one in ratings if pair.record.record_id in one.judged]
    right = (pair.record.stage_1.answer, pair.record.stage_2.answer)
    return bool(views) and (
        any(view.doubt for view in views) or all((view.stage_1, view.stage_2) != right for view in views)
    )
