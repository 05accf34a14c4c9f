"""What raters and judges see of a scene, and beside it what was asked for, which they never see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class MarkedSound:
    """A sound: its identifier, what raters are told it is, and the number of utterances before it."""

    event: str
    name: str
    before: int


@dataclass(frozen=True)
class Transcript:
    """What is said (speaker and text of each utterance), with the sounds in it, in order of time."""

    utterances: tuple[tuple[str, str], ...]
    sounds: tuple[MarkedSound, ...]

    def text(self) -> str:
        """One line an utterance; ``[SOUND 1: dog barking]`` where a sound occurs."""
        lines = []
        for index, (speaker, said) in enumerate(self.utterances):
            lines += [f"[SOUND {n}: {s.name}]" for n, s in enumerate(self.sounds, 1) if s.before == index]
            lines.append(f"{speaker}: {said}")
        return "\n".join(lines)


@dataclass(frozen=True)
class RatedScene:
    """A transcript with what was asked for.

    Attributes:
        scene_id: of the scene, or of the scenario before there is one.
        template_id: of its template.
        writer: of the dialogue; empty where nobody says.
        topic: the one that was asked for; empty where nobody says.
        transcript: what judges are given.
        asked: the reaction of each sound.
        voiced: behavioral sounds whose register is a change of voice, with its tag in place.
    """

    scene_id: str
    template_id: str
    writer: str
    topic: str
    transcript: Transcript
    asked: Mapping[str, str]
    voiced: frozenset[str] = frozenset()
