"""The voice track: turns one after the other with gaps between, only shifted, never cut in a word.

Every turn boundary gets a gap from one range, event or not, and so does an ellipsis inside a turn, where the turn is
opened at the quietest point between the two words. So it is for a take of what a mouth does, which is a piece of the
turn like its words, a little under their level.

The track has the rate of what it is made of, not the scene's: speech of 24 kHz is cut, filtered and levelled as such,
and brought to the scene's rate once, with its room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from sonolake.audio.activity import active, quietest
from sonolake.audio.levels import db_to_gain, fade, fade_curve, round_db
from sonolake.audio.loudness import loudness, rounded_gain_db
from sonolake.audio.resample import resample, resampled_length
from sonolake.audio.signals import Kind, Real, Signal
from sonolake.cares.filters import high_pass
from sonolake.cares.layer import KEPT
from sonolake.cares.recipe import DeliverySpec, SceneRecipe, TurnSpec, VocalSpec
from sonolake.cares.scene import Clip, TurnAudio, Word
from sonolake.cares.settings import MixSettings
from sonolake.cares.voice_chain import through_chain
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.ids import rng_of

EDGE_S = 0.01
"""Kept beside the active part of a piece, and faded."""
SEARCH_S = 0.30
"""How far from the middle of two words the quietest point may lie."""
RAMP_S = 0.03
"""Ramp of a delivery's change of level."""
VOCAL_GAP_S = 0.12
"""Silence between words and a take of what a mouth does."""
VOCAL_DB = -3.0
"""Its level against the voice's."""
LONGEST_VOCAL_S = 3.0


@dataclass(frozen=True)
class Piece:
    """A turn, or a part of one between pauses.

    Attributes:
        turn: index of the turn.
        samples: what is heard, with up to :data:`EDGE_S` of fade on either side; empty once it is in the track.
        frames: how many samples there are.
        lead, trail: samples of fade before and after what is heard.
        words: in seconds from the start of ``samples``; none in a take of what a mouth does.
        after_s: the silence before it within its turn; None for one drawn from the range of gaps.
        gap_s: the gap asked before it; None for the first piece.
        at: where ``samples`` begin in the track.
    """

    turn: int
    samples: Real
    frames: int
    lead: int
    trail: int
    words: tuple[Word, ...]
    after_s: float | None = None
    gap_s: float | None = None
    at: int = 0

    @property
    def start(self) -> int:
        """First sample of the track in which it is heard."""
        return self.at + self.lead

    @property
    def end(self) -> int:
        """One past the last sample of the track in which it is heard."""
        return self.at + self.frames - self.trail

    @property
    def span(self) -> slice:
        """Its samples in the track, fades included."""
        return slice(self.at, self.at + self.frames)

    def at_rate(self, rate_in: int, rate_out: int) -> Piece:
        """The same place in a track of another rate."""
        at, start, end, last = (
            round(frame * rate_out / rate_in)
            for frame in (self.at, self.start, self.end, self.at + self.frames)
        )
        return replace(self, at=at, lead=start - at, trail=last - end, frames=last - at)


@dataclass(frozen=True)
class VoiceTrack:
    """Dry speech of both speakers: mono samples at a rate in Hz, the pieces in them, and how long it is in samples."""

    samples: Real
    rate: int
    pieces: tuple[Piece, ...]
    frames: int

    def places(self, rate: int) -> VoiceTrack:
        """Where everything is at another rate, and no sound."""
        pieces = tuple(piece.at_rate(self.rate, rate) for piece in self.pieces)
        return VoiceTrack(np.empty(0), rate, pieces, resampled_length(self.frames, self.rate, rate))

    def boundary(self, turn: int) -> tuple[int, int]:
        """The gap before a turn: its first sample and one past its last."""
        index = next(i for i, piece in enumerate(self.pieces) if piece.turn == turn)
        return self.pieces[index - 1].end, self.pieces[index].start

    def resumes(self, turn: int) -> int:
        """Sample at which speech goes on after a break: after the first pause inside the turn, else its start."""
        pieces = [piece for piece in self.pieces if piece.turn == turn]
        opened = [after for before, after in pairwise(pieces) if before.words and after.words]
        return opened[0].start if opened else pieces[0].start


