"""The data sets' tables: one file a family, each table a dataframely schema with types, keys, ranges and units."""

from schemas.base import lake_spec, valid_rows
from schemas.cares import Dialogues, Scenarios, SceneEvents, Scenes, Templates, Turns
from schemas.chat import ChatAnswers, ChatUse, SpeechAnswers
from schemas.spatial import ClipEvents, Clips, DryEvents, Questions
from schemas.wesr import (
    Annotations,
    Candidates,
    CorpusTags,
    Gold,
    Queries,
    SetOverlaps,
    Sets,
    UtterancePrints,
    Utterances,
)

ALL = (
    Templates,
    Scenarios,
    Dialogues,
    ChatAnswers,
    ChatUse,
    SpeechAnswers,
    Scenes,
    SceneEvents,
    Turns,
    DryEvents,
    Clips,
    ClipEvents,
    Questions,
    Utterances,
    Queries,
    Candidates,
    Annotations,
    CorpusTags,
    Gold,
    UtterancePrints,
    Sets,
    SetOverlaps,
)
"""Every table, in the order in which they are filled."""

__all__ = ["ALL", "lake_spec", "valid_rows", *(schema.__name__ for schema in ALL)]
