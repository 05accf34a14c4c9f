"""What the mix turned out to be, measured on its own sound, and the rules it is held to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sonolake.audio.activity import active, falls_at, loudest, rises_at
from sonolake.audio.levels import round_db
from sonolake.audio.loudness import loudness
from sonolake.audio.signals import Real, Signal
from sonolake.cares.event_sound import HEARD_DB, OVER_DB
from sonolake.cares.placement import Placement
from sonolake.cares.scene import PlacedEvent
from sonolake.cares.settings import MixSettings
from sonolake.cares.voice_track import Piece

ONSET_S = 0.010
"""Asked and measured times agree to this."""
LEVEL_DB = 0.5
"""Asked and measured levels agree to this."""
DUCK_DB = 0.05
"""The voice is lowered by no more than this beyond what is allowed: two sounds together may."""
DUCK_STEP_S = 0.02
"""How finely that is measured."""
GAP_S = 0.03
"""Asked and measured gaps agree to this: speech fades in and out."""
HEARD_UNDER_DB = 46.0
"""What is this far under the loudest of a piece is heard: a decibel more than what pieces are cut at, so that a last
sound just above the cut counts here, too."""
SNR_DB = 0.1
OF_THE_PLAN = ("event_id", "reaction", "register", "layer", "band", "take_id", "distance_m")
"""What a placed event repeats of its plan."""


@dataclass(frozen=True)
class Asked:
    """What the mix asked of an event: level before the master gain, floor over the ambience, ducking."""

    level_lufs: float
    snr_db: float
    duck_db: float


@dataclass(frozen=True)
class Heard:
    """An event and what is around it, as it is heard under the master gain.

    Attributes:
        sound: its own samples, all gains and fades applied. bed: the ambience's in the same span.
        duck_db: the most that the voice is lowered under it; None where that is not to be, or nobody speaks.
        master_db: the gain of the whole mix, which is taken off the measured level.
    """

    sound: Signal
    bed: Signal
    duck_db: float | None
    master_db: float


def measured_event(placement: Placement, heard: Heard, asked: Asked, settings: MixSettings) -> PlacedEvent:
    """The event as placed, with each thing asked beside what was measured."""
    final, bed = heard.sound, heard.bed
    rate, plan = settings.rate, placement.plan
    first, last = rises_at(final, HEARD_DB), falls_at(final, OVER_DB)
    onset, offset = (placement.start + first) / rate, (placement.start + last) / rate
    level = loudness(final[first:last], rate)
    clear = lead = asked_lead = None
    if placement.clear is not None:
        asked_at = placement.clear - placement.start
        clear = (placement.start + loudest(final, round(settings.clear_s * rate), asked_at)) / rate
    if placement.resumes is not None:
        lead = placement.resumes / rate - offset
        asked_lead = (placement.resumes - placement.over) / rate
    event = PlacedEvent(
        **{name: getattr(plan, name) for name in OF_THE_PLAN},
        onset_s=onset,
        offset_s=offset,
        asked_onset_s=placement.onset / rate,
        measured_onset_s=onset,
        asked_offset_s=placement.over / rate,
        measured_offset_s=offset,
        asked_level_lufs=asked.level_lufs,
        measured_level_lufs=round_db(level - heard.master_db),
        asked_snr_db=asked.snr_db,
        measured_snr_db=round_db(level - loudness(bed[first:last], rate)),
        asked_clear_s=None if placement.clear is None else placement.clear / rate,
        measured_clear_s=clear,
        asked_lead_s=asked_lead,
        measured_lead_s=lead,
        duck_db=asked.duck_db,
        asked_duck_db=asked.duck_db if plan.reaction == "behavioral" else None,
        measured_duck_db=heard.duck_db,
        voice_s=placement.voiced / rate,
        violates=None,
    )
    return _judged(event, placement, settings)


def _judged(event: PlacedEvent, placement: Placement, settings: MixSettings) -> PlacedEvent:
    """The event with the first rule that it breaks."""
    gap = placement.gap[0] / settings.rate, placement.gap[1] / settings.rate
    clear, lead = event.measured_clear_s, event.measured_lead_s
    rules = (
        ("onset", abs(event.measured_onset_s - event.asked_onset_s) > ONSET_S),
        ("level", abs(event.measured_level_lufs - event.asked_level_lufs) > LEVEL_DB),
        ("snr", event.measured_snr_db < event.asked_snr_db - SNR_DB),
        (
            "clear",
            clear is not None and not gap[0] - ONSET_S <= clear <= gap[1] - settings.clear_s + ONSET_S,
        ),
        ("lead", lead is not None and not -ONSET_S <= lead <= settings.resume_s + ONSET_S),
        ("duck", not 0.0 <= max(event.duck_db, event.measured_duck_db or 0.0) <= settings.duck_db + DUCK_DB),
    )
    return replace(event, violates=next((name for name, broken in rules if broken), None))


def measured_gap_s(track: Real, before: Piece, after: Piece, rate: int) -> float:
    """Seconds without voice between two pieces, on the dry track."""
    last = before.at + active(track[before.span], rate, HEARD_UNDER_DB)[1]
    first = after.at + active(track[after.span], rate, HEARD_UNDER_DB)[0]
    return (first - last) / rate


def duck_db(event_lufs: float, voice_lufs: float, most: float) -> float:
    """How far the voice goes down under an event: less when the event would stand more than 6 dB above it."""
    return max(0.0, min(most, 6.0 - (event_lufs - voice_lufs)))


def measured_duck_db(before: Signal, after: Signal, rate: int) -> float | None:
    """The most that a voice was lowered in a stretch of :data:`DUCK_STEP_S`; None where nothing of it is heard.

    Args:
        before, after: the same samples of it, ``(frames,)``, as they were and as they are.
        rate: Hz.
    """
    step = max(1, round(DUCK_STEP_S * rate))
    starts = np.arange(0, len(before), step)
    was, now = (np.add.reduceat(np.square(x), starts) if len(x) else x for x in (before, after))
    spoken = was > 0
    if not spoken.any():
        return None
    return round_db(-10.0 * float(np.log10(np.min(now[spoken] / was[spoken]))))