def build_voice_track(
    recipe: SceneRecipe, turns: Sequence[TurnAudio], takes: Mapping[str, Clip] | None = None
) -> VoiceTrack:
    """The track of a recipe at the voice's level, at the highest rate of its parts, but not above the recipe's.

    Args:
        recipe: the scene's.
        turns: one for each of its turns.
        takes: by asset id, those of what mouths do among them.

    Raises:
        InvalidInput: for another number of turns, or without a take.
        ItemRefused: ``alignment_failed``, for words that are not the turn's or times out of order; ``silent``, for a
            take without sound.
    """
    settings = recipe.settings
    if len(turns) != len(recipe.turns):
        raise InvalidInput("turns", f"{len(recipe.turns)}, as in the recipe", len(turns))
    vocals = {vocal.take_id for spec in recipe.turns for vocal in spec.vocals}
    heard = {name: take for name, take in (takes or {}).items() if name in vocals}
    rates = [audio.clip.rate for audio in turns] + [take.rate for take in heard.values()]
    rate = min(max(rates), settings.rate)
    pieces: list[Piece] = []
    for index, (spec, audio) in enumerate(zip(recipe.turns, turns, strict=True)):
        require_placed(spec, audio, settings.least_confidence)
        pieces += _parts(index, audio, spec, settings, heard, rate)
    _balance(pieces, recipe, rate)
    placed = _spaced(pieces, recipe, rate)
    track = np.zeros(placed[-1].end + round(settings.tail_s * rate), KEPT)
    for piece in placed:
        track[piece.span] += piece.samples
    silent = np.empty(0)
    return VoiceTrack(track, rate, tuple(replace(piece, samples=silent) for piece in placed), len(track))


def _spaced(pieces: Sequence[Piece], recipe: SceneRecipe, rate: int) -> list[Piece]:
    """The pieces one after the other: gaps of turns and of ellipses from one range, pause tags as they say."""
    settings = recipe.settings
    between, within = rng_of(recipe.scene_id, "gaps"), rng_of(recipe.scene_id, "pauses")
    heard_until = round(settings.lead_s * rate)
    placed: list[Piece] = []
    for piece in pieces:
        inside = bool(placed) and placed[-1].turn == piece.turn
        gap = piece.after_s if inside else None
        if gap is None and placed:
            gap = round(float((within if inside else between).uniform(*settings.gap_s)), 3)
        at = heard_until + round((gap or 0.0) * rate) - piece.lead
        placed.append(replace(piece, gap_s=gap, at=at))
        heard_until = placed[-1].end
    return placed


def require_placed(spec: TurnSpec, audio: TurnAudio, least_confidence: float) -> None:
    """Let it pass when the words of a turn are placed in its speech, in order and with that confidence.

    Raises:
        ItemRefused: ``alignment_failed``.
    """
    if audio.confidence < least_confidence:
        said = (
            f"{audio.confidence:.2f} of at least {least_confidence:.2f} that {spec.spoken!r} is what is heard"
        )
        raise ItemRefused("alignment_failed", said)
    times = [t for word in audio.words for t in (word.start_s, word.end_s)]
    if len(audio.words) != len(spec.words):
        raise ItemRefused(
            "alignment_failed", f"{len(audio.words)} words aligned, {len(spec.words)} were spoken"
        )
    if any(b < a for a, b in pairwise(times)):
        raise ItemRefused("alignment_failed", f"word times of {spec.spoken!r} are out of order")


def _parts(
    turn: int,
    audio: TurnAudio,
    spec: TurnSpec,
    settings: MixSettings,
    takes: Mapping[str, Clip],
    rate: int,
) -> list[Piece]:
    """The turn's pieces: its words between breaks, each cut to where it is heard, and takes of what its mouth does."""
    x = through_chain(resample(audio.clip.samples, audio.clip.rate, rate), rate, settings)
    x = _delivered(x, rate, audio.words, spec.deliveries)
    pauses = {pause.word: pause.seconds for pause in spec.pauses}
    bounds = sorted({0, len(audio.words), *pauses, *(vocal.word for vocal in spec.vocals)})
    cuts = [0, *(_cut(x, rate, audio.words, word) for word in bounds[1:-1]), len(x)]
    pieces: list[Piece] = []
    for part, word in enumerate(bounds):
        heard = [vocal for vocal in spec.vocals if vocal.word == word]
        pieces += [_vocal(turn, vocal, settings, takes, rate) for vocal in heard]
        if part < len(bounds) - 1:
            after = pauses.get(word, VOCAL_GAP_S)
            last = bounds[part + 1]
            pieces.append(_said(turn, x, rate, cuts[part : part + 2], audio.words[word:last], after))
    return pieces


