"""What goes into a render beside the recipe, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sonolake.audio.encode import Pcm16
from sonolake.audio.signals import Signal


@dataclass(frozen=True)
class Clip:
    """A mono recording: samples float64 ``(frames,)`` and their rate in Hz."""

    samples: Signal
    rate: int


@dataclass(frozen=True)
class Word:
    """A spoken word, in seconds from the start of what it is part of; how sure its place is, 0 to 1."""

    text: str
    start_s: float
    end_s: float
    confidence: float = 1.0


@dataclass(frozen=True)
class TurnAudio:
    """A synthesised turn with its words' times, one for each word of the turn's spec, in order; how sure they are."""

    clip: Clip
    words: tuple[Word, ...]
    confidence: float = 1.0


@dataclass(frozen=True)
class SceneInputs:
    """The sound that a recipe asks for.

    Attributes:
        turns: one for each turn of the recipe.
        takes: by asset id, those of mouths among them.
        ambience: of any length.
        response: of the room, or None.
    """

    turns: tuple[TurnAudio, ...]
    takes: Mapping[str, Clip]
    ambience: Clip
    response: Clip | None = None


@dataclass(frozen=True)
class PlacedTag:
    """What an inline tag became, and from when to when; no times where the voice performs it itself."""

    tag: str
    becomes: str
    take_id: str | None
    start_s: float | None
    end_s: float | None


@dataclass(frozen=True)
class PlacedTurn:
    """A turn in the scene, with what its tags became and how sure its words' places are, 0 to 1; the gap before it as
    asked and as measured on the dry voice (None for the first).
    """

    speaker: str
    text: str
    start_s: float
    end_s: float
    words: tuple[Word, ...]
    confidence: float
    tags: tuple[PlacedTag, ...]
    asked_gap_s: float | None
    measured_gap_s: float | None


@dataclass(frozen=True)
class PlacedEvent:
    """An event in the scene: what was asked, and what was measured on its final sound.

    Attributes:
        event_id, reaction, register, layer, band, take_id, distance_m: of the plan.
        onset_s, offset_s: the label: where it rises over -40 dB and last is over -30 dB of its peak, measured.
        asked_onset_s, measured_onset_s, asked_offset_s, measured_offset_s: seconds; the end as asked is that
            before the whole scene is faded.
        asked_level_lufs, measured_level_lufs: from onset to offset, before the master gain, as targets are.
        asked_snr_db, measured_snr_db: least level over the ambience from onset to offset, and what it is.
        asked_clear_s, measured_clear_s: start of the stretch that holds the loudest moment; None when behavioral.
        asked_lead_s, measured_lead_s: from its end to the point where speech resumes; None unless behavioral.
        duck_db: how far the voice is lowered under it, >= 0.
        asked_duck_db, measured_duck_db: the same, and the most that it is; None unless behavioral, the latter also
            where nobody is heard under it.
        voice_s: how long somebody speaks while it is heard; pauses inside a turn are none of that.
        violates: None, or the first rule of the mix that it breaks.
    """

    event_id: str
    reaction: str
    register: str | None
    layer: str
    band: str
    take_id: str
    distance_m: float
    onset_s: float
    offset_s: float
    asked_onset_s: float
    measured_onset_s: float
    asked_offset_s: float
    measured_offset_s: float
    asked_level_lufs: float
    measured_level_lufs: float
    asked_snr_db: float
    measured_snr_db: float
    asked_clear_s: float | None
    measured_clear_s: float | None
    asked_lead_s: float | None
    measured_lead_s: float | None
    duck_db: float
    asked_duck_db: float | None
    measured_duck_db: float | None
    voice_s: float
    violates: str | None


@dataclass(frozen=True)
class Scene:
    """A rendered scene.

    Attributes:
        scene_id: of its recipe.
        samples: mono PCM of 16 bits; ``duration_s * rate`` frames exactly.
        rate: Hz.
        duration_s: length.
        turns, events: in order of time.
        loudness_lufs: measured on the mix, after the limiter where it was at work.
        peak_dbfs, true_peak_dbtp: measured on the samples. All measured levels are rounded to 0.01 dB, so that they are
            the same wherever the scene is rendered again.
        levels: loudness asked of the mix; asked and measured loudness of voice and ambience before the master gain, the
            master gain in dB, and how far the limiter lowered the highest peak.
        violates: None, or the first rule that the scene itself breaks.
        stems: voice, events and ambience as they enter the limiter, on request: they add up to the mix.
        muted: the samples without each of its events, by event id, on request.
    """

    scene_id: str
    samples: Pcm16
    rate: int
    duration_s: float
    turns: tuple[PlacedTurn, ...]
    events: tuple[PlacedEvent, ...]
    loudness_lufs: float
    peak_dbfs: float
    true_peak_dbtp: float
    levels: Mapping[str, float]
    violates: str | None
    stems: Mapping[str, Signal] = field(default_factory=dict)
    muted: Mapping[str, Pcm16] = field(default_factory=dict)
