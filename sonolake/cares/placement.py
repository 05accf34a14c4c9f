"""Where an event's sound lies in the scene."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.audio.activity import falls_at, loudest, rises_at
from sonolake.audio.signals import Signal
from sonolake.cares.event_sound import HEARD_DB, OVER_DB
from sonolake.cares.recipe import EventPlan, SceneRecipe
from sonolake.cares.voice_track import VoiceTrack
from sonolake.ids import rng_of


@dataclass(frozen=True)
class Placement:
    """An event's sound at a place, in samples of the scene.

    Attributes:
        plan: the event.
        sound: its samples inside the scene, before their level.
        start: where the first of them lies.
        onset, over: where it rises and where it is over.
        gap: first sample and one past the last of the gap at its boundary.
        clear: start of the stretch with its loudest moment; None when behavioral.
        resumes: where speech goes on; None unless behavioral.
        voiced: samples from ``onset`` to ``over`` in which somebody speaks.
    """

    plan: EventPlan
    sound: Signal
    start: int
    onset: int
    over: int
    gap: tuple[int, int]
    clear: int | None
    resumes: int | None
    voiced: int

    @property
    def labelled(self) -> slice:
        """From onset to where it is over, in samples of the scene."""
        return slice(self.onset, self.over)

    @property
    def end(self) -> int:
        """One past the last sample."""
        return self.start + len(self.sound)


def place_event(plan: EventPlan, sound: Signal, recipe: SceneRecipe, track: VoiceTrack) -> Placement:
    """Behavioral: ends shortly before speech resumes. All others: the loudest moment lies in the gap.

    What would lie before the start or after the end of the scene is left out.
    """
    settings = recipe.settings
    rng = rng_of(recipe.scene_id, f"place {plan.event_id}")
    gap, window = track.boundary(plan.before), round(settings.clear_s * settings.rate)
    clear = resumes = None
    if plan.reaction == "behavioral":
        resumes = track.resumes(plan.before)
        lead = round(float(rng.uniform(0.0, settings.resume_s)) * settings.rate)
        start = resumes - lead - falls_at(sound, OVER_DB)
    else:
        margin = round(settings.margin_s * settings.rate)
        clear = int(rng.integers(gap[0] + margin, gap[1] - margin - window + 1))
        start = clear - loudest(sound, window)
    first, last = max(0, -start), min(len(sound), track.frames - start)
    inside = sound[first:last]
    start += first
    onset, over = start + rises_at(inside, HEARD_DB), start + falls_at(inside, OVER_DB)
    voiced = sum(max(0, min(piece.end, over) - max(piece.start, onset)) for piece in track.pieces)
    return Placement(plan, inside, start, onset, over, gap, clear, resumes, voiced)