def _said(
    turn: int, x: Signal, rate: int, cuts: Sequence[int], words: Sequence[Word], after_s: float | None
) -> Piece:
    first, last = cuts
    begin, end = (first + n for n in active(x[first:last], rate))
    edge = round(EDGE_S * rate)
    low, high = max(first, begin - edge), min(last, end + edge)
    moved = tuple(_shifted(word, -low / rate, (high - low) / rate) for word in words)
    heard = fade(x[low:high], rate, EDGE_S, EDGE_S, KEPT)
    return Piece(turn, heard, len(heard), begin - low, high - end, moved, after_s=after_s)


def _vocal(turn: int, spec: VocalSpec, settings: MixSettings, takes: Mapping[str, Clip], rate: int) -> Piece:
    """A take as a piece, trimmed to where it is heard, a little under the level of the voice."""
    if spec.take_id not in takes:
        raise InvalidInput("takes", f"take {spec.take_id}", sorted(takes))
    clip = takes[spec.take_id]
    start, end = spec.trim_s or (0.0, len(clip.samples) / clip.rate)
    kept = clip.samples[round(start * clip.rate) : round(end * clip.rate)]
    x = high_pass(resample(kept, clip.rate, rate), rate, settings.high_pass_hz) if len(kept) else kept
    level = loudness(x, rate) if len(x) else -np.inf
    if not np.isfinite(level):
        raise ItemRefused("silent", f"take {spec.take_id} of a vocal tag")
    begin, over = active(x, rate)
    over = min(over, begin + round(LONGEST_VOCAL_S * rate))
    edge = round(EDGE_S * rate)
    low, high = max(0, begin - edge), min(len(x), over + edge)
    x = fade(x[low:high], rate, EDGE_S, EDGE_S)
    wanted = settings.voice_lufs + VOCAL_DB
    heard = (x * db_to_gain(round_db(wanted - loudness(x, rate)))).astype(KEPT)
    return Piece(turn, heard, len(heard), begin - low, high - over, (), after_s=VOCAL_GAP_S)


def _cut(x: Signal, rate: int, words: Sequence[Word], word: int) -> int:
    """Where to open a turn before its ``word``-th word: the quietest 20 ms near the middle of the two words."""
    before, after = words[word - 1], words[word]
    middle = (before.end_s + after.start_s) / 2
    low = max(middle - SEARCH_S, (before.start_s + before.end_s) / 2)
    high = min(middle + SEARCH_S, (after.start_s + after.end_s) / 2)
    return quietest(x, round(low * rate), min(len(x), round(high * rate)), round(0.02 * rate))


def _shifted(word: Word, by_s: float, length_s: float) -> Word:
    start, end = min(max(word.start_s + by_s, 0.0), length_s), min(max(word.end_s + by_s, 0.0), length_s)
    return Word(word.text, start, end, word.confidence)


def _delivered(x: Signal, rate: int, words: Sequence[Word], deliveries: Sequence[DeliverySpec]) -> Signal:
    """Changes of level over phrases, with raised-cosine ramps."""
    for delivery in deliveries:
        first = round(words[delivery.first].start_s * rate)
        last = min(len(x), round(words[delivery.last].end_s * rate))
        x = with_gain(x, first, last, delivery.gain_db, round(RAMP_S * rate))
    return x


def with_gain(x: Signal, first: int, last: int, gain_db: float, ramp: int) -> Signal:
    """``x`` with ``gain_db`` over ``[first, last)`` and raised-cosine ramps of ``ramp`` samples outside of it."""
    curve = np.zeros(len(x))
    first, last = max(0, first), min(len(x), last)
    curve[first:last] = 1.0
    rise = fade_curve(ramp)
    head, tail = min(ramp, first), min(ramp, len(x) - last)
    curve[first - head : first] = rise[ramp - head :]
    curve[last : last + tail] = rise[::-1][:tail]
    return x * (1.0 + curve * (db_to_gain(gain_db) - 1.0))


def _level(parts: Sequence[Real], rate: int, kind: Kind) -> float:
    """Loudness of sounds one after the other."""
    return loudness(np.concatenate(parts, dtype=kind), rate, kind=kind)


def _balance(pieces: Sequence[Piece], recipe: SceneRecipe, rate: int) -> None:
    """Bring both speakers to the voice's level, in place."""
    settings = recipe.settings
    for voice in recipe.voices:
        own = [p.samples for p in pieces if p.words and recipe.turns[p.turn].speaker == voice.speaker]
        if own:
            try:
                gain_db = rounded_gain_db(settings.voice_lufs, partial(_level, own, rate))
            except InvalidInput as silence:
                raise ItemRefused("silent", f"speaker {voice.speaker} is not heard") from silence
            for samples in own:
                samples *= db_to_gain(gain_db)
