"""The parts of ``sonolake validate cares``, each to plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sonolake.cares.records import Timeline, Utterance
from sonolake.cares.validation import (
    Kappa,
    RatedScene,
    Recovered,
    RuleJudge,
    Threshold,
    against_voices,
    calibrate,
    cosines,
    facts_of,
    hear_all,
    heard_words,
    read_all,
    recovered,
    report,
    topic_pairs,
)
from sonolake.cares.validation.topic_match import TopicMatch, topic_match
from sonolake.cares.validation.topic_pairs import Pairs, reworded_pairs
from sonolake.cares.variety import variety_of
from sonolake.cli.validate_source import Scenes, Sound

if TYPE_CHECKING:
    from sonolake.cares.validation import Judge
    from sonolake.cares.validation.chat_judge import ChatRewriter
    from sonolake.models.base import Signal, TextEncoder


def dialogues(scenes: Scenes, judge: str | None, encoder: str, kept: Path | None) -> dict[str, Any]:
    """Topics and reactions that a judge recovers, and how much the dialogues vary."""
    if judge is None:
        return _dialogues(scenes, RuleJudge(), None, encoder, kept)
    from sonolake.cares.validation.chat_judge import ChatReader, ChatRewriter
    from sonolake.models.chat import Asker, chat_model

    model = chat_model(judge)
    asker = Asker(model)
    try:
        return _dialogues(scenes, ChatReader(asker), ChatRewriter(asker), encoder, kept)
    finally:
        model.close()


def _dialogues(
    scenes: Scenes, reader: Judge, rewriter: ChatRewriter | None, encoder: str, kept: Path | None
) -> dict[str, Any]:
    rated = scenes.rated()
    readings = read_all(rated, reader, kept)
    topics = _topics(rated, scenes, encoder, reader, rewriter, readings)
    found = recovered(rated, reader, readings, topics.matches if topics else None)
    return {
        **_recovered_json(found),
        "topics": _topics_json(encoder, topics),
        "variety": asdict(variety_of((row["template_id"], _timeline(row["turns"])) for row in scenes.rows)),
    }


def _timeline(turns: Sequence[Mapping[str, Any]]) -> Timeline:
    return Timeline(tuple(Utterance(turn["speaker"], turn["text"]) for turn in turns))


def _topics(
    rated: Sequence[RatedScene],
    scenes: Scenes,
    encoder: str,
    reader: Judge,
    rewriter: ChatRewriter | None,
    readings: dict[str, Any],
) -> TopicMatch | None:
    from sonolake.models.registry import get

    same, different = topic_pairs(scenes.templates)
    if rewriter and not (same and different):
        same, different = reworded_pairs(rated, rewriter.reword)
    if not (same and different) or not any(scene.topic for scene in rated):
        return None
    model: TextEncoder = get(encoder)
    return topic_match(rated, readings, model, _calibrated(model, same, different), reader.quotes)


def _calibrated(model: TextEncoder, same: Pairs, different: Pairs) -> Threshold:
    return calibrate(cosines(model, same), cosines(model, different))


def _recovered_json(found: Recovered) -> dict[str, Any]:
    return {
        **{name: value for name, value in vars(found).items() if name not in ("kappa", "interval", "passed")},
        "agreement": kappa_json(found.kappa),
        "interval": asdict(found.interval) if found.interval else None,
        "passed": sorted(found.passed),
    }


def kappa_json(kappa: Kappa | None) -> dict[str, Any] | None:
    """A kappa and what it is made of."""
    return None if kappa is None else {"kappa": kappa.value, **asdict(kappa)}


def _topics_json(encoder: str, topics: TopicMatch | None) -> dict[str, Any] | None:
    if topics is None:
        return None
    return {
        "encoder": encoder,
        **asdict(topics.threshold),
        "matched": None if topics.matches is None else _share(topics.matches),
        "identified": _share(topics.identified),
        "identified_of": len(topics.identified),
        "chance": topics.chance,
    }


def _share(found: Any) -> float | None:
    return sum(found.values()) / len(found) if found else None


def shortcuts(scenes: Scenes) -> list[dict[str, Any]]:
    """How far what has nothing to do with the words leads to the reaction."""
    return [{**asdict(one), "tells": one.tells} for one in report(facts_of(scenes.rows))]


def words(
    scenes: Scenes,
    sounds: Iterator[tuple[str, Sound]],
    spec: str,
    kept: Path | None,
    voices: Iterator[tuple[str, Sound]] | None = None,
) -> dict[str, Any]:
    """Word error rate of the mixes, and beside it of their bare ``voices``.

    The recogniser is made when there is something left to hear.
    """
    from sonolake.models.endpoints.specs import recogniser

    def hearing(x: Signal, rate: int) -> str:
        return recogniser(spec).transcribe(x, rate, "en").text

    scripts, heard = scenes.scripts(), hear_all(sounds, hearing, kept)
    found = {"recogniser": spec, **asdict(heard_words(scripts, heard))}
    if voices is None:
        return found
    bare = hear_all(voices, hearing, kept and kept.with_suffix(f".bare{kept.suffix}"))
    times = against_voices(scripts, heard, bare)
    return {**found, "bare": asdict(heard_words(scripts, bare)), "times": times and asdict(times)}
