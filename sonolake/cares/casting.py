"""From a dialogue to a recipe: voices, takes, ambience, response and distances.

Recordings are picked by the highest hash of recording and scenario (rendezvous hashing), so a new take changes only the
scenes that it wins, and the order in which takes were found never matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sonolake.cares.banks import Banks
from sonolake.cares.recipe import EventPlan, SceneRecipe, TurnSpec, VocalSpec, VoiceSpec
from sonolake.cares.records import Scenario, Timeline
from sonolake.cares.settings import DISTANCES, MixSettings
from sonolake.cares.spoken import marked
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of, seed_of
from sonolake.splits import SPLITS

OF_A_GENDER = 2
"""Voices of a gender that a split needs for voices of its own: as many as a pair may have."""


@dataclass(frozen=True)
class CastVoice:
    """A voice of the pool: its model's spec, the SHA-256 of its weights (empty where nobody can know it), its gender
    ``f`` or ``m``, and the inline tags that it performs itself (``*`` for all).
    """

    spec: str
    weights_sha256: str
    gender: str
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Recordings:
    """Asset ids that a split may use.

    Attributes:
        takes: by event id.
        ambiences: by location.
        responses: by location; a location without one is dry.
        trims: start and end of what is used of a take, seconds, by event id and take; all of the others.
    """

    takes: Mapping[str, Sequence[str]]
    ambiences: Mapping[str, Sequence[str]]
    responses: Mapping[str, Sequence[str]]
    trims: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)


def cast(
    scenario: Scenario,
    timeline: Timeline,
    banks: Banks,
    voices: Iterable[CastVoice],
    recordings: Recordings,
    settings: MixSettings | None = None,
) -> SceneRecipe:
    """The recipe of a scenario's scene.

    Raises:
        InvalidInput: when no voice, take or ambience fits.
    """
    location, pool = banks.locations[scenario.location], tuple(voices)
    chosen, tags = cast_voices(scenario, pool), {voice.spec: voice.tags for voice in pool}
    performed = {voice.speaker: tags[voice.spec] for voice in chosen}
    responses = recordings.responses.get(scenario.location, ())
    return SceneRecipe(
        scenario_id=scenario.scenario_id,
        template_id=scenario.template_id,
        split=scenario.split,
        location=scenario.location,
        voices=chosen,
        turns=_turns(scenario, timeline, banks, performed, recordings),
        events=_events(scenario, timeline, banks, recordings),
        ambience_id=_pick(recordings.ambiences.get(scenario.location, ()), scenario, "ambience"),
        response_id=_pick(responses, scenario, "response") if responses else None,
        wet=location.wet,
        settings=settings or MixSettings(),
    )


def parted(genders: str) -> bool:
    """Whether voices of these genders, such as ``"ffmm"``, are enough for two women and two men of its own a split."""
    return _of_each(genders) >= OF_A_GENDER * len(SPLITS)


def voices_of_split(
    split: str, voices: Iterable[CastVoice], split_of: Mapping[str, str]
) -> tuple[CastVoice, ...]:
    """The voices that may speak in a split: its own where every split can have its own, else all (CARES, section 4).

    Args:
        split: of the scene.
        voices: of the run.
        split_of: by spec, as in the ledger; a voice without one speaks in no split.
    """
    pool = tuple(voices)
    own = {name: tuple(v for v in pool if split_of.get(v.spec) == name) for name in SPLITS}
    enough = all(_of_each("".join(v.gender for v in some)) >= OF_A_GENDER for some in own.values())
    return own[split] if enough else pool


def _of_each(genders: str) -> int:
    counts = Counter(genders.lower())
    return min(counts["f"], counts["m"])


def cast_voices(scenario: Scenario, voices: Iterable[CastVoice]) -> tuple[VoiceSpec, ...]:
    """A voice for A and another for B, of the scenario's genders.

    Raises:
        InvalidInput: when the pool cannot speak the pair.
    """
    pool = sorted(voices, key=lambda v: (seed_of(v.spec, scenario.scenario_id), v.spec))
    chosen: list[VoiceSpec] = []
    for speaker, gender in zip("AB", scenario.genders.lower(), strict=True):
        free = [v for v in pool if v.gender == gender and v.spec not in {c.spec for c in chosen}]
        if not free:
            raise InvalidInput(
                "voices",
                f"one for each speaker of {scenario.genders}",
                [(v.spec, v.gender) for v in pool],
                "gender pairs were allocated for another pool",
            )
        chosen.append(VoiceSpec(speaker, free[0].spec, free[0].weights_sha256))
    return tuple(chosen)


def _turns(
    scenario: Scenario,
    timeline: Timeline,
    banks: Banks,
    performed: Mapping[str, frozenset[str]],
    recordings: Recordings,
) -> tuple[TurnSpec, ...]:
    turns = []
    for index, utterance in enumerate(timeline.utterances):

        def take_of(event: str, word: int, turn: int = index) -> VocalSpec | None:
            if not (takes := recordings.takes.get(event, ())):
                return None
            take = _pick(takes, scenario, f"{event} {turn} {word}")
            return VocalSpec(word, take, recordings.trims.get(event, {}).get(take))

        own = performed[utterance.speaker]
        turns.append(
            TurnSpec(
                speaker=utterance.speaker,
                text=utterance.text,
                seed=seed_of(scenario.scenario_id, f"turn {index}") % 2**31,
                **vars(marked(utterance.text, banks.tags, own, take_of)),
            )
        )
    return tuple(turns)


def _events(
    scenario: Scenario, timeline: Timeline, banks: Banks, recordings: Recordings
) -> tuple[EventPlan, ...]:
    specs = {spec.event_id: spec for spec in scenario.events}
    span = DISTANCES[banks.locations[scenario.location].setting]
    plans = []
    for event_id, before in timeline.before():
        rng = rng_of(scenario.scenario_id, f"distance {event_id}")
        spec = specs[event_id]
        take_id = _pick(recordings.takes.get(event_id, ()), scenario, event_id)
        plans.append(
            EventPlan(
                event_id=event_id,
                reaction=spec.reaction,
                register=spec.register,
                layer=spec.layer,
                band=spec.band,
                before=before,
                take_id=take_id,
                distance_m=round(float(rng.uniform(span.near_m, span.far_m)), 2),
                reference_m=span.reference_m,
                trim_s=recordings.trims.get(event_id, {}).get(take_id),
            )
        )
    return tuple(plans)


def _pick(assets: Sequence[str], scenario: Scenario, what: str) -> str:
    if not assets:
        raise InvalidInput(
            f"recordings of {what}", f"at least one in {scenario.split}", 0, "nothing was ingested for it"
        )
    return max(assets, key=lambda asset: (seed_of(asset, f"{what} {scenario.scenario_id}"), asset))
