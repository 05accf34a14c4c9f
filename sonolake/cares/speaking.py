"""A turn spoken and its words placed: what a mix is given of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonolake.cares.recipe import TurnSpec
from sonolake.cares.scene import Clip, TurnAudio, Word

if TYPE_CHECKING:
    from sonolake.models.base import Aligner, Voice

ALIGNER = "pocketsphinx"
"""Spec of the aligner that places the words of every scene."""


def speak(voice: Voice, aligner: Aligner, turn: TurnSpec) -> TurnAudio:
    """A turn in a voice, with the times of its words; the same voice and turn give the same samples.

    Raises:
        ItemRefused: what voice and aligner refuse.
    """
    samples = voice.speak(turn.spoken, turn.seed)
    found = aligner.align(samples, voice.sample_rate, list(turn.words))
    words = tuple(Word(w.text, w.start_s, w.end_s, w.confidence) for w in found.words)
    return TurnAudio(Clip(samples, voice.sample_rate), words, found.confidence)
