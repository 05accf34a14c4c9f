"""Where turns, their words and what their tags became lie in the scene."""

from __future__ import annotations

from collections.abc import Sequence

from sonolake.cares.measure import measured_gap_s
from sonolake.cares.recipe import SceneRecipe, TagTrace
from sonolake.cares.scene import PlacedTag, PlacedTurn, TurnAudio, Word
from sonolake.cares.voice_track import Piece, VoiceTrack


def placed_turns(
    recipe: SceneRecipe, track: VoiceTrack, turns: Sequence[TurnAudio]
) -> tuple[PlacedTurn, ...]:
    """Every turn, in order; a turn begins and ends with what is heard of its speaker, a sigh as well as a word."""
    rate, placed = track.rate, []
    for index, (spec, audio) in enumerate(zip(recipe.turns, turns, strict=True)):
        pieces = [piece for piece in track.pieces if piece.turn == index]
        words = tuple(_moved(word, piece, rate) for piece in pieces for word in piece.words)
        gap = None
        if index:
            before = next(p for p in reversed(track.pieces) if p.turn == index - 1)
            gap = measured_gap_s(track.samples, before, pieces[0], rate)
        placed.append(
            PlacedTurn(
                speaker=spec.speaker,
                text=spec.text,
                start_s=pieces[0].start / rate,
                end_s=pieces[-1].end / rate,
                words=words,
                confidence=audio.confidence,
                tags=_tags(spec.tags, pieces, words, rate),
                asked_gap_s=pieces[0].gap_s,
                measured_gap_s=gap,
            )
        )
    return tuple(placed)


def _moved(word: Word, piece: Piece, rate: int) -> Word:
    at_s = piece.at / rate
    return Word(word.text, at_s + word.start_s, at_s + word.end_s, word.confidence)


def _tags(
    traces: Sequence[TagTrace], pieces: Sequence[Piece], words: Sequence[Word], rate: int
) -> tuple[PlacedTag, ...]:
    vocals = iter([piece for piece in pieces if not piece.words])
    found = []
    for trace in traces:
        span: tuple[float | None, float | None] = (None, None)
        if trace.becomes == "vocal":
            piece = next(vocals)
            span = piece.start / rate, piece.end / rate
        elif trace.becomes == "delivery":
            span = words[trace.first].start_s, words[trace.last].end_s
        elif trace.becomes == "pause":
            span = words[trace.first - 1].end_s, words[trace.first].start_s
        found.append(PlacedTag(trace.tag, trace.becomes, trace.take_id, *span))
    return tuple(found)
