"""The numbers of the mix, each with its reason; part of every recipe."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.errors import InvalidInput


@dataclass(frozen=True)
class Compressor:
    """Of what is over ``threshold_db`` (dBFS of a voice at its level), ``ratio`` dB become one."""

    threshold_db: float = -18.0
    ratio: float = 2.5
    attack_s: float = 0.010
    release_s: float = 0.100


@dataclass(frozen=True)
class MixSettings:
    """Levels in LUFS or dB, times in seconds, frequencies in Hz (CARES, section 4, and its published code).

    Attributes:
        rate: 44.1 kHz mono.
        voice_lufs, core_lufs, supporting_lufs, ambience_lufs, master_lufs: targets of the layers.
        ambience_jitter_db: half width of the uniform jitter of the ambience, drawn for each scene.
        event_over_ambience_db: floor of every event above the ambience, in the mix as in its own span.
        peak_dbfs: sample peak that nothing exceeds.
        gap_s: range of the gap at every boundary, event or not.
        clear_s: stretch around an event's loudest moment that no voice covers.
        margin_s: least distance of the clear stretch from the voice on either side.
        resume_s: a behavioral sound ends at most this long before speech resumes.
        duck_db, duck_ramp_s: most that the voice is lowered under a behavioral sound, and how fast.
        longest_s: range of the length that takes are cut to, the same for every reaction.
        release_s: fade of a take that is cut.
        near_gain_db: limits of the gain by distance.
        lead_s, tail_s: ambience before the first and after the last word.
        fade_s: raised-cosine fade of the whole scene.
        least_confidence: a turn whose words are placed with less is refused.
        high_pass_hz, equaliser, compressor: of the voice; the equaliser's bands are Hz and dB.
        ambience_low_pass_hz: keeps the bed out of the consonants, 12 dB an octave.
    """

    rate: int = 44_100
    voice_lufs: float = -20.0
    core_lufs: float = -20.0
    supporting_lufs: float = -23.0
    ambience_lufs: float = -32.0
    ambience_jitter_db: float = 3.0
    event_over_ambience_db: float = 6.0
    master_lufs: float = -23.0
    peak_dbfs: float = -1.0
    gap_s: tuple[float, float] = (0.50, 0.85)
    clear_s: float = 0.35
    margin_s: float = 0.05
    resume_s: float = 0.30
    duck_db: float = 4.0
    duck_ramp_s: float = 0.08
    longest_s: tuple[float, float] = (2.0, 4.5)
    release_s: float = 0.4
    near_gain_db: tuple[float, float] = (-9.0, 4.0)
    lead_s: float = 0.6
    tail_s: float = 1.0
    fade_s: float = 0.5
    least_confidence: float = 0.5
    high_pass_hz: float = 80.0
    equaliser: tuple[tuple[float, float], ...] = ((250.0, -1.5), (3_000.0, 1.5))
    compressor: Compressor = Compressor()
    ambience_low_pass_hz: float = 1_000.0

    def __post_init__(self) -> None:
        if self.gap_s[0] < self.clear_s + 2 * self.margin_s:
            raise InvalidInput(
                "gap_s", f"at least {self.clear_s + 2 * self.margin_s} s for the clear stretch", self.gap_s
            )

    def layer_lufs(self, layer: str) -> float:
        """Target of an event's layer before distance."""
        return self.core_lufs if layer == "core" else self.supporting_lufs


@dataclass(frozen=True)
class DistanceRange:
    """Metres an event may be away, and the distance at which it has its layer's level."""

    near_m: float
    far_m: float
    reference_m: float


DISTANCES = {"indoor": DistanceRange(1.0, 6.0, 2.0), "outdoor": DistanceRange(1.5, 20.0, 4.0)}
"""By the setting of the location (as in the published CARES code)."""
